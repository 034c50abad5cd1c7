// The parts of files whose samples lie in one chunk: each recording of a joined file, to the end of its samples. A
// recorder that stops without updating its header leaves lengths that are too small; FFmpeg would leave the rest out.

import type { Steps } from "../../steps.ts";
import { bytesPerFrame, bytesPerSecond } from "../../stream-format.ts";
import type { FilePart, FileParts } from "../file-part.ts";
import { FileBytes } from "./file-bytes.ts";
import { layoutAt, type SoundLayout } from "./sound-layout.ts";
import { metadataAfter, metadataBefore, unknownChunks } from "./trailing-metadata.ts";
import { trueFormat } from "./true-format.ts";
import { otherContent, unusedNote } from "./unused-bytes.ts";

/** Bounds the time for a file that consists of headers. */
const MOST_PARTS = 1_000;
/** Bounds the time for samples that look like headers. */
const MOST_CANDIDATES = 100;
/** Padding of a chunk, and what writers leave out of it. */
const PADDING_BYTES = 8;
const SEARCH_BYTES = 2 ** 20;
/** Beginning of a WAV file behind its length. */
const WAVE_BEGINNING = Buffer.from("WAVEfmt ");
const WAVE_BEGINNING_AT = 8;
/** Programs that write to a pipe state about this length, or more. */
const UNKNOWN_LENGTH_BYTES = 2 ** 31 - 2 ** 17;

interface SoundEnd {
  /** End of the samples. */
  endBytes: number;
  /** Where the next recording of a joined file begins. */
  nextBytes?: number;
  note?: string;
  /** Note that is only needed if FFmpeg does not read the header, which file-clock.ts compares otherwise. */
  truncation?: string;
}

export const staleNote = (declared: number, read: number) =>
  `The file's header states ${declared} bytes of audio, but ${read} bytes follow it; all of them were read`;

export const truncatedNote = (declared: number, held: number) =>
  `The file is truncated: its header states ${declared} bytes of audio, and it holds ${held}`;

/** @returns position of a further WAV file, as in piped recordings that were joined; undefined if there is none */
function* joinedAt(file: FileBytes, from: number): Steps<number | undefined> {
  const overlap = WAVE_BEGINNING.length - 1;
  let candidates = 0;
  for (let start = from + WAVE_BEGINNING_AT; start < file.sizeBytes; start += SEARCH_BYTES) {
    const bytes = file.read(start, SEARCH_BYTES + overlap);
    for (let at = bytes.indexOf(WAVE_BEGINNING); at >= 0; at = bytes.indexOf(WAVE_BEGINNING, at + 1)) {
      if (++candidates > MOST_CANDIDATES) return undefined;
      const magicBytes = start + at - WAVE_BEGINNING_AT;
      if (layoutAt(file, magicBytes)) return magicBytes;
    }
    yield 0;
  }
  return undefined;
}

/** The end of samples that reach to the end of the file, or to the next recording. */
function* openEnd(file: FileBytes, from: number, { format, grammar }: SoundLayout): Steps<SoundEnd> {
  const nextBytes = format === "wav" ? yield* joinedAt(file, from) : undefined;
  if (nextBytes !== undefined) return { endBytes: nextBytes, nextBytes };
  return { endBytes: yield* metadataBefore(file, from, grammar) };
}

/** What follows the samples according to the header. */
function* soundEnd(file: FileBytes, layout: SoundLayout): Steps<SoundEnd> {
  const { soundBytes, declaredBytes = 0, grammar, formEndBytes, coding } = layout;
  const declaredEnd = soundBytes + declaredBytes;
  if (declaredBytes === 0) return yield* openEnd(file, soundBytes, layout);
  if (declaredEnd > file.sizeBytes) {
    const end = yield* openEnd(file, soundBytes, layout);
    if (declaredBytes >= UNKNOWN_LENGTH_BYTES) return end;
    const note = truncatedNote(declaredBytes, end.endBytes - soundBytes);
    return layout.statesDuration ? { ...end, truncation: note } : { ...end, note };
  }
  const padding = grammar ? (grammar.alignment - (declaredBytes % grammar.alignment)) % grammar.alignment : 0;
  // Some writers omit the padding.
  const [padded, bare] = [declaredEnd + padding, declaredEnd].map((from) => metadataAfter(file, from, grammar)) as [
    number,
    number,
  ];
  const from = bare > declaredEnd ? Math.max(padded, bare) : padded;
  if (file.sizeBytes - from < PADDING_BYTES) return { endBytes: declaredEnd };
  for (const nextBytes of [from, declaredEnd, formEndBytes ?? from]) {
    if (nextBytes >= declaredEnd && layoutAt(file, nextBytes)) return { endBytes: declaredEnd, nextBytes };
  }
  const hasMetadata = from > declaredEnd + padding;
  const unknown = grammar && unknownChunks(file, from, grammar);
  const other = unknown ?? (hasMetadata ? "data behind the metadata" : yield* otherContent(file, declaredEnd, coding));
  if (other !== undefined) return { endBytes: declaredEnd, note: unusedNote(from, file.sizeBytes, other) };
  const end = yield* openEnd(file, declaredEnd, layout);
  return { ...end, note: staleNote(declaredBytes, end.endBytes - soundBytes) };
}

