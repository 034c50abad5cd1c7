// Decoded recordings of jobs whose stretches are recognised again. A person checks one word after another: the recording is decoded for the
// first one, and its samples are kept for a few minutes.
import { mkdtemp, rm } from "node:fs/promises";
import path from "node:path";
import type { Logger } from "pino";
import { errors } from "../../platform/errors.ts";
import { SharedWork } from "../../platform/process/shared-work.ts";
import type { JobFile } from "../../platform/storage/db/jobs/job-files.ts";
import type { FreeSpace } from "../../platform/storage/free-space.ts";
import type { ObjectStore } from "../../platform/storage/objects/object-store.ts";
import type { DecoderPool } from "../../speech/audio/decode/decoder-pool.ts";
import type { Gap } from "../../speech/audio/decode/gaps.ts";
import { DECODED_BYTES_A_SECOND, MAXIMUM_CHANNELS } from "../../speech/audio/decode/message.ts";

/** Samples of an unused recording are removed after this time. */
const KEPT_MILLISECONDS = 300_000;
/** Recordings whose samples are kept. Above this number, the unused one with the oldest request is removed. */
const MOST_RECORDINGS = 8;
/** Time that a decoding continues without a client. Each step to another word cancels a request, and the next request needs the same decoding. */
const PATIENCE_MILLISECONDS = 20_000;
/** How often recordings that are no longer needed, or that were deleted, are removed. */
const SWEEP_MILLISECONDS = 30_000;

export interface DecodingServices {
  decoders: Pick<DecoderPool, "decode" | "checkRoom">;
  objects: Pick<ObjectStore, "size" | "whileCopied">;
  space: FreeSpace;
  /** Emptied at every start. */
  temporaryFolder: string;
  maximumSeconds: number;
  logger: Logger;
}

export interface StoredRecording {
  file: JobFile;
  /** Number of the audio track; undefined to choose by flags and sound. */
  track: number | undefined;
  /** Account. */
  tenant: string;
}

export interface DecodedRecording {
  /** One file of samples for each channel. */
  channels: readonly string[];
  gaps: readonly Gap[];
  durationSeconds: number;
}

interface Kept extends DecodedRecording {
  objectKey: string;
  folder: string;
  users: number;
  usedAt: number;
}

export class DecodedRecordings {
  private readonly kept = new Map<string, Kept>();
  private readonly underWay = new SharedWork();
  private timer: NodeJS.Timeout | undefined;
  private isStopped = false;

  constructor(private readonly services: DecodingServices) {}

  /**
   * Passes the samples of a recording to `read`; they are kept at least until it has ended.
   * @throws stretches.no_audio if the recording is gone; as DecoderPool.decode; storage.full; decode.queue_full; work.aborted
   */
  async use<Result>(
    recording: StoredRecording,
    signal: AbortSignal,
    read: (decoded: DecodedRecording) => Promise<Result>,
  ): Promise<Result> {
    const { objects, space, decoders } = this.services;
    const { file, track, tenant } = recording;
    if ((await objects.size(file.object_key)) === undefined) throw errors.stretchWithoutAudio();
    const key = JSON.stringify([file.id, track]);
    let decoded = this.kept.get(key);
    // Samples may be removed again before this request reads them.
    while (!decoded) {
      if (this.isStopped || signal.aborted) throw errors.aborted();
      if (!this.underWay.has(key)) {
        await space.check();
        decoders.checkRoom(tenant);
      }
      await this.decodeFor(key, recording, signal);
      decoded = this.kept.get(key);
    }
    decoded.users++;
    try {
      return await read(decoded);
    } finally {
      decoded.users--;
      decoded.usedAt = performance.now();
    }
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    clearInterval(this.timer);
    await Promise.all([...this.kept.keys()].map((key) => this.remove(key)));
  }

  /** Waits for a decoding. The process aborts it when no client has waited for it for PATIENCE_MILLISECONDS. */
  private async decodeFor(key: string, recording: StoredRecording, signal: AbortSignal): Promise<void> {
    const unwanted = new AbortController();
    let leave: () => void = () => undefined;
    const left = new Promise<never>((_, reject) => {
      leave = () => {
        setTimeout(() => unwanted.abort(), PATIENCE_MILLISECONDS).unref();
        reject(errors.aborted());
      };
      if (signal.aborted) leave();
      else signal.addEventListener("abort", leave, { once: true });
    });
    const decoding = this.underWay.run(key, unwanted.signal, (gone) => this.decode(key, recording, gone));
    decoding.catch(() => undefined);
    try {
      await Promise.race([decoding, left]);
    } finally {
      signal.removeEventListener("abort", leave);
    }
  }

  private async decode(key: string, { file, track, tenant }: StoredRecording, gone: AbortSignal): Promise<void> {
    const { decoders, objects, space, temporaryFolder, maximumSeconds } = this.services;
    const folder = await mkdtemp(path.join(temporaryFolder, "stretches-"));
    try {
      const outputs = Array.from({ length: MAXIMUM_CHANNELS }, (_, channel) => path.join(folder, `${channel}.pcm`));
      const bytes = (file.audio_duration ?? 0) * (file.number_of_channels ?? 1) * DECODED_BYTES_A_SECOND;
      const options = {
        ...{ tenant, outputs, filename: file.filename, maximumSeconds },
        ...(track === undefined ? {} : { track }),
      };
      const { channels, gaps, durationSeconds } = await objects.whileCopied(file.object_key, (source) =>
        space.whileThereIsRoom(bytes, gone, (signal) => decoders.decode(source, { ...options, signal })),
      );
      if (this.isStopped) throw errors.aborted();
      const known = { channels: outputs.slice(0, channels), gaps, durationSeconds };
      this.kept.set(key, { ...known, objectKey: file.object_key, folder, users: 0, usedAt: performance.now() });
    } catch (error) {
      await rm(folder, { recursive: true, force: true });
      throw error;
    }
    await this.makeRoom(key);
    this.timer ??= setInterval(() => void this.sweep(), SWEEP_MILLISECONDS).unref();
  }

  /** @param latest  is not removed: its first request has not read it yet */
  private async makeRoom(latest: string): Promise<void> {
    const unused = [...this.kept]
      .filter(([key, { users }]) => users === 0 && key !== latest)
      .sort(([, left], [, right]) => left.usedAt - right.usedAt);
    const excess = Math.max(0, this.kept.size - MOST_RECORDINGS);
    for (const [key] of unused.slice(0, excess)) await this.remove(key).catch((error: unknown) => this.logKept(error));
  }

  /** A request needs only its own recording. If other recordings cannot be removed, it continues. */
  private logKept(error: unknown): void {
    this.services.logger.warn(
      { err: error },
      "the samples of a recording could not be removed; the next start of the service removes them",
    );
  }

  /** Removes the samples of recordings that were not used for a while, or whose audio was deleted. */
  private async sweep(): Promise<void> {
    const { objects } = this.services;
    for (const [key, { users, usedAt, objectKey }] of [...this.kept]) {
      if (users > 0) continue;
      try {
        const isOld = performance.now() - usedAt > KEPT_MILLISECONDS;
        if (isOld || (await objects.size(objectKey)) === undefined) await this.remove(key);
      } catch (error) {
        this.logKept(error);
      }
    }
    if (this.kept.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }

  private async remove(key: string): Promise<void> {
    const decoded = this.kept.get(key);
    if (!decoded) return;
    this.kept.delete(key);
    await rm(decoded.folder, { recursive: true, force: true });
  }
}
