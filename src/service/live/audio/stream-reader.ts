// Decodes the bytes of a session into 16 kHz samples per channel. Any split of the bytes gives the same samples. WAV
// headers are recognised by their content anywhere: some recorders put one before every chunk. The work is linear in the
// bytes, whatever they are: a header has at most 32 chunks.
import { eventLoopTurn } from "../../../platform/process/sleep.ts";
import { STREAM_ENCODINGS, streamKind } from "../../../speech/audio/container-format.ts";
import { countedChannels as counted, mixedSamples, mixingNote } from "../../../speech/audio/mixing.ts";
import { Resampler } from "../../../speech/audio/resample.ts";
import { SAMPLE_RATE } from "../../../speech/audio/sample-rate.ts";
import { joinedSamples } from "../../../speech/audio/samples.ts";
import { bytesPerFrame, bytesPerSecond, decodeFrames, type StreamFormat } from "../../../speech/audio/stream-format.ts";
import { HEADER_BYTES, mayBeWavHeader, readWavHeader, WAV_MAGIC, type WavHeader } from "../../../speech/audio/wav.ts";
import { StreamHeaders } from "./stream-headers.ts";

/** Bytes decoded at once, which bounds the time that a large frame blocks the event loop: about 5 ms. */
export const PIECE_BYTES = 65_536;

/** The pieces of a frame. Other work can run between them. */
export async function* piecesOf(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
    if (at > 0) await eventLoopTurn();
    yield bytes.subarray(at, at + PIECE_BYTES);
  }
}

/** Format found in the first bytes of a stream. */
export interface Start {
  headerBytes: number;
  format: StreamFormat;
}

/** The format of a stream that was read before. */
export interface KnownStart extends Start {
  /** Headers found later in the stream; if undefined, only the first one is known. */
  headers?: StreamHeaders;
}

type Beginning = { kind: "incomplete" } | { kind: "refused"; reason: string } | { kind: "readable"; start: Start };

/** The longest header is shorter. */
const BEGINNING_BYTES = 2 * PIECE_BYTES;
const NOTHING = Buffer.alloc(0);

/** Trailing bytes that may be the start of a header. */
function partialMagic(bytes: Buffer): number {
  for (let length = Math.min(WAV_MAGIC.length - 1, bytes.length); length > 0; length--) {
    if (bytes.subarray(bytes.length - length).equals(WAV_MAGIC.subarray(0, length))) return length;
  }
  return 0;
}

export class StreamReader {
  private start: Start | undefined;
  private rest = Buffer.alloc(0);
  /** Position of the first byte of `rest` in the stream. */
  private restAt = 0;
  private resamplers: Resampler[] = [];
  /** Headers found so far. */
  readonly headers: StreamHeaders;
  private contradicting: StreamFormat | undefined;
  private refusal: string | undefined;

  /**
   * @param known    result of an earlier process for the start of this stream; more channels than declared are mixed into one
   * @param onAudio  called with the sample bytes, in whole frames, as they are decoded
   * @param mixes    whether a header may state more channels than the one that is declared
   */
  constructor(
    private readonly declared: StreamFormat,
    known?: KnownStart,
    private readonly onAudio?: (bytes: Buffer, format: StreamFormat) => void,
    private readonly mixes = false,
  ) {
    this.headers = known?.headers ?? new StreamHeaders();
    if (known) this.begin(known);
  }

  /** Undefined until enough bytes have arrived to distinguish a header from audio. */
  get beginning(): Start | undefined {
    return this.start;
  }

  /** Why the stream that was pushed is unreadable: it has no samples. */
  get refused(): string | undefined {
    return this.refusal;
  }

  /** Format of a later header that contradicts the first one. */
  get contradictingHeader(): StreamFormat | undefined {
    return this.contradicting;
  }

  /** Audio time at a position of the stream, seconds. */
  secondsAt(bytes: number): number {
    if (this.refusal !== undefined) return 0;
    return (bytes - this.headers.within(bytes)) / bytesPerSecond(this.start?.format ?? this.declared);
  }

