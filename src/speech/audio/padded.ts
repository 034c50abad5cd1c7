/** Appends silence. @param length  in samples, at least that of the input */
export function padded(samples: Float32Array, length: number): Float32Array {
  const longer = new Float32Array(length);
  longer.set(samples);
  return longer;
}
