/** The same samples with silence behind them. @param length  samples, at least as many as there are */
export function padded(samples: Float32Array, length: number): Float32Array {
  const longer = new Float32Array(length);
  longer.set(samples);
  return longer;
}

/** The samples between two silences. @param before @param behind  samples @param shortest  length of the whole at least */
export function between(samples: Float32Array, before: number, behind: number, shortest: number): Float32Array {
  const longer = new Float32Array(Math.max(shortest, before + samples.length + behind));
  longer.set(samples, before);
  return longer;
}
