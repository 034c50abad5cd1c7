/**
 * Level of each frame.
 * @param samplesPerFrame  of the encoder
 * @returns decibels relative to full scale, one per frame
 */
export function frameEnergies(samples: Float32Array, frames: number, samplesPerFrame: number): Float32Array {
  const energies = new Float32Array(frames);
  for (let frame = 0; frame < frames; frame++) {
    let sum = 1e-10;
    const end = Math.min(samples.length, (frame + 1) * samplesPerFrame);
    for (let at = frame * samplesPerFrame; at < end; at++) sum += (samples[at] as number) ** 2;
    energies[frame] = 10 * Math.log10(sum / samplesPerFrame);
  }
  return energies;
}
