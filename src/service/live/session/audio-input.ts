// Audio frames of a session: position, storage, acknowledgment, decoding. Recognition does not wait for the disk;
// acknowledgments do.

import { milliseconds } from "../../../contract/transcript/transcript.ts";
import { sleep } from "../../../platform/process/sleep.ts";
import { within } from "../../../platform/process/within.ts";
import { rateWarning } from "../../../speech/audio/rate-check.ts";
import type { SignalWatch } from "../../../speech/audio/signal-watch.ts";
import { MOST_HEADERS } from "../audio/stream-headers.ts";
import {
  headerWarning,
  mixingWarning,
  piecesOf,
  repeatedHeaderWarning,
  type Start,
  type StreamReader,
} from "../audio/stream-reader.ts";
import type { Reached } from "../events/client-command.ts";
import type { EventOf, LiveErrorCode } from "../events/live-event.ts";
import type { CompressedStream, SessionLog } from "../log/log-contract.ts";
import type { TurnClock } from "../turns/turn-clock.ts";
import { Acknowledgments } from "./acknowledgments.ts";
import type { BackPressure } from "./back-pressure.ts";
import { Intake, type Taken } from "./intake.ts";
import type { Outbox } from "./outbox.ts";
import type { SessionChannels } from "./session-channels.ts";
import type { Connection, SessionParams } from "./session-contract.ts";

/**
 * Chunks that are not yet durable and so not acknowledged, each about 1 kB of memory: above this, no further frame is
 * accepted.
 */
const MOST_UNACKNOWLEDGED = 1_000;
/** The end of a session waits so long for the check of the sampling rate. */
const MOST_CHECK_MILLISECONDS = 10_000;

/** Decoded audio that waits for voice activity detection. */
const MOST_UNDETECTED_SECONDS = 30;
const PRESSURE_MILLISECONDS = 50;
/** A compressed stream without audio for this long is refused. */
const MOST_LOST_MILLISECONDS = 2_500;

/** Audio of one frame. */
export interface AudioChunk {
  readonly bytes: Buffer;
  readonly source: Connection;
  /** Whether it continues the stored audio; otherwise the first bytes of a connection may repeat its end. */
  readonly continues?: true;
  readonly unknownFields?: readonly string[];
}

/** @property refused  why the stream cannot be read. @property isOver  the session has the longest audio that is decoded */
export interface Accepted {
  refused?: string;
  isOver?: boolean;
}

/** Parts of the session that audio passes through. */
export interface AudioInputParts {
  params: Pick<SessionParams, "format">;
  log: SessionLog;
  reader: StreamReader;
  channels: SessionChannels;
  outbox: Outbox;
  turns: TurnClock;
  signal: SignalWatch;
  pressure: BackPressure;
}

export class AudioInput {
  private readonly intake: Intake;
  private readonly acknowledgments: Acknowledgments;
  /** When the decoder had answered the first bytes of a compressed stream: its start takes time of its own. */
  private decodingSince: number | undefined;

  /**
   * @param repeatsHeader   whether the stream is known to contain WAV headers after its start
   * @param onStorageError  called if chunks cannot become durable
   */
  constructor(
    private readonly parts: AudioInputParts,
    private repeatsHeader: boolean,
    onStorageError: (error: unknown) => void,
  ) {
    const { log, pressure, outbox } = parts;
    this.intake = new Intake(log.compressed?.received ?? log.audio);
    this.acknowledgments = new Acknowledgments({
      stored: () => pressure.during(log.audio.stored()),
      // Not awaited, so that a slow reader delays nothing.
      send: (events) => void outbox.sendTogether(events),
      onStorageError,
    });
  }

  get reached(): Reached {
    const { log, reader, channels } = this.parts;
    const { compressed } = log;
    const seconds = reader.secondsAt(log.audio.total);
    const bytes = compressed ? compressed.clientByte(compressed.received.total) : log.audio.total;
    return { bytes, seconds, detectedSeconds: Math.min(seconds, channels.detectedSeconds) };
  }

