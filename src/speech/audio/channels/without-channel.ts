// Subtracts one channel from another, with gain and delay. Common sound is cancelled; speech of one channel remains.
// Pure.

/** Taps on each side of the fractional delay filter. */
export const DELAY_REACH_SAMPLES = 8;
/** The remainder is scaled to a usual speech level: voice activity detection misses very quiet voices. */
const LEVEL = 0.05;
const MOST_GAIN = 1_000;

/** Sinc with a Hann window. @param fraction  of a sample, 0 to 1 */
function delayTaps(fraction: number): Float64Array {
  return Float64Array.from({ length: 2 * DELAY_REACH_SAMPLES }, (_, tap) => {
    const at = tap - DELAY_REACH_SAMPLES + 1 - fraction;
    const window = 0.5 + 0.5 * Math.cos((Math.PI * at) / DELAY_REACH_SAMPLES);
    return at === 0 ? 1 : (window * Math.sin(Math.PI * at)) / (Math.PI * at);
  });
}

/**
 * @param other  samples of the other channel
 * @param relation  estimates `samples` from `other`: gain (below 0: inverted) and delay
 * @returns the difference, scaled to a usual speech level
 */
export function withoutChannel(
  samples: Float32Array,
  other: Float32Array,
  { gain, delaySamples }: { gain: number; delaySamples: number },
): Float32Array {
  const whole = Math.floor(-delaySamples);
  const fraction = -delaySamples - whole;
  const taps = delayTaps(fraction);
  const first = whole - DELAY_REACH_SAMPLES + 1;
  const rest = new Float32Array(samples.length);
  let energy = 0;
  for (let at = 0; at < samples.length; at++) {
    let value = samples[at] as number;
    if (fraction === 0) value -= gain * (other[at + whole] ?? 0);
    else {
      let delayed = 0;
      for (let tap = 0; tap < taps.length; tap++) delayed += (taps[tap] as number) * (other[at + first + tap] ?? 0);
      value -= gain * delayed;
    }
    rest[at] = value;
    energy += value * value;
  }
  const level = Math.min(MOST_GAIN, LEVEL / Math.sqrt(energy / Math.max(1, rest.length)));
  return Number.isFinite(level) ? rest.map((value) => value * level) : rest;
}
