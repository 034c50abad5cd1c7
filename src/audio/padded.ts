/** The same samples with silence behind them. @param length  samples, at least as many as there are */
export function padded(samples: Float32Array, length: number): Float32Array {
  const longer = new Float32Array(length);
  longer.set(samples);
  return longer;
}
