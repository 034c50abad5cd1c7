// Computes the voice of each piece, and divides pieces that contain two people. The segmentation sometimes continues a local speaker when
// another, quieter person answers without a pause. The voices at the two ends of such a piece differ; inside it, the piece is divided where
// the voice becomes more similar to that of the second end.
import { pieceRequests } from "./network-requests.ts";
import type { FrameRange, VoicedPieces } from "./pieces.ts";
import { type Excerpt, FRAME_SAMPLES, FRAME_SECONDS } from "./speaker-networks.ts";
import { dotProduct } from "./vectors.ts";

/**
 * Embeds ranges of frames.
 * @param excerpts  of each range, by its index
 * @returns row-major [voices, dimensions] of each range and, after it, of its excerpts; of unit length, zeros where there is no voice
 */
export type EmbedRanges = (
  ranges: readonly FrameRange[],
  excerpts: readonly (readonly Excerpt[])[],
) => Promise<Pick<VoicedPieces, "voices" | "dimensions">>;

/** Length of the excerpts whose voices are compared. */
const COMPARED_FRAMES = Math.round(1.2 / FRAME_SECONDS);
/** Distance between the starts of the excerpts inside a piece. */
const COMPARED_STEP_FRAMES = Math.round(0.3 / FRAME_SECONDS);
/**
 * Similarity of the two ends below which a piece contains two people. Chosen on people 0, 2, 4, … of `npm run bench -- piece-voices`: 68 % of the
 * pieces of two of them and 1 % of the pieces of one are below it.
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

interface EmbeddedPiece {
  piece: FrameRange;
  voice: Float32Array;
  excerpts: readonly FrameRange[];
  /** Of the excerpts, in order. */
  excerptVoices: Float32Array[];
}

async function embedInRequests(
  pieces: readonly FrameRange[],
  embed: EmbedRanges,
  excerptsOfPiece: (piece: FrameRange) => FrameRange[],
): Promise<EmbeddedPiece[]> {
  const found: EmbeddedPiece[] = [];
  for (const group of pieceRequests(pieces)) {
    const requested = group.map((piece) => ({ piece, excerpts: excerptsOfPiece(piece) }));
    const samples = requested.map(({ piece, excerpts }) =>
      excerpts.map(({ start, end }) => ({
        start: (start - piece.start) * FRAME_SAMPLES,
        end: (end - piece.start) * FRAME_SAMPLES,
      })),
    );
    const { voices, dimensions } = await embed(group, samples);
    let row = 0;
    const next = () => voices.subarray(row * dimensions, ++row * dimensions);
    for (const one of requested) found.push({ ...one, voice: next(), excerptVoices: one.excerpts.map(next) });
  }
  return found;
}

/** @param voices  of `excerpts`, in order @returns the frame at which the voice of the first excerpt ends */
function changeOf(excerpts: readonly FrameRange[], voices: readonly Float32Array[]): number {
  const [first, last] = [voices[0], voices.at(-1)] as [Float32Array, Float32Array];
  const after = voices.findIndex((voice) => dotProduct(voice, last) > dotProduct(voice, first));
  const [before, next] = [excerpts[after - 1], excerpts[after]] as [FrameRange, FrameRange];
  return Math.round((before.start + before.end + next.start + next.end) / 4);
}

const hasVoice = (voice: Float32Array) => voice.some((value) => value !== 0);

function hasTwoPeople({ excerptVoices }: EmbeddedPiece): boolean {
  const [head, tail] = [excerptVoices[0], excerptVoices.at(-1)];
  if (!head || !tail || !hasVoice(head) || !hasVoice(tail)) return false;
  return dotProduct(head, tail) < ONE_VOICE_SIMILARITY;
}

function dividedWhereVoiceChanges({ piece, excerpts, excerptVoices }: EmbeddedPiece): FrameRange[] {
  const change = changeOf(excerpts, excerptVoices);
  return [
    { start: piece.start, end: change },
    { start: change, end: piece.end },
  ];
}

/**
 * @param pieces  in order
 * @returns the same pieces, of which those with two people are divided, with their voices
 */
export async function voicesOfPieces(pieces: readonly FrameRange[], embed: EmbedRanges): Promise<VoicedPieces> {
  const found: EmbeddedPiece[] = [];
  const parts: FrameRange[] = [];
  for (const one of await embedInRequests(pieces, embed, (piece) => (isLong(piece) ? excerptsOf(piece) : []))) {
    if (hasTwoPeople(one)) parts.push(...dividedWhereVoiceChanges(one));
    else found.push(one);
  }
  found.push(...(await embedInRequests(parts, embed, () => [])));
  found.sort((left, right) => left.piece.start - right.piece.start);
  const dimensions = found[0]?.voice.length ?? 1;
  const voices = new Float32Array(found.length * dimensions);
  for (const [row, { voice }] of found.entries()) voices.set(voice, row * dimensions);
  return { pieces: found.map(({ piece }) => piece), voices, dimensions };
}
