/** @param samples  in -1 to 1 @returns their mean square */
export function powerOf(samples: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < samples.length; at++) sum += (samples[at] as number) ** 2;
  return sum / samples.length;
}
