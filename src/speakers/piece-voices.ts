// Computes the voice of each piece, and divides pieces that contain two people. The segmentation sometimes continues a local speaker when
// another, quieter person answers without a pause. The voices at the two ends of such a piece differ; inside it, the piece is divided where
// the voice becomes more similar to that of the second end.
import { pieceRequests } from "./network-requests.ts";
import type { FrameRange, VoicedPieces } from "./pieces.ts";
import { FRAME_SECONDS } from "./speaker-networks.ts";
import { dotProduct } from "./vectors.ts";

/** Embeds ranges of frames. @returns row-major [ranges, dimensions], of unit length; zeros where a range has no voice */
export type EmbedRanges = (ranges: readonly FrameRange[]) => Promise<Pick<VoicedPieces, "voices" | "dimensions">>;

/** Length of the excerpts whose voices are compared. */
const COMPARED_FRAMES = Math.round(1.2 / FRAME_SECONDS);
/** Distance between the starts of the excerpts inside a piece. */
const COMPARED_STEP_FRAMES = Math.round(0.3 / FRAME_SECONDS);
/**
 * Similarity of the two ends below which a piece contains two people. Chosen on the first half of the conversations of
 * `npm run bench:voices`, in which no piece of one person is below 0.33. Over both halves, 9 of 10 pieces of two people and one of 77 pieces of
 * one person are below 0.3.
 */
const ONE_VOICE_SIMILARITY = 0.3;

const isLong = ({ start, end }: FrameRange) => end - start >= 2 * COMPARED_FRAMES;

/** Evenly spaced excerpts that cover the whole piece, the first at its start and the last at its end. */
function excerptsOf({ start, end }: FrameRange): FrameRange[] {
  const last = end - COMPARED_FRAMES;
  const steps = Math.max(1, Math.round((last - start) / COMPARED_STEP_FRAMES));
  return Array.from({ length: steps + 1 }, (_, step) => {
    const at = Math.round(start + (step * (last - start)) / steps);
    return { start: at, end: at + COMPARED_FRAMES };
  });
}

const ends = ({ start, end }: FrameRange): FrameRange[] => [
  { start, end: start + COMPARED_FRAMES },
  { start: end - COMPARED_FRAMES, end },
];

function rowsOf({ voices, dimensions }: Pick<VoicedPieces, "voices" | "dimensions">): Float32Array[] {
  return Array.from({ length: voices.length / dimensions }, (_, row) =>
    voices.subarray(row * dimensions, (row + 1) * dimensions),
  );
}

/** @param voices  of `excerpts`, in order @returns the frame at which the voice of the first excerpt ends */
function changeOf(excerpts: readonly FrameRange[], voices: readonly Float32Array[]): number {
  const [first, last] = [voices[0], voices.at(-1)] as [Float32Array, Float32Array];
  const after = voices.findIndex((voice) => dotProduct(voice, last) > dotProduct(voice, first));
  const [before, next] = [excerpts[after - 1], excerpts[after]] as [FrameRange, FrameRange];
  return Math.round((before.start + before.end + next.start + next.end) / 4);
}

const hasVoice = (voice: Float32Array) => voice.some((value) => value !== 0);

async function embedInRequests(ranges: readonly FrameRange[], embed: EmbedRanges): Promise<Float32Array[]> {
  const rows: Float32Array[] = [];
  for (const group of pieceRequests(ranges)) rows.push(...rowsOf(await embed(group)));
  return rows;
}

/**
 * @param pieces  in order
 * @returns the same pieces, of which those with two people are divided, with their voices
 */
export async function voicesOfPieces(pieces: readonly FrameRange[], embed: EmbedRanges): Promise<VoicedPieces> {
  const long = pieces.filter(isLong);
  const endVoices = await embedInRequests(long.flatMap(ends), embed);
  const divided = new Map<FrameRange, FrameRange[]>();
  for (const [at, piece] of long.entries()) {
    const [head, tail] = [endVoices[2 * at], endVoices[2 * at + 1]] as [Float32Array, Float32Array];
    if (!hasVoice(head) || !hasVoice(tail) || dotProduct(head, tail) >= ONE_VOICE_SIMILARITY) continue;
    const excerpts = excerptsOf(piece);
    const inner = await embedInRequests(excerpts.slice(1, -1), embed);
    const change = changeOf(excerpts, [head, ...inner, tail]);
    divided.set(piece, [
      { start: piece.start, end: change },
      { start: change, end: piece.end },
    ]);
  }
  const found = pieces.flatMap((piece) => divided.get(piece) ?? [piece]);
  const rows = await embedInRequests(found, embed);
  const dimensions = rows[0]?.length ?? 1;
  const voices = new Float32Array(found.length * dimensions);
  for (const [row, values] of rows.entries()) voices.set(values, row * dimensions);
  return { pieces: found, voices, dimensions };
}
