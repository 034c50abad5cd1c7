// What the speakers stage passes to the clustering process, as lines of JSON: windows of local speakers, and voices of pieces.
import { knownPieces } from "./known-pieces.ts";
import type { KnownPerson } from "./known-voices.ts";
import { diarizeWindows, type SpeakerBounds, type SpeakerTurn } from "./network-diarization.ts";
import { packFloats, unpackFloats } from "./packed-floats.ts";
import { type FrameRange, type VoicedPieces, WindowedSpeakers } from "./pieces.ts";
import type { LocalWindows } from "./speaker-networks.ts";

/** Consecutive windows; `frames` in base64. */
export interface WindowsLine {
  kind: "windows";
  channel: number;
  first: number;
  /** 1 in lines of earlier versions, which have none. */
  stride?: number;
  frames: string;
}

/** Pieces with their voices; `voices` are packed floats. */
export interface PiecesLine {
  kind: "pieces";
  channel: number;
  dimensions: number;
  pieces: FrameRange[];
  voices: string;
}

export type SpeakerLine = WindowsLine | PiecesLine;

export const isSpeakerLine = (line: object): line is SpeakerLine => "kind" in line;

export function windowsLine(channel: number, { first, stride = 1, frames }: LocalWindows): WindowsLine {
  return { kind: "windows", channel, first, stride, frames: Buffer.from(frames).toString("base64") };
}

export function piecesLine(channel: number, { pieces, voices, dimensions }: VoicedPieces): PiecesLine {
  return { kind: "pieces", channel, dimensions, pieces: [...pieces], voices: packFloats(voices) };
}

/** Speakers of one channel; times in stored seconds. @param people  whose voices are known */
export function diarizeLines(
  lines: readonly SpeakerLine[],
  channel: number,
  bounds: SpeakerBounds,
  people: readonly KnownPerson[] = [],
): SpeakerTurn[] {
  const own = lines.filter((line) => line.channel === channel);
  const blocks = own.flatMap((line) =>
    line.kind === "windows"
      ? [{ first: line.first, stride: line.stride ?? 1, frames: new Uint8Array(Buffer.from(line.frames, "base64")) }]
      : [],
  );
  const voiced = own
    .filter((line) => line.kind === "pieces")
    .sort((left, right) => (left.pieces[0]?.start ?? 0) - (right.pieces[0]?.start ?? 0));
  const pieces = {
    pieces: voiced.flatMap(({ pieces }) => pieces),
    voices: unpackFloats(voiced.map(({ voices }) => voices)),
    dimensions: voiced[0]?.dimensions ?? 1,
  };
  return diarizeWindows(new WindowedSpeakers(blocks), pieces, bounds, knownPieces(pieces, people));
}

/** Every piece that has a voice. */
export function printsOf(lines: readonly SpeakerLine[]): { channel: number; piece: FrameRange; print: Float32Array }[] {
  return lines.flatMap((line) => {
    if (line.kind !== "pieces") return [];
    const { channel, dimensions, pieces } = line;
    const rows = unpackFloats([line.voices]);
    return pieces
      .map((piece, at) => ({ channel, piece, print: rows.subarray(at * dimensions, (at + 1) * dimensions) }))
      .filter(({ print }) => print.some((value) => value !== 0));
  });
}