  /** Position from which the stream must be read to produce samples from `sample` on; call `startAt` first. */
  byteFor(sample: number): number {
    const format = this.start?.format ?? this.declared;
    const input = new Resampler(format.sampleRate, SAMPLE_RATE).inputStart(sample);
    return this.headers.placeOf(input * bytesPerFrame(format));
  }

  /** Makes `sample` the next output sample; the next input byte must be at `byteFor(sample)`. */
  startAt(sample: number): void {
    const { format } = this.start ?? { format: this.declared };
    this.resamplers = Array.from(
      { length: this.declared.channels },
      () => new Resampler(format.sampleRate, SAMPLE_RATE, sample),
    );
    this.rest = Buffer.alloc(0);
    this.restAt = this.byteFor(sample);
  }

  /**
   * @returns why the stream is unreadable with these next bytes; undefined if it is readable or that is not known yet
   */
  refusalOf(bytes: Buffer): string | undefined {
    if (this.start || this.refusal !== undefined) return this.refusal;
    const beginning = this.beginningOf(Buffer.concat([this.rest, bytes.subarray(0, BEGINNING_BYTES)]));
    return beginning.kind === "refused" ? beginning.reason : undefined;
  }

  /** @returns samples per channel, in pieces */
  *push(bytes: Buffer): Generator<Float32Array[]> {
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
      const audio = this.audioOf(bytes.subarray(at, at + PIECE_BYTES));
      if (audio.length > 0) yield* this.decode(audio);
    }
  }

  /** Finds the headers in the next bytes without decoding. */
  skim(bytes: Buffer): void {
    this.audioOf(bytes);
  }

  /** Returns the samples that were waiting for more input. */
  flush(): Float32Array[] {
    const { rest } = this;
    if (!this.start && rest.length > 0) this.begin({ headerBytes: 0, format: this.declared });
    const last = this.start ? [...this.decode(rest.subarray(0, this.whole(rest.length)))] : [];
    this.rest = Buffer.alloc(0);
    return this.resamplers.map((resampler, channel) => {
      return joinedSamples([...last.map((samples) => samples[channel] as Float32Array), resampler.flush()]);
    });
  }

  /** The samples in the next bytes, in whole frames, without headers. */
  private audioOf(bytes: Buffer): Buffer {
    if (this.refusal !== undefined) return NOTHING;
    let input = this.rest.length > 0 ? Buffer.concat([this.rest, bytes]) : bytes;
    const advance = (count: number) => {
      input = input.subarray(count);
      this.restAt += count;
    };
    if (!this.start) {
      const beginning = this.beginningOf(input);
      if (beginning.kind === "incomplete") {
        this.rest = Buffer.from(input);
        return NOTHING;
      }
      if (beginning.kind === "refused") {
        this.refusal = beginning.reason;
        this.rest = NOTHING;
        return NOTHING;
      }
      this.begin(beginning.start);
      input = input.subarray((this.start as unknown as Start).headerBytes);
    }
    // Joined, because each piece of audio costs more than its bytes, and a header may follow every sample.
    const audio: Buffer[] = [];
    for (let hasMore = true; hasMore; ) {
      const { audioBytes, header } = this.nextHeader(input);
      const wholeBytes = this.whole(audioBytes);
      if (wholeBytes > 0) audio.push(input.subarray(0, wholeBytes));
      advance(wholeBytes);
      hasMore = header !== undefined;
      if (!header) continue;
      // An incomplete frame before a header is skipped.
      const skipped = audioBytes - wholeBytes + header.headerBytes;
      this.headers.add(this.restAt, this.restAt + skipped);
      this.compare(header);
      advance(skipped);
    }
    this.rest = Buffer.from(input);
    return audio.length === 1 ? (audio[0] as Buffer) : Buffer.concat(audio);
  }

  /** Bytes before the next header, and the header if it is complete. */
  private nextHeader(input: Buffer): { audioBytes: number; header?: WavHeader & { kind: "header" } } {
    for (let from = 0; this.headers.hasRoom; ) {
      const at = input.indexOf(WAV_MAGIC, from);
      if (at < 0) return { audioBytes: input.length - partialMagic(input) };
      from = at + 1;
      if (!mayBeWavHeader(input, at)) continue;
      const header = readWavHeader(input.subarray(at));
      if (header.kind === "incomplete") return { audioBytes: at };
      if (header.kind === "header" && header.headerBytes >= HEADER_BYTES) return { audioBytes: at, header };
    }
    return { audioBytes: input.length };
  }

  private compare({ format }: WavHeader & { kind: "header" }): void {
    const current = (this.start as Start).format;
    if (format && differencesOf(format, current).length > 0) this.contradicting ??= format;
  }

  private *decode(input: Buffer): Generator<Float32Array[]> {
    const { format } = this.start as Start;
    const frameBytes = bytesPerFrame(format);
    const pieceBytes = Math.max(1, Math.floor(PIECE_BYTES / frameBytes)) * frameBytes;
    for (let at = 0; at < input.length; at += pieceBytes) {
      const piece = input.subarray(at, at + pieceBytes);
      this.onAudio?.(piece, format);
      const decoded = decodeFrames(piece, format);
      const channels = decoded.length === this.declared.channels ? decoded : [mixedSamples(decoded)];
      yield channels.map((samples, channel) => (this.resamplers[channel] as Resampler).push(samples));
    }
  }

  private beginningOf(input: Buffer): Beginning {
    const header = readWavHeader(input);
    if (header.kind === "incomplete") return { kind: "incomplete" };
    if (header.kind === "header") {
      const reason = header.problem ?? this.channelProblem(header.format);
      if (reason !== undefined) return { kind: "refused", reason };
      return { kind: "readable", start: { headerBytes: header.headerBytes, format: header.format ?? this.declared } };
    }
    const found = streamKind(input);
    if (found.kind === "incomplete") return { kind: "incomplete" };
    if (found.kind === "raw") return { kind: "readable", start: { headerBytes: 0, format: this.declared } };
    const encoding = STREAM_ENCODINGS[found.name];
    const other =
      encoding === undefined ? "" : `, and ${found.name} is decoded in a session with the encoding ${encoding}`;
    return {
      kind: "refused",
      reason: `the audio is ${found.name}; a live session with this encoding takes raw samples: PCM (little-endian integers), A-law or mu-law, with or without a WAV header${other}`,
    };
  }

  /** The session has utterances for exactly the declared channels. */
  private channelProblem(format: StreamFormat | undefined): string | undefined {
    const { channels } = this.declared;
    if (!format || format.channels === channels || (this.mixes && channels === 1)) return undefined;
    return (
      `the WAV header says ${counted(format.channels)}, the session was created with ${counted(channels)}; ` +
      `create it with channels: ${format.channels}`
    );
  }

  private whole(bytes: number): number {
    return bytes - (bytes % bytesPerFrame((this.start as Start).format));
  }

  private begin(start: Start): void {
    this.start = { headerBytes: start.headerBytes, format: start.format };
    this.headers.add(0, start.headerBytes);
    this.startAt(0);
    this.restAt = start.headerBytes;
  }
}

