// 32-bit floats as text: little-endian, in base64.

export const packFloats = (values: Float32Array): string =>
  Buffer.from(values.buffer, values.byteOffset, values.byteLength).toString("base64");

/** @returns the values of all texts, one after another */
export function unpackFloats(texts: readonly string[]): Float32Array {
  const bytes = Buffer.concat(texts.map((text) => Buffer.from(text, "base64")));
  return Float32Array.from({ length: Math.floor(bytes.length / 4) }, (_, at) => bytes.readFloatLE(at * 4));
}
