// Decides for each frame whether a channel contains a near voice, or only a leak from another channel. It learns the power that a leak
// leaves after the subtraction, and its reverberation, in bands of the spectrum. A near voice exceeds both.
import { HERTZ_PER_BIN, type Spectrum } from "./blocks.ts";

/** 20 bands of 190 Hz, 250 Hz to 4 kHz. */
const BANDS = 20;
const BAND_BINS = 12;
const FIRST = Math.round(250 / HERTZ_PER_BIN);
/** At first, a leak explains as much as its estimate. */
const FIRST_REMAINDER = 1;
const FIRST_LATE_REMAINDER = 0.01;
/** A voice beside the leak must not count as what remains of it. */
const MOST_REMAINDER = 0.5;
const MOST_LATE_REMAINDER = 0.05;
/** The remainders rise more slowly while the channel has a voice of its own. */
const [RISE, RISE_BESIDE_VOICE, FALL] = [0.1, 0.003, 0.1];
/** Decay from frame to frame: 60 dB in 0.9 s, and in 6 s. */
const [TAIL, LATE_TAIL] = [0.6, 0.93];
/** Reverberation counts as late from this share of what caused it on. */
const LATE_SHARE = 0.1;
/** Sound of the channel itself exceeds this multiple of what the leak and the background explain: 6 dB. */
const OWN = 4;
/** Frames with at least this share of such bands continue a voice. */
const OWN_SHARE = 0.15;
/** The shares are added up with this decay. */
const MEMORY = 0.85;
/** A voice begins at this sum: two to five frames of speech. */
const BEGIN = 0.8;
/** A voice has ended after this many frames without sound of its own: 0.32 s. */
const END_FRAMES = 10;

export interface LeakFrame {
  /** Spectra of the channel without the estimated leak, and of the estimate. */
  rest: Spectrum;
  estimate: Spectrum;
  /** Power of the channel's background in every bin of such a spectrum. */
  backgroundOf(bin: number): number;
  /** Whether the source of the leak is louder than the channel. */
  isSourceLouder: boolean;
}

export class NearVoice {
  private readonly remainder = new Float32Array(BANDS).fill(FIRST_REMAINDER);
  private readonly lateRemainder = new Float32Array(BANDS).fill(FIRST_LATE_REMAINDER);
  private readonly tail = new Float32Array(BANDS);
  private readonly lateTail = new Float32Array(BANDS);
  private evidence = 0;
  private quietFrames = 0;

  /** @param isPresent  whether the channel has a voice of its own */
  constructor(public isPresent: boolean) {}

  copy(): NearVoice {
    const copy = new NearVoice(this.isPresent);
    copy.remainder.set(this.remainder);
    copy.lateRemainder.set(this.lateRemainder);
    copy.tail.set(this.tail);
    copy.lateTail.set(this.lateTail);
    copy.evidence = this.evidence;
    copy.quietFrames = this.quietFrames;
    return copy;
  }

  /** Adds a frame, and updates `isPresent`. */
  add(frame: LeakFrame): void {
    let own = 0;
    for (let band = 0; band < BANDS; band++) if (this.isOwn(band, frame)) own++;
    const share = own / BANDS;
    this.evidence = MEMORY * this.evidence + share;
    this.quietFrames = share > OWN_SHARE ? 0 : this.quietFrames + 1;
    if (this.isPresent) this.isPresent = this.quietFrames < END_FRAMES;
    else if (this.evidence > BEGIN) {
      this.isPresent = true;
      this.quietFrames = 0;
    }
  }

  /** Whether a band has sound that the leak does not explain. Learns what the leak explains. */
  private isOwn(band: number, { rest, estimate, backgroundOf, isSourceLouder }: LeakFrame): boolean {
    let [left, power, floor] = [0, 0, 0];
    for (let bin = FIRST + band * BAND_BINS; bin < FIRST + (band + 1) * BAND_BINS; bin++) {
      left += (rest.real[bin] as number) ** 2 + (rest.imaginary[bin] as number) ** 2;
      power += (estimate.real[bin] as number) ** 2 + (estimate.imaginary[bin] as number) ** 2;
      floor += backgroundOf(bin);
    }
    const tail = Math.max(power, TAIL * (this.tail[band] as number));
    const late = Math.max(tail, LATE_TAIL * (this.lateTail[band] as number));
    this.tail[band] = tail;
    this.lateTail[band] = late;
    const explained = (this.remainder[band] as number) * tail + (this.lateRemainder[band] as number) * late + floor;
    const above = Math.max(0, left - floor);
    if (isSourceLouder && tail > floor) this.learn(this.remainder, band, Math.min(MOST_REMAINDER, above / tail));
    if (tail < LATE_SHARE * late) this.learn(this.lateRemainder, band, Math.min(MOST_LATE_REMAINDER, above / late));
    return left > OWN * explained;
  }

  private learn(remainders: Float32Array, band: number, now: number): void {
    const before = remainders[band] as number;
    const rise = this.isPresent ? RISE_BESIDE_VOICE : RISE;
    remainders[band] = before + (now < before ? FALL : rise) * (now - before);
  }
}
