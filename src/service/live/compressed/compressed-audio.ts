// The audio of a session whose client sends a compressed stream. The log stores what the client sends; the samples lie in a file of
// this process, which is made again from the log when a process opens the session. Recognition, times and the recording use the samples.
import type { Readable } from "node:stream";
import { DecodedStream, type StreamOwner } from "../../../speech/audio/streams/decoded-stream.ts";
import type { Compression, DecodedPart } from "../../../speech/audio/streams/message.ts";
import { MOST_PACKET_BYTES, withLength } from "../../../speech/audio/streams/opus-packets.ts";
import type { OutputFormat } from "../../../speech/audio/streams/output.ts";
import type { StreamDecoders } from "../../../speech/audio/streams/stream-decoders.ts";
import { WAV_MAGIC, writeWavHeader } from "../../../speech/audio/wav.ts";
import type { CompressedStream, StoredAudio, StreamReport } from "../log/log-contract.ts";
import { KEPT_PACKETS, packetsUntil } from "./kept-packets.ts";
import { LostAudio } from "./lost-audio.ts";
import { PacketPositions } from "./packet-positions.ts";
import type { SampleFile } from "./sample-file.ts";

const READ_BYTES = 1_048_576;
/** As the length of the samples in the header of a stream that has not ended. */
const UNKNOWN_LENGTH = 0xffffffff;
/** Lost bytes from which on a stream without audio is refused. */
const LEAST_LOST_BYTES = 512;

/**
 * What the client sends. `undecided`: the first bytes of a container have not arrived. `samples`: WAV, so that the stored bytes are the
 * samples. `compressed`: the stored bytes are decoded.
 */
type Kind = "undecided" | "samples" | "compressed";

export class CompressedAudio implements CompressedStream {
  private readonly stream: DecodedStream;
  private readonly positions: PacketPositions | undefined;
  private readonly lost = new LostAudio((position) => this.clientByte(position));
  private kind: Kind;
  private format: OutputFormat | undefined;
  /** Stored bytes of samples that were given, and positions that were counted. */
  private decodedBytes = 0;
  private countedBytes = 0;
  /** Bytes of a compressed stream that were decoded. */
  private decodedUntil = 0;
  /** Ends of packets and the samples up to there, in turn. */
  private marks: number[] = [];
  private samples = 0;
  private reports: StreamReport[] = [];
  private isStopped = false;

  /** @param mostSeconds  more audio is not decoded */
  constructor(
    owner: StreamOwner,
    private readonly compression: Compression,
    /** What the client sent. */
    readonly received: StoredAudio,
    readonly file: SampleFile,
    decoders: StreamDecoders,
    private readonly mostSeconds: number,
  ) {
    this.stream = new DecodedStream(decoders, owner, compression, received);
    this.kind = compression.encoding === "container" ? "undecided" : "compressed";
    this.positions = compression.encoding === "opus" ? new PacketPositions() : undefined;
  }

  /** Whether the client sends WAV. */
  get isSamples(): boolean {
    return this.kind === "samples";
  }

  /** Why the stream cannot be read. */
  get refused(): string | undefined {
    return this.stream.refused ?? this.excess();
  }

  /** Whether the stream has as much audio as a session may have. */
  get hasReachedLimit(): boolean {
    return this.seconds >= this.mostSeconds;
  }

  /** Whether at least LEAST_LOST_BYTES were lost, and no received byte was audio. False for fewer. */
  get hasOnlyLost(): boolean {
    return this.kind === "compressed" && !this.format && this.lost.total >= LEAST_LOST_BYTES;
  }

  get encoding(): string {
    return this.compression.encoding;
  }

  /** Decoded audio. */
  get seconds(): number {
    return this.format ? this.samples / this.format.sampleRate : 0;
  }

  /** Sentences about the stream since the last call. */
  takeReports(): StreamReport[] {
    const found = this.reports;
    this.reports = [];
    return found;
  }

  /** @returns a chunk as it is stored, or why it cannot be part of the stream */
  stored(chunk: Buffer): Buffer | { refused: string } {
    if (!this.positions || chunk.length === 0) return chunk;
    if (chunk.length <= MOST_PACKET_BYTES) return withLength(chunk);
    return {
      refused: `a message has ${chunk.length} bytes, and an Opus packet at most ${MOST_PACKET_BYTES}: send one packet in each message`,
    };
  }

  /** Position in the bytes of the client. */
  clientByte(position: number): number {
    return this.positions?.clientByte(position) ?? position;
  }

  /** Time of the audio before a position in the received bytes. */
  secondsAt(position: number): number {
    const packets = packetsUntil(position, this.marks.length / 2, (index) => this.marks[2 * index] as number);
    return packets === 0 || !this.format ? 0 : (this.marks[2 * packets - 1] as number) / this.format.sampleRate;
  }

  /** Decodes what was received. @returns the bytes of the sample stream, as they are stored in the file */
  async *decode(): AsyncGenerator<Buffer> {
    const { total } = this.received;
    await this.count(total);
    if (this.kind === "undecided") await this.decide(total);
    if (this.kind === "undecided") return;
    if (this.kind === "samples") {
      while (this.decodedBytes < total && !this.isStopped) {
        const end = Math.min(total, this.decodedBytes + READ_BYTES);
        const bytes = await this.received.read(this.decodedBytes, end);
        this.decodedBytes = end;
        yield bytes;
      }
      return;
    }
    yield* this.pieces(total, false);
  }

