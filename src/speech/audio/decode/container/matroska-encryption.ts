// Encrypted tracks of WebM and Matroska files (RFC 9559; WebM Encryption).
import type { FileBytes } from "./file-bytes.ts";

const SEGMENT = 0x18538067;
const TRACKS = 0x1654ae6b;
const CLUSTER = 0x1f43b675;
const TRACK_ENTRY = 0xae;
const TRACK_TYPE = 0x83;
const AUDIO = 2;
const ENCODINGS = 0x6d80;
const ENCODING = 0x6240;
const ENCODING_TYPE = 0x5033;
const ENCRYPTION = 0x5035;
const ENCRYPTED = 1;
/** Bounds the time for a file that consists of elements. */
const MOST_ELEMENTS = 10_000;
const MOST_ID_BYTES = 4;
const MOST_LENGTH_BYTES = 8;

interface Element {
  id: number;
  contentBytes: number;
  endBytes: number;
}

function* elementsIn(file: FileBytes, from: number, end: number): Generator<Element> {
  for (let at = from, count = 0; at < end && count < MOST_ELEMENTS; count++) {
    const header = file.read(at, MOST_ID_BYTES + MOST_LENGTH_BYTES);
    const idBytes = Math.clz32(header[0] ?? 0) - 23;
    const lengthBytes = Math.clz32(header[idBytes] ?? 0) - 23;
    if (idBytes > MOST_ID_BYTES || lengthBytes > MOST_LENGTH_BYTES || header.length < idBytes + lengthBytes) return;
    let length = (header[idBytes] as number) & (0xff >> lengthBytes);
    let isUnknown = length === 0xff >> lengthBytes;
    for (const byte of header.subarray(idBytes + 1, idBytes + lengthBytes)) {
      length = length * 256 + byte;
      isUnknown &&= byte === 0xff;
    }
    const contentBytes = at + idBytes + lengthBytes;
    const endBytes = isUnknown ? end : Math.min(end, contentBytes + length);
    yield { id: header.readUIntBE(0, idBytes), contentBytes, endBytes };
    at = isUnknown ? end : contentBytes + length;
  }
}

function children(file: FileBytes, { contentBytes, endBytes }: Element, id: number): Element[] {
  return [...elementsIn(file, contentBytes, endBytes)].filter((element) => element.id === id);
}

/** @param absent  value of an element that is absent */
function numberOf(file: FileBytes, parent: Element, id: number, absent: number): number {
  const [element] = children(file, parent, id);
  const bytes = element && file.read(element.contentBytes, Math.min(4, element.endBytes - element.contentBytes));
  return bytes && bytes.length > 0 ? bytes.readUIntBE(0, bytes.length) : absent;
}

function isEncrypted(file: FileBytes, entry: Element): boolean {
  return children(file, entry, ENCODINGS)
    .flatMap((encodings) => children(file, encodings, ENCODING))
    .some(
      (encoding) =>
        numberOf(file, encoding, ENCODING_TYPE, 0) === ENCRYPTED || children(file, encoding, ENCRYPTION).length > 0,
    );
}

/** @param track  number among the audio tracks @returns the scheme of an encrypted track */
export function matroskaEncryption(file: FileBytes, track: number): string | undefined {
  for (const segment of elementsIn(file, 0, file.sizeBytes)) {
    if (segment.id !== SEGMENT) continue;
    for (const element of elementsIn(file, segment.contentBytes, segment.endBytes)) {
      if (element.id === CLUSTER) return undefined;
      if (element.id !== TRACKS) continue;
      const audio = children(file, element, TRACK_ENTRY).filter(
        (entry) => numberOf(file, entry, TRACK_TYPE, 0) === AUDIO,
      );
      const entry = audio[track];
      return entry && isEncrypted(file, entry) ? "WebM Encryption" : undefined;
    }
  }
  return undefined;
}
