// Bytes of a session → 16 kHz samples per channel. Any split of the bytes gives the same samples.
import { Resampler } from "../../audio/resample.ts";
import { bytesPerFrame, bytesPerSecond, decodeFrames, type StreamFormat } from "../../audio/stream-format.ts";
import { readWavHeader } from "../../audio/wav.ts";
import { SAMPLE_RATE } from "../channel/channel-contract.ts";

/** Decoded at a time, so that a large frame does not hold the event loop. */
const PIECE_BYTES = 65_536;

export interface Start {
  headerBytes: number;
  format: StreamFormat;
  /** The header names an encoding that cannot be read. */
  isUnreadable: boolean;
}

export class StreamReader {
  private start: Start | undefined;
  private rest = Buffer.alloc(0);
  private resamplers: Resampler[] = [];

  /** @param known  what an earlier process found at the start of this stream */
  constructor(
    private readonly declared: StreamFormat,
    known?: { headerBytes: number; format: StreamFormat },
  ) {
    if (known) this.begin({ ...known, isUnreadable: false });
  }

  /** Undefined until enough bytes came to tell a header from audio. */
  get beginning(): Start | undefined {
    return this.start;
  }

  /** Seconds of audio before that many bytes of the stream. */
  secondsAt(bytes: number): number {
    const { headerBytes, format } = this.start ?? { headerBytes: 0, format: this.declared };
    return Math.max(0, bytes - headerBytes) / bytesPerSecond(format);
  }

  /** Byte of the stream from which samples from `sample` on can be made; a reader then starts with `startAt`. */
  byteFor(sample: number): number {
    const { headerBytes, format } = this.start ?? { headerBytes: 0, format: this.declared };
    const input = new Resampler(format.sampleRate, SAMPLE_RATE).inputStart(sample);
    return headerBytes + input * bytesPerFrame(format);
  }

  /** The next sample given out is this one; the next byte must be that of `byteFor`. */
  startAt(sample: number): void {
    const { format } = this.start ?? { format: this.declared };
    this.resamplers = Array.from(
      { length: format.channels },
      () => new Resampler(format.sampleRate, SAMPLE_RATE, sample),
    );
    this.rest = Buffer.alloc(0);
  }

  /** @returns samples per channel, a piece at a time */
  *push(bytes: Buffer): Generator<Float32Array[]> {
    let input = this.rest.length > 0 ? Buffer.concat([this.rest, bytes]) : bytes;
    this.rest = Buffer.alloc(0);
    if (!this.start) {
      const header = readWavHeader(input);
      if (header.kind === "incomplete") {
        this.rest = Buffer.from(input);
        return;
      }
      const isHeader = header.kind === "header";
      this.begin({
        headerBytes: isHeader ? header.headerBytes : 0,
        format: (isHeader && header.format) || this.declared,
        isUnreadable: isHeader && header.format === undefined,
      });
      input = input.subarray(this.start ? (this.start as Start).headerBytes : 0);
    }
    const { format } = this.start as Start;
    const frameBytes = bytesPerFrame(format);
    const pieceBytes = Math.max(1, Math.floor(PIECE_BYTES / frameBytes)) * frameBytes;
    let at = 0;
    for (; input.length - at >= frameBytes; at += Math.min(pieceBytes, this.whole(input.length - at, frameBytes))) {
      const piece = input.subarray(at, at + Math.min(pieceBytes, this.whole(input.length - at, frameBytes)));
      const channels = decodeFrames(piece, format);
      yield channels.map((samples, channel) => (this.resamplers[channel] as Resampler).push(samples));
    }
    this.rest = Buffer.from(input.subarray(at));
  }

  /** The samples that waited for more input. */
  flush(): Float32Array[] {
    return this.resamplers.map((resampler) => resampler.flush());
  }

  private whole(bytes: number, frameBytes: number): number {
    return bytes - (bytes % frameBytes);
  }

  private begin(start: Start): void {
    this.start = start;
    this.startAt(0);
  }
}

/** Where a header and the session's own format do not agree: the header is right, unless channels would be missing. */
export function contradictions(start: Start, declared: StreamFormat): { refusal?: string; warning?: string } {
  const { format, isUnreadable } = start;
  if (isUnreadable) return { refusal: "the WAV header names an encoding that cannot be read" };
  if (format.channels !== declared.channels) {
    return { refusal: `the WAV header says ${format.channels} channels, the session ${declared.channels}` };
  }
  const names = ["encoding", "bitDepth", "sampleRate"] as const;
  const differs = names.filter((name) => format[name] !== declared[name]);
  if (differs.length === 0) return {};
  return { warning: `the WAV header differs from the session in ${differs.join(", ")}; the header holds` };
}
