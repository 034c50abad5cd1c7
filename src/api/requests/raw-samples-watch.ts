// Warns if the raw samples of a request are probably not in the format that the request declares.
import { SignalWatch } from "../../speech/audio/signal-watch.ts";
import { bytesPerFrame, type SampleFormat } from "../../speech/audio/stream-format.ts";
import { bytesPerSecond, type RawFormat } from "./raw-audio.ts";

/** Bounds the time that the check takes. */
const MOST_SECONDS = 60;

const FORMATS = {
  linear16: { encoding: "wav/pcm", bitDepth: 16 },
  linear32: { encoding: "float", bitDepth: 32 },
  mulaw: { encoding: "wav/ulaw", bitDepth: 8 },
  alaw: { encoding: "wav/alaw", bitDepth: 8 },
} as const;

export class RawSamplesWatch {
  private readonly watch = new SignalWatch();
  private readonly format: SampleFormat;
  private rest = Buffer.alloc(0);
  private left: number;

  constructor(private readonly raw: RawFormat) {
    const { encoding, sampleRate, channels } = raw;
    this.left = MOST_SECONDS * bytesPerSecond(raw);
    this.format = { ...FORMATS[encoding], sampleRate, channels };
  }

  /** @param bytes  the next samples, in pieces of any size */
  push(bytes: Buffer): void {
    if (this.left <= 0) return;
    this.left -= bytes.length;
    const input = Buffer.concat([this.rest, bytes]);
    const whole = input.length - (input.length % bytesPerFrame(this.format));
    this.watch.push(input.subarray(0, whole), this.format);
    this.rest = input.subarray(whole);
  }

  /** What the samples look like; undefined if they may be in the declared format. */
  get likelyName(): string | undefined {
    return this.watch.likely?.name;
  }

  /** For interfaces that declare encoding and channels. Undefined if the samples may be in the declared format. */
  get warning(): string | undefined {
    const { likelyName } = this;
    if (likelyName === undefined) return undefined;
    const { encoding, sampleRate, channels } = this.raw;
    return (
      `encoding or channels is probably wrong: the request declares ${encoding} with ${channels} ` +
      `${channels === 1 ? "channel" : "channels"} of ${sampleRate} Hz, and the samples look like ${likelyName}`
    );
  }
}