  /** The client sends no more. */
  async *finish(): AsyncGenerator<Buffer> {
    yield* this.decode();
    const { total } = this.received;
    if (this.kind === "compressed") yield* this.pieces(total, true);
    // The stream was too short to decide what it is.
    else if (this.kind === "undecided" && total > 0) this.lost.add([{ from: 0, end: total, bytes: total }], undefined);
    this.report("undecodable_audio", this.lost.finish());
  }

  /** The recorded samples. */
  read(start: number, end: number): Promise<Buffer> {
    return this.isSamples ? this.received.read(start, end) : this.file.read(start, end);
  }

  get total(): number {
    return this.isSamples ? this.received.total : this.file.total;
  }

  streamOf(start: number, end: number, stored: () => Readable): Readable {
    return this.isSamples ? stored() : this.file.stream(start, end);
  }

  /** From now on nothing is decoded. */
  stop(): void {
    this.isStopped = true;
  }

  get hasStopped(): boolean {
    return this.isStopped;
  }

  async close(): Promise<void> {
    this.stop();
    await this.stream.close();
    await this.file.remove();
  }

  /** Why the stream has too few seconds of audio for its bytes. */
  private excess(): string | undefined {
    if (this.kind !== "compressed" || this.hasReachedLimit || this.decodedUntil < this.received.total) return undefined;
    return sizeProblem(this.compression.encoding, this.decodedUntil, this.seconds);
  }

  private async *pieces(until: number, isEnd: boolean): AsyncGenerator<Buffer> {
    if (this.isStopped || this.hasReachedLimit) return;
    for await (const part of this.stream.advance(until, isEnd)) {
      const bytes = this.take(part);
      if (bytes.length > 0) {
        await this.file.append(bytes);
        yield bytes;
      }
      if (this.isStopped || this.hasReachedLimit) return;
    }
    this.decodedUntil = until;
  }

  private take({ samples, format, marks, lost, notes }: DecodedPart): Buffer {
    const isFirst = !this.format && samples.length > 0;
    if (format && samples.length > 0) this.format ??= format;
    for (const mark of marks) this.marks.push(mark);
    if (this.marks.length > 4 * KEPT_PACKETS) this.marks = this.marks.slice(-2 * KEPT_PACKETS);
    if (this.format) this.samples += samples.length / 2 / this.format.channels;
    this.report("invalid_audio_format", notes);
    this.report("undecodable_audio", this.lost.add(lost, marks.at(-2)));
    const bytes = Buffer.from(samples.buffer, samples.byteOffset, samples.length);
    if (!isFirst || !this.format) return bytes;
    const header = writeWavHeader({ encoding: "wav/pcm", bitDepth: 16, ...this.format }, UNKNOWN_LENGTH);
    return Buffer.concat([header, bytes]);
  }

  private report(code: StreamReport["code"], reasons: readonly string[]): void {
    for (const reason of reasons) this.reports.push({ code, reason });
  }

  /** Whether the stream without a declared encoding is WAV. */
  private async decide(total: number): Promise<void> {
    const start = await this.received.read(0, Math.min(total, WAV_MAGIC.length));
    if (start.length < WAV_MAGIC.length) return;
    this.kind = start.equals(WAV_MAGIC) ? "samples" : "compressed";
  }

  private async count(total: number): Promise<void> {
    if (!this.positions) return;
    while (this.countedBytes < total) {
      const end = Math.min(total, this.countedBytes + READ_BYTES);
      this.positions.add(await this.received.read(this.countedBytes, end));
      this.countedBytes = end;
    }
  }
}

/** The log also stores the parts of a stream that are no audio. Without any audio; a picture in an ID3 tag is shorter. */
export const BYTES_WITHOUT_AUDIO = 8_388_608;
/**
 * Greatest bytes of a second: Opus has up to 510 kbit/s in a channel and headers in each packet of 2.5 ms; containers have up to 8
 * channels, and tracks that are left out; AAC has 6,144 bits in a frame of a channel.
 */
const BYTES_PER_SECOND: Readonly<Record<Compression["encoding"], number>> = {
  opus: 200_000,
  "ogg/opus": 750_000,
  "webm/opus": 750_000,
  aac: 300_000,
  mp3: 100_000,
  container: 750_000,
  broadcast: 750_000,
  packets: 750_000,
};

/** @returns why a stream with these bytes and seconds of audio is refused; undefined if it is not */
export function sizeProblem(encoding: Compression["encoding"], bytes: number, seconds: number): string | undefined {
  const rate = BYTES_PER_SECOND[encoding];
  if (bytes <= BYTES_WITHOUT_AUDIO + seconds * rate) return undefined;
  return `the stream has ${bytes} bytes and only ${seconds.toFixed(1)} s of audio: more than ${(rate * 8) / 1000} kbit/s, the most for the encoding ${encoding}, and ${BYTES_WITHOUT_AUDIO} bytes beside it`;
}
