// Decodes what a source sends, in the decoder process of live streams, to the samples of its session.
import { errors, ParlanceError, toParlanceError } from "../../../platform/errors.ts";
import type { Compression, DecodedPart, StreamRequest } from "../../../speech/audio/streams/message.ts";
import { streamAnswer } from "../../../speech/audio/streams/stream-answers.ts";
import type { StreamDecoders } from "../../../speech/audio/streams/stream-decoders.ts";

/** Bytes that are sent to the process at once. */
const PIECE_BYTES = 32_768;
/** After this much undecodable audio in a row, the format may have changed: a new decoder receives the bytes since the last samples. */
const CHANGED_LOST_BYTES = 4_096;
/** Bytes since the last samples that are kept for a new decoder. */
const MOST_KEPT_BYTES = 262_144;

export const SOURCE_RATE = 16_000;
const CHANNELS = 1;

/** broadcast: bytes whose format is found in them. packets: frames of framed-packets.ts. */
export type SourceEncoding = Extract<Compression["encoding"], "broadcast" | "packets">;

/** @param ticks  time of the first sample in the clock of the source */
export type OnSamples = (samples: Buffer, ticks: number | undefined) => Promise<void>;

export class SourceDecoder {
  private fed = 0;
  private isOpen = false;
  /** Bytes since the last samples, and how many of the audio in them were lost. */
  private kept: Buffer[] = [];
  private keptBytes = 0;
  private lostBytes = 0;
  /** Whether the bytes since the last samples are decoded a second time: no third decoder follows. */
  private isSecond = false;
  private ticks: number | undefined;

  /** @param id  of the stream in the process */
  constructor(
    private readonly decoders: StreamDecoders,
    private readonly id: string,
    private readonly accountId: string,
    private readonly onSamples: OnSamples,
    private readonly encoding: SourceEncoding = "broadcast",
  ) {}

  /**
   * Decodes the next bytes.
   * @throws live.source_refused: the format; live.source_decoder_lost: the bytes made the process crash or hang; live.source_failed
   */
  async push(bytes: Buffer): Promise<void> {
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) await this.piece(bytes.subarray(at, at + PIECE_BYTES));
  }

  /** Ends the stream, and passes on the samples that the decoder held back. The next bytes are those of another stream. */
  async finish(): Promise<void> {
    try {
      if (this.isOpen) await this.all({ kind: "finish", stream: this.id }, "finish");
    } catch (thrown) {
      // What was held back is less than a frame.
      if (!(thrown instanceof ParlanceError)) throw thrown;
    }
    await this.restart();
  }

  /** The next bytes are those of another stream. */
  async restart(): Promise<void> {
    this.fed = 0;
    this.isOpen = false;
    this.kept = [];
    this.keptBytes = 0;
    this.lostBytes = 0;
    this.isSecond = false;
    this.ticks = undefined;
    await this.decoders.close(this.id);
  }

  private async piece(bytes: Buffer): Promise<void> {
    await this.send(bytes);
    if (this.encoding === "packets") return;
    if (this.lostBytes < CHANGED_LOST_BYTES || this.isSecond) return;
    const again = Buffer.concat(this.kept);
    await this.finish();
    this.isSecond = true;
    await this.push(again);
  }

  private async send(bytes: Buffer): Promise<void> {
    if (!this.isOpen) await this.begin();
    this.kept.push(bytes);
    this.keptBytes += bytes.length;
    while (this.keptBytes > MOST_KEPT_BYTES) this.keptBytes -= this.kept.shift()?.length ?? 0;
    const at = this.fed;
    this.fed += bytes.length;
    const compression = { encoding: this.encoding, channels: CHANNELS, sampleRate: SOURCE_RATE };
    await this.all({ kind: "push", stream: this.id, compression, at, bytes }, "more");
  }

  private async begin(): Promise<void> {
    try {
      await this.decoders.start(this.id, this.accountId);
    } catch (thrown) {
      if (this.decoders.isStopped) throw thrown;
      throw errors.liveSourceFailed("its decoder could not be started", thrown);
    }
    this.isOpen = true;
  }

  private async all(first: StreamRequest, next: "more" | "finish"): Promise<void> {
    for (let request = first; ; request = { kind: next, stream: this.id }) {
      const { samples, lost, clock, refused, hasMore } = await this.ask(request);
      this.ticks ??= clock;
      for (const { bytes } of lost) this.lostBytes += bytes;
      if (samples.length > 0) {
        this.kept = [];
        this.keptBytes = 0;
        this.lostBytes = 0;
        this.isSecond = false;
        const { ticks } = this;
        this.ticks = undefined;
        await this.onSamples(Buffer.from(samples.buffer, samples.byteOffset, samples.length), ticks);
      }
      if (refused !== undefined) throw errors.liveSourceRefused(refused);
      if (!hasMore) return;
    }
  }

  private async ask(request: StreamRequest): Promise<DecodedPart> {
    let answer: DecodedPart | "unknown";
    try {
      answer = streamAnswer(await this.decoders.step(request), CHANNELS);
    } catch (thrown) {
      if (this.decoders.isStopped) throw thrown;
      const { code } = toParlanceError(thrown);
      if (code === "process.died" || code === "process.timeout") throw errors.liveSourceDecoderLost();
      throw errors.liveSourceFailed("its decoder failed", thrown);
    }
    // The process has ended since, and another one was started.
    if (answer === "unknown") throw errors.liveSourceFailed("its decoder was started again");
    return answer;
  }
}
