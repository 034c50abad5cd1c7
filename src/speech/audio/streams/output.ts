// Makes one stream of 16-bit samples from what the decoder returns: the rate and the number of channels of its first samples stay.
import { countedChannels as counted, mixedSamples, mixingNote } from "../mixing.ts";
import { Resampler } from "../resample.ts";
import type { Decoded } from "./packet-decoder.ts";

const FULL_SCALE = 32_768;
const LEAST_RATE = 8_000;
const MOST_RATE = 48_000;
/** Different notes of one stream. */
const MOST_NOTES = 8;

/** Rate and channels of the samples. */
export interface OutputFormat {
  sampleRate: number;
  channels: number;
}

function interleaved(channels: readonly Float32Array[]): Buffer {
  const count = channels[0]?.length ?? 0;
  const step = channels.length;
  const integers = new Int16Array(count * step);
  for (const [channel, samples] of channels.entries()) {
    for (let index = 0, at = channel; index < count; index++, at += step) {
      const value = Math.round((samples[index] as number) * FULL_SCALE);
      // NaN, of damaged frames, becomes silence.
      integers[at] = value > FULL_SCALE - 1 ? FULL_SCALE - 1 : value < -FULL_SCALE ? -FULL_SCALE : value;
    }
  }
  return Buffer.from(integers.buffer);
}

function channelsOf(samples: Int16Array | Float32Array[], count: number): Float32Array[] {
  if (!(samples instanceof Int16Array)) return samples;
  return Array.from({ length: count }, (_, channel) => {
    const own = new Float32Array(samples.length / count);
    for (let index = 0, at = channel; index < own.length; index++, at += count)
      own[index] = (samples[at] as number) / FULL_SCALE;
    return own;
  });
}

/** One channel is copied to all, and several become one; otherwise channels are left out or silent. */
function mixed(channels: readonly Float32Array[], count: number): readonly Float32Array[] {
  const [first] = channels;
  if (channels.length === count || !first) return channels;
  if (channels.length === 1) return Array.from({ length: count }, () => first);
  if (count > 1) return Array.from({ length: count }, (_, at) => channels[at] ?? new Float32Array(first.length));
  return [mixedSamples(channels)];
}

export class Output {
  private format: OutputFormat | undefined;
  private resamplers: Resampler[] = [];
  private rate = 0;
  private readonly found: string[] = [];

  /**
   * @param mixes  whether a stream of more channels becomes one channel
   * @param fixedRate  of all samples; without it, that of the first ones
   */
  constructor(
    private readonly declaredChannels: number,
    private readonly mixes: boolean,
    private readonly fixedRate?: number,
  ) {}

  /** Of the samples so far; undefined before the first. */
  get known(): OutputFormat | undefined {
    return this.format;
  }

  /** Changes within the stream, a sentence each. */
  get notes(): readonly string[] {
    return this.found;
  }

  /** @returns samples, or why the stream is refused */
  add({ sampleRate, channels, samples }: Decoded): Buffer | { refused: string } {
    if (!this.format) {
      const refused = this.problemOf(sampleRate, channels);
      if (refused !== undefined) return { refused };
      this.format = { sampleRate: this.fixedRate ?? sampleRate, channels: this.declaredChannels };
      this.rate = this.format.sampleRate;
    }
    const { format } = this;
    if (this.mixes && channels > 1) this.note(mixingNote(channels));
    else if (channels !== format.channels) {
      this.note(
        `the stream changes from ${counted(format.channels)} to ${counted(channels)}; it is mixed to ${counted(format.channels)}`,
      );
    }
    const isUnchanged = sampleRate === format.sampleRate && this.rate === sampleRate;
    if (isUnchanged && channels === format.channels && samples instanceof Int16Array)
      return Buffer.from(samples.buffer);
    const own = mixed(channelsOf(samples, channels), format.channels);
    if (isUnchanged) return interleaved(own);
    return interleaved(this.resampled(own, sampleRate, format));
  }

  /** The next decoder begins: what was held back of the previous one. */
  flush(): Buffer {
    const rest = this.resamplers.map((resampler) => resampler.flush());
    this.resamplers = [];
    this.rate = this.format?.sampleRate ?? 0;
    return interleaved(rest);
  }

  private resampled(channels: readonly Float32Array[], sampleRate: number, format: OutputFormat): Float32Array[] {
    const pieces = channels.map((): Float32Array[] => []);
    if (this.rate !== sampleRate) {
      for (const [at, resampler] of this.resamplers.entries()) pieces[at]?.push(resampler.flush());
      this.resamplers =
        sampleRate === format.sampleRate ? [] : channels.map(() => new Resampler(sampleRate, format.sampleRate));
      this.rate = sampleRate;
      if (this.fixedRate === undefined) {
        this.note(
          `the sampling rate of the stream changes from ${format.sampleRate} to ${sampleRate} Hz; it is converted`,
        );
      }
    }
    return channels.map((samples, at) => {
      const all = [...(pieces[at] ?? []), this.resamplers[at]?.push(samples) ?? samples];
      const joined = new Float32Array(all.reduce((sum, { length }) => sum + length, 0));
      let place = 0;
      for (const piece of all) {
        joined.set(piece, place);
        place += piece.length;
      }
      return joined;
    });
  }

  private note(sentence: string): void {
    if (!this.found.includes(sentence) && this.found.length < MOST_NOTES) this.found.push(sentence);
  }

  private problemOf(sampleRate: number, channels: number): string | undefined {
    if (channels !== this.declaredChannels && !this.mixes) {
      const declared = counted(this.declaredChannels);
      return `the stream has ${counted(channels)}, the session was created with ${declared}; create it with channels: ${channels}`;
    }
    if (sampleRate >= LEAST_RATE && sampleRate <= MOST_RATE) return undefined;
    return `the stream has a sampling rate of ${sampleRate} Hz; ${LEAST_RATE} to ${MOST_RATE} Hz are possible`;
  }
}