/** The part as FFmpeg reads it. */
function partOf({ format, startBytes, soundBytes, declaredBytes, ...layout }: SoundLayout, end: SoundEnd): FilePart {
  const lengthBytes = end.endBytes - soundBytes;
  const replacement = layout.replacement?.(lengthBytes);
  if (replacement) return replacement;
  const part = { format, startBytes, endBytes: end.nextBytes ?? end.endBytes };
  // A right header needs no patch, except that FFmpeg ignores the length in AU files.
  const isRight = lengthBytes === declaredBytes && format !== "au";
  const { corrections = [] } = layout;
  if (isRight) return corrections.length === 0 ? part : { ...part, patches: corrections };
  return { ...part, endBytes: end.endBytes, patches: [...corrections, ...layout.patches(lengthBytes)] };
}

/** @param startSeconds  time of the recording in the file, if it is known */
function* foundFormat(
  file: FileBytes,
  layout: SoundLayout,
  { endBytes, ...end }: SoundEnd,
  startSeconds: number | undefined,
) {
  const { stated, soundBytes, declaredBytes } = layout;
  if (!stated) return undefined;
  const lengthBytes = endBytes - soundBytes;
  // A copy that lost a byte lacks a few.
  const isComplete =
    declaredBytes !== undefined &&
    declaredBytes < UNKNOWN_LENGTH_BYTES &&
    (Math.abs(declaredBytes - lengthBytes) < bytesPerFrame(stated) || (end.note ?? end.truncation) === undefined);
  return yield* trueFormat(file, { soundBytes, lengthBytes, stated, isComplete, startSeconds });
}

/** Time at which a recording of the file ends; undefined if the length of its frames is not known. */
function endSeconds({ stated, soundBytes }: SoundLayout, { endBytes }: SoundEnd, startSeconds: number | undefined) {
  if (!stated || startSeconds === undefined) return undefined;
  return startSeconds + (endBytes - soundBytes) / bytesPerSecond(stated);
}

/** @returns the recordings of the file in order; none if its format is another one */
export function* soundParts(path: string): Steps<FileParts> {
  const file = new FileBytes(path);
  const parts: FilePart[] = [];
  const notes = new Set<string>();
  let startSeconds: number | undefined = 0;
  try {
    for (let from: number | undefined = 0; from !== undefined && parts.length < MOST_PARTS; ) {
      const layout = layoutAt(file, from);
      if (!layout || layout.soundBytes > file.sizeBytes) {
        if (from > 0) notes.add(unusedNote(from, file.sizeBytes, "a recording without samples"));
        break;
      }
      const end: SoundEnd = yield* soundEnd(file, layout);
      const found = yield* foundFormat(file, layout, end, startSeconds);
      parts.push(...(found?.parts ?? [partOf(layout, end)]));
      for (const note of found?.notes ?? []) notes.add(note);
      const note = end.note ?? (found?.parts ? end.truncation : undefined);
      if (note !== undefined) notes.add(note);
      startSeconds = endSeconds(layout, end, startSeconds);
      from = end.nextBytes;
      yield 0;
    }
    const last = parts.at(-1)?.endBytes ?? 0;
    if (parts.length === MOST_PARTS) notes.add(unusedNote(last, file.sizeBytes, `more than ${MOST_PARTS} recordings`));
    return { parts, notes: [...notes] };
  } finally {
    file.close();
  }
}
