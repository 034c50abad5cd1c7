// Samples of clients of the Wyoming protocol, in the format of their session. Every event states its own format: one that differs from
// that of the session is converted. Channels are averaged: microphones of one device carry the same speech.
import { SAMPLE_RATES } from "../../../../contract/live.ts";
import { errors } from "../../../../platform/errors.ts";
import { Resampler } from "../../../../speech/audio/resample.ts";
import { bytesPerFrame, decodeFrames, type StreamFormat } from "../../../../speech/audio/stream-format.ts";
import { shown } from "./framing.ts";

/** The client's format. `width`: bytes of a sample; one of 1 byte is unsigned. */
export interface SampleFormat {
  rate: number;
  width: number;
  channels: number;
}

/** Each has a filter of at most 640 phases; the filter of an arbitrary rate could have 16,000. */
const RATES = [
  8_000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 64_000, 88_200, 96_000, 176_400, 192_000,
];
const WIDTHS = [1, 2, 3, 4];
const CHANNELS = [1, 2, 3, 4, 5, 6, 7, 8];
const SESSION_RATE = 16_000;
const BYTE_BITS = 8;
const SESSION_WIDTH = 2;

/**
 * @param data     of an event
 * @param earlier  format of an earlier event, whose values apply where this one states none
 * @throws live.wyoming_event naming every bad value
 */
export function formatIn(data: Readonly<Record<string, unknown>>, earlier?: SampleFormat): SampleFormat {
  const problems: string[] = [];
  const read = (name: keyof SampleFormat, allowed: readonly number[]): number => {
    const value = data[name] ?? earlier?.[name];
    if (typeof value === "number" && allowed.includes(value)) return value;
    const given = value === undefined ? "is missing" : `is ${shown(value)}`;
    problems.push(`${name} must be one of ${allowed.join(", ")}; it ${given}`);
    return 0;
  };
  const format = { rate: read("rate", RATES), width: read("width", WIDTHS), channels: read("channels", CHANNELS) };
  if (problems.length > 0) throw errors.wyomingEventRefused(problems.join("; "));
  return format;
}

const streamFormat = ({ rate, width, channels }: SampleFormat): StreamFormat => ({
  encoding: "wav/pcm",
  bitDepth: width * BYTE_BITS,
  sampleRate: rate,
  channels,
});

const isSame = (left: SampleFormat, right: SampleFormat) =>
  left.rate === right.rate && left.width === right.width && left.channels === right.channels;

/** @returns format of a session for a client's first audio: the client's own where possible */
export function sessionFormat({ rate, width, channels }: SampleFormat): SampleFormat {
  const isKept = channels === 1 && SAMPLE_RATES.includes(rate);
  if (isKept) return { rate, width, channels };
  return { rate: SAMPLE_RATES.includes(rate) ? rate : SESSION_RATE, width: SESSION_WIDTH, channels: 1 };
}

/** Changes of the format in one session: each one computes a filter, which takes a millisecond or two. */
const MOST_CHANGES = 32;

/** Converts the audio of one session. */
export class PcmConverter {
  private from: SampleFormat;
  private resampler: Resampler | undefined;
  /** An incomplete sample of all channels. */
  private rest = Buffer.alloc(0);
  private changes = 0;

  /** @param to  format of the session: one channel */
  constructor(private readonly to: SampleFormat) {
    this.from = to;
  }

  /**
   * The next audio has this format.
   * @returns audio of the previous format that was held back
   * @throws live.wyoming_event if the previous format ended within a sample, or the format has changed too often
   */
  begin(format: SampleFormat): Buffer {
    if (isSame(format, this.from)) return Buffer.alloc(0);
    if (++this.changes > MOST_CHANGES)
      throw errors.wyomingEventRefused(`the format of the audio changes more than ${MOST_CHANGES} times`);
    const held = this.end();
    if (this.rest.length > 0) {
      throw errors.wyomingEventRefused(
        `the format of the audio changes within a sample: ${this.rest.length} bytes precede it`,
      );
    }
    this.from = format;
    this.resampler = format.rate === this.to.rate ? undefined : new Resampler(format.rate, this.to.rate);
    return held;
  }

  /** @param bytes  any part of the audio @returns the samples that are complete */
  push(bytes: Buffer): Buffer {
    if (isSame(this.from, this.to)) return this.whole(bytes);
    const frames = decodeFrames(this.whole(bytes), streamFormat(this.from));
    const mono = averageOf(frames);
    return this.encode(this.resampler?.push(mono) ?? mono);
  }

  /** @returns audio that was held back for later samples */
  end(): Buffer {
    const samples = this.resampler?.flush();
    this.resampler = undefined;
    return samples ? this.encode(samples) : Buffer.alloc(0);
  }

  /** Bytes of an incomplete sample at the end of the audio. */
  get incompleteBytes(): number {
    return this.rest.length;
  }

  private whole(bytes: Buffer): Buffer {
    const all = this.rest.length === 0 ? bytes : Buffer.concat([this.rest, bytes]);
    const length = all.length - (all.length % bytesPerFrame(streamFormat(this.from)));
    this.rest = Buffer.from(all.subarray(length));
    return all.subarray(0, length);
  }

  private encode(samples: Float32Array): Buffer {
    const { width } = this.to;
    const bytes = Buffer.alloc(samples.length * width);
    const scale = 2 ** (width * BYTE_BITS - 1);
    for (let index = 0; index < samples.length; index++) {
      const value = Math.max(-scale, Math.min(scale - 1, Math.round((samples[index] as number) * scale)));
      if (width === 1) bytes.writeUInt8(value + scale, index);
      else bytes.writeIntLE(value, index * width, width);
    }
    return bytes;
  }
}

function averageOf(channels: readonly Float32Array[]): Float32Array {
  const [first = new Float32Array(), ...others] = channels;
  if (others.length === 0) return first;
  return first.map((sample, index) => {
    let sum = sample;
    for (const other of others) sum += other[index] as number;
    return sum / channels.length;
  });
}
