// Judges bytes behind the declared end of the samples: further samples of a recording whose header is out of date, or
// something else.
import { isText } from "../../container-format.ts";
import type { Steps } from "../../steps.ts";
import { documentOf } from "../documents.ts";
import type { FileBytes } from "./file-bytes.ts";
import type { SampleCoding } from "./wave-format.ts";

/** Note about bytes that are not used. @param reason  ends the sentence */
export const unusedNote = (from: number, end: number, reason: string) =>
  `${end - from} bytes of the file, from byte ${from} on, were not used: ${reason}`;

const EXAMINED_BYTES = 65_536;
const SEARCH_BYTES = 2 ** 20;
/** Fewer samples than a frame of the recogniser (32 ms at 16 kHz) are too few to judge, and hold no word. */
const LEAST_SAMPLES = 512;
const EXAMINED_TEXT_BYTES = 1_024;
/**
 * Bits of entropy by which the most significant bytes of samples stay below those of random bytes. Speech and music stay
 * below by a bit or more, noise at 6 dB below full scale by 0.3.
 */
const LEAST_ORDER_BITS = 0.1;

/** Shannon entropy of bytes, with the expected shortfall of a small sample added (Miller & Madow 1955). */
function entropyBits(bytes: Uint8Array): number {
  const counts = new Uint32Array(256);
  for (const byte of bytes) counts[byte] = (counts[byte] as number) + 1;
  let bits = 0;
  let values = 0;
  for (const count of counts) {
    if (count === 0) continue;
    values++;
    const share = count / bytes.length;
    bits -= share * Math.log2(share);
  }
  return bits + (values - 1) / (2 * bytes.length * Math.LN2);
}

function significantBytes(bytes: Buffer, { sampleBytes, significantByte }: SampleCoding): Uint8Array {
  const count = Math.floor(bytes.length / sampleBytes);
  return Uint8Array.from({ length: count }, (_, index) => bytes[index * sampleBytes + significantByte] as number);
}

/** Whether bytes are as random as encrypted or compressed ones. */
export const isRandom = (bytes: Uint8Array) =>
  bytes.length >= LEAST_SAMPLES && entropyBits(bytes) > Math.log2(256) - LEAST_ORDER_BITS;

/** @returns position of the first byte that differs from the one at `from`; the file's size if there is none */
function* endOfEqualBytes(file: FileBytes, from: number): Steps<number> {
  const [first] = file.read(from, 1);
  for (let start = from; start < file.sizeBytes; start += SEARCH_BYTES) {
    const at = file.read(start, SEARCH_BYTES).findIndex((byte) => byte !== first);
    if (at >= 0) return start + at;
    yield 0;
  }
  return file.sizeBytes;
}

/**
 * @param from  first byte behind the declared end
 * @param coding  undefined for compressed samples, which look random
 * @returns what the bytes are instead of samples; undefined for samples
 */
export function* otherContent(
  file: FileBytes,
  from: number,
  coding: SampleCoding | undefined,
): Steps<string | undefined> {
  let bytes = file.read(from, EXAMINED_BYTES);
  const [first] = bytes;
  const document = documentOf(bytes.subarray(0, EXAMINED_TEXT_BYTES));
  if (document !== undefined) return document;
  if (isText(bytes.subarray(0, EXAMINED_TEXT_BYTES))) return "text";
  if (bytes.every((byte) => byte === first)) {
    const end = yield* endOfEqualBytes(file, from);
    if (!coding || end >= file.sizeBytes) return "padding";
    // Digital silence, or padding before something else: what follows it decides.
    bytes = file.read(end - ((end - from) % coding.sampleBytes), EXAMINED_BYTES);
  }
  if (!coding) return undefined;
  if (bytes.length < LEAST_SAMPLES * coding.sampleBytes) return "too few samples for speech";
  return isRandom(significantBytes(bytes, coding)) ? "not samples of the encoding that the header states" : undefined;
}
