// Validates the answers of the process that decodes live streams: it has processed untrusted bytes.
import { isCount, isText, refuse } from "../decode/answer-checks.ts";
import type { DecodedPart, LostBytes, StreamResponse } from "./message.ts";

const MOST_SAMPLE_BYTES = 32_000_000;
const MOST_RATE = 48_000;
const MOST_CHANNELS = 8;
const MOST_LIST = 1_000_000;
const MOST_TEXT = 1_000;
const MOST_NOTES = 32;

const isPosition = (value: unknown): value is number => isCount(value, Number.MAX_SAFE_INTEGER, 0);

function isLost(value: unknown): value is LostBytes {
  const { from, end, bytes } = (value ?? {}) as Partial<LostBytes>;
  return isPosition(from) && isPosition(end) && isPosition(bytes) && from <= end;
}

function listOf<Item>(value: unknown, isItem: (item: unknown) => item is Item, most = MOST_LIST): Item[] {
  return Array.isArray(value) && value.length <= most && value.every(isItem) ? value : refuse("an impossible list");
}

/** @throws process.failed */
export function streamAnswer(given: StreamResponse, channels: number): DecodedPart | "unknown" {
  if (given?.kind === "unknown") return "unknown";
  if (given?.kind !== "decoded") return refuse("something else than samples");
  const { samples, format, refused } = given;
  if (!(samples instanceof Uint8Array) || samples.length > MOST_SAMPLE_BYTES) return refuse("impossible samples");
  if (format && (!isCount(format.sampleRate, MOST_RATE) || !isCount(format.channels, MOST_CHANNELS)))
    return refuse("an impossible format");
  if (samples.length > 0 && (format?.channels !== channels || samples.length % (2 * channels) !== 0))
    return refuse("samples of other channels");
  if (refused !== undefined && !isText(refused, MOST_TEXT)) return refuse("an impossible reason");
  const isNote = (note: unknown): note is string => isText(note, MOST_TEXT);
  return {
    kind: "decoded",
    samples,
    ...(format ? { format: { sampleRate: format.sampleRate, channels: format.channels } } : {}),
    marks: listOf(given.marks, isPosition),
    lost: listOf(given.lost, isLost),
    notes: listOf(given.notes, isNote, MOST_NOTES),
    ...(isPosition(given.clock) ? { clock: given.clock } : {}),
    ...(refused === undefined ? {} : { refused }),
    hasMore: given.hasMore === true,
  };
}