  /**
   * Resolves when the next frame may be processed.
   * @param chunks     of one connection, in order
   * @param isCurrent  whether that is still the session's connection
   */
  async accept(chunks: readonly AudioChunk[], isCurrent: () => boolean): Promise<Accepted> {
    // The format must be known before the second chunk.
    if (this.parts.log.compressed === undefined && this.parts.reader.beginning !== undefined) {
      await this.acceptTogether(chunks, isCurrent);
      return {};
    }
    for (const chunk of chunks) {
      const accepted = await this.acceptOne(chunk, isCurrent);
      if (accepted.refused !== undefined || accepted.isOver) return accepted;
      if (!isCurrent()) return {};
    }
    return {};
  }

  private async acceptOne(chunk: AudioChunk, isCurrent: () => boolean): Promise<Accepted> {
    const { compressed } = this.parts.log;
    if (compressed) return this.acceptCompressed(compressed, chunk, isCurrent);
    const refused = this.parts.reader.refusalOf(chunk.bytes);
    if (refused !== undefined) return { refused };
    await this.acceptTogether([chunk], isCurrent);
    return {};
  }

  /** Samples in a known format. */
  private async acceptTogether(chunks: readonly AudioChunk[], isCurrent: () => boolean): Promise<void> {
    const { log, pressure, reader, turns } = this.parts;
    const taken = await pressure.during(this.take(chunks));
    if (this.acknowledgments.count >= MOST_UNACKNOWLEDGED) await pressure.during(log.audio.stored());
    const fresh = taken.map((one) => one.fresh);
    await this.process(fresh.length === 1 ? (fresh[0] as Buffer) : Buffer.concat(fresh));
    // The headers among the bytes are known now: they have no time.
    for (const { range } of taken) this.acknowledge(range, isCurrent);
    const seconds = taken.reduce((sum, { range }) => sum + reader.secondsAt(range[1]) - reader.secondsAt(range[0]), 0);
    turns.received(seconds);
  }

  private async take(chunks: readonly AudioChunk[]): Promise<Taken[]> {
    const taken: Taken[] = [];
    for (const { bytes, source, continues } of chunks) {
      taken.push(await this.intake.take(bytes, continues ? undefined : source.number));
    }
    return taken;
  }

  /** A chunk of a compressed stream is acknowledged when it is stored and decoded, as its time is known then. */
  private async acceptCompressed(
    compressed: CompressedStream,
    { bytes, source, continues }: AudioChunk,
    isCurrent: () => boolean,
  ): Promise<Accepted> {
    const { log, pressure, turns } = this.parts;
    if (this.refused !== undefined) return { refused: this.refused };
    const chunk = compressed.stored(bytes);
    if (!Buffer.isBuffer(chunk)) return chunk;
    const { range } = await pressure.during(this.intake.take(chunk, continues ? undefined : source.number));
    const before = this.seconds;
    await this.decode(compressed.decode());
    this.decodingSince ??= performance.now();
    const { hasReachedLimit, hasOnlyLost, encoding } = compressed;
    const { refused } = this;
    if (refused !== undefined) return { refused };
    if (hasOnlyLost && performance.now() - this.decodingSince > MOST_LOST_MILLISECONDS) {
      return { refused: `the stream has no audio in the declared encoding (${encoding})` };
    }
    if (this.acknowledgments.count >= MOST_UNACKNOWLEDGED) await pressure.during(log.audio.stored());
    this.acknowledge(range, isCurrent);
    turns.received(Math.max(0, this.seconds - before));
    return hasReachedLimit ? { isOver: true } : {};
  }

  /** Why a compressed stream, or the WAV that it turned out to be, cannot be read. */
  private get refused(): string | undefined {
    return this.parts.log.compressed?.refused ?? this.parts.reader.refused;
  }

  /** Decoded samples reach the channels as fast as these process them: a few bytes may be hours of audio. */
  private async decode(pieces: AsyncIterable<Buffer>): Promise<void> {
    const { channels, pressure, log } = this.parts;
    for await (const piece of pieces) {
      await this.process(piece);
      if (this.parts.reader.refused !== undefined) return;
      while (channels.undetectedSeconds > MOST_UNDETECTED_SECONDS && !log.compressed?.hasStopped) {
        await pressure.during(sleep(PRESSURE_MILLISECONDS));
      }
    }
    for (const { code, reason } of log.compressed?.takeReports() ?? []) await this.warn(reason, code);
  }

