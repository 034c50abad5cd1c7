// Finds channels that sound the same, so that each is transcribed once. Lossy codecs store a doubled channel with a
// trace of difference; 40 dB below the signal is far under anything a second speaker would leave.

/** Energy of the difference over the energy of the signal below which two channels are one: -40 dB. */
const SAME_ENERGY_RATIO = 1e-4;

export class ChannelComparison {
  private readonly energy: Float64Array;
  private readonly difference: Float64Array;

  constructor(private readonly channels: number) {
    this.energy = new Float64Array(channels);
    this.difference = new Float64Array(channels * channels);
  }

  /** @param planes  the next samples of each channel, all of one length */
  add(planes: Int16Array[]): void {
    if (this.channels === 1) return;
    for (let channel = 0; channel < this.channels; channel++) {
      const plane = planes[channel] as Int16Array;
      let energy = 0;
      for (let at = 0; at < plane.length; at++) energy += (plane[at] as number) ** 2;
      this.energy[channel] = (this.energy[channel] as number) + energy;
      for (let other = 0; other < channel; other++) {
        const at = channel * this.channels + other;
        this.difference[at] = (this.difference[at] as number) + differenceEnergy(plane, planes[other] as Int16Array);
      }
    }
  }

  /** For each channel, the first one that sounds the same; itself where none does. */
  sameAs(): number[] {
    const same: number[] = [];
    for (let channel = 0; channel < this.channels; channel++) {
      let first = channel;
      for (let other = 0; other < channel && first === channel; other++) {
        const limit = SAME_ENERGY_RATIO * Math.max(this.energy[channel] as number, this.energy[other] as number);
        if (same[other] === other && (this.difference[channel * this.channels + other] as number) <= limit)
          first = other;
      }
      same.push(first);
    }
    return same;
  }
}

function differenceEnergy(left: Int16Array, right: Int16Array): number {
  let energy = 0;
  for (let at = 0; at < left.length; at++) {
    const difference = (left[at] as number) - (right[at] as number);
    energy += difference * difference;
  }
  return energy;
}