const NAMES = { encoding: "encoding", bitDepth: "bit_depth", sampleRate: "sample_rate", channels: "channels" } as const;

function differencesOf(format: StreamFormat, declared: StreamFormat): string[] {
  const keys = Object.keys(NAMES) as (keyof StreamFormat)[];
  return keys
    .filter((key) => format[key] !== declared[key])
    .map((key) => `${NAMES[key]} (${format[key]}, not ${declared[key]})`);
}

/** Describes how a header differs from the declared format; the header takes precedence. */
export function headerWarning({ format }: Start, declared: StreamFormat): string | undefined {
  const differs = differencesOf(format, declared);
  return differs.length === 0
    ? undefined
    : `the WAV header differs from the session in ${differs.join(", ")}; the header takes precedence`;
}

/** @returns a warning if the channels of the stream are mixed into the one channel of the session */
export function mixingWarning({ format }: Start, declared: StreamFormat): string | undefined {
  return format.channels === declared.channels ? undefined : mixingNote(format.channels);
}

/** Describes how a later header contradicts the first one. */
export function repeatedHeaderWarning(format: StreamFormat, current: StreamFormat): string {
  return `a WAV header within the stream differs from its beginning in ${differencesOf(format, current).join(", ")}; the audio is still read as it began`;
}