  /** No more audio follows: decodes the end of the stream. */
  async end(): Promise<void> {
    const { compressed } = this.parts.log;
    if (compressed) await this.decode(compressed.finish());
  }

  /** Of the audio so far. */
  private get seconds(): number {
    const { log, reader } = this.parts;
    return reader.secondsAt(log.audio.total);
  }

  /** Resolves when the chunks so far are acknowledged. */
  acknowledged(): Promise<void> {
    return this.acknowledgments.settled();
  }

  private acknowledge(range: [number, number], isCurrent: () => boolean): void {
    const { log, reader } = this.parts;
    const { compressed } = log;
    const stream = compressed?.isSamples === false ? compressed : reader;
    const time = (byte: number) => milliseconds(stream.secondsAt(byte));
    const client = (byte: number) => compressed?.clientByte(byte) ?? byte;
    const event: EventOf<"chunkStored"> = {
      kind: "chunkStored",
      bytes: [client(range[0]), client(range[1])],
      seconds: [time(range[0]), time(range[1])],
    };
    this.acknowledgments.add(event, isCurrent);
  }

  private async process(bytes: Buffer): Promise<void> {
    const { reader, channels, pressure, signal } = this.parts;
    const isNew = reader.beginning === undefined;
    const knownHeaders = reader.headers.count;
    for await (const piece of piecesOf(bytes)) {
      for (const samples of reader.push(piece)) await channels.append(samples);
    }
    const { beginning } = reader;
    if (beginning && (isNew || reader.headers.count > knownHeaders)) await this.recordHeaders(beginning, isNew);
    pressure.audioAdded();
    if (this.isDecoded) return;
    if (signal.warning !== undefined) await this.warn(signal.warning);
    else await this.warnOfRate();
  }

  /** Whether the samples come from a decoder: their format needs no check. */
  private get isDecoded(): boolean {
    return this.parts.log.compressed?.isSamples === false;
  }

  /** No more audio follows: resolves when the last warning about it was persisted. */
  async finish(): Promise<void> {
    if (this.isDecoded) return;
    await within(MOST_CHECK_MILLISECONDS, this.parts.channels.speedChecked()).catch(() => undefined);
    if (this.parts.signal.warning === undefined) await this.warnOfRate();
  }

  private async warnOfRate(): Promise<void> {
    const { channels, reader, params } = this.parts;
    const { playedSpeed } = channels;
    if (playedSpeed !== undefined) await this.warn(rateWarning(playedSpeed, reader.beginning?.format ?? params.format));
  }

  /** Records the detected format, and once that the stream contains further headers. */
  private async recordHeaders({ headerBytes, format }: Start, isNew: boolean): Promise<void> {
    const { log, reader, params } = this.parts;
    const repeatsHeader = reader.headers.count > (headerBytes > 0 ? 1 : 0);
    const isFirst = repeatsHeader && !this.repeatsHeader;
    this.repeatsHeader ||= repeatsHeader;
    if (isNew || isFirst) {
      await log.appendEntries({ kind: "format", headerBytes, format, ...(repeatsHeader ? { repeatsHeader } : {}) });
    }
    const describe = log.compressed ? mixingWarning : headerWarning;
    const warning = isNew ? describe({ headerBytes, format }, params.format) : undefined;
    if (warning) await this.warn(warning);
    const { contradictingHeader, headers } = reader;
    if (!headers.hasRoom) {
      await this.warn(`the audio has ${MOST_HEADERS} WAV headers; the bytes of further ones are read as samples`);
    }
    if (contradictingHeader) await this.warn(repeatedHeaderWarning(contradictingHeader, format));
  }

  /** A warning about the audio: each is sent once per session and kept in its result. */
  private async warn(warning: string, code: LiveErrorCode = "invalid_audio_format"): Promise<void> {
    const { outbox } = this.parts;
    await outbox.persistAndSendOnce({ kind: "error", code, reason: warning });
  }
}
