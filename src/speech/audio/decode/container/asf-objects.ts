// Objects in the header of Windows Media files (Advanced Systems Format, 2.1 and 3.1).
import type { FileBytes } from "./file-bytes.ts";

/** @param id  a GUID in the order of its bytes, in hexadecimal digits */
export const asfId = (id: string): Buffer => Buffer.from(id.replaceAll(" ", ""), "hex");

export const ASF_HEADER_BYTES = 30;
/** The id of an object and its length, which precede its content. */
export const ASF_OBJECT_BYTES = 24;
const LENGTH_AT = 16;
const MOST_OBJECTS = 1_024;

/** @param object  at least the first bytes of one @returns its length by its own statement */
export const asfLength = (object: Buffer): number => Number(object.readBigUInt64LE(LENGTH_AT));

export const isAsfObject = (object: Buffer, id: Buffer): boolean => id.equals(object.subarray(0, id.length));

/**
 * Reads the objects of a header in order, a bounded number of them.
 * @param headerBytes  end of the header
 * @param readBytes    of each object, at least ASF_OBJECT_BYTES; the last one of a cut file may have fewer
 */
export function* asfHeaderObjects(file: FileBytes, headerBytes: number, readBytes: number): Generator<Buffer> {
  const end = Math.min(headerBytes, file.sizeBytes);
  for (let at = ASF_HEADER_BYTES, count = 0; at < end && count < MOST_OBJECTS; count++) {
    const object = file.read(at, readBytes);
    if (object.length < ASF_OBJECT_BYTES) return;
    yield object;
    at += Math.max(ASF_OBJECT_BYTES, asfLength(object));
  }
}
