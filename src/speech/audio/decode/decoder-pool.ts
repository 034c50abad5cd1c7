// A pool of decoder processes, as loading FFmpeg takes a third of a second. Files are decoded in turns of a fifth of a
// second, so that long recordings do not delay another account's upload.
import path from "node:path";
import type { AudioRange } from "../../../contract/pre-recorded.ts";
import type { ChildEnvironment } from "../../../platform/config/load.ts";
import { errors, type ParlanceError } from "../../../platform/errors.ts";
import { entryFile } from "../../../platform/process/entry.ts";
import type { FoundLeaks } from "../leaks/recording-leaks.ts";
import { decodeAnswer, leaksAnswer, probeAnswer } from "./answers.ts";
import { DecodeQueue, type MediaFile } from "./decode-queue.ts";
import { DecoderProcess } from "./decoder-process.ts";
import type { DecodeAnswer, MediaAnswer, MediaTask, ProbeAnswer } from "./message.ts";

export interface DecoderPoolOptions {
  processes: number;
  memoryLimitBytes: number;
  environment: ChildEnvironment;
}

export interface ProbeOptions {
  /** Account of the file, for fair scheduling. */
  tenant: string;
  /** Longer audio is refused if its duration has to be counted. */
  maximumSeconds: number;
  /** Its extension determines the format of files without a header. */
  filename?: string;
  signal?: AbortSignal;
}

export interface DecodeOptions extends ProbeOptions {
  outputs: string[];
  /** Number of the audio track; undefined to choose by flags and sound. */
  track?: number;
  /** Part of the recording to decode. */
  range?: AudioRange;
  /** It crashed a decoder process before: it is decoded in an isolated process. */
  isSuspect?: boolean;
  /** Called with the decoded share, 0 to 1. */
  onProgress?: (share: number) => void;
}

/** Lower case, without the dot. */
function extensionOf(filename = ""): { extension?: string } {
  const extension = path.extname(filename).slice(1).toLowerCase();
  return extension === "" ? {} : { extension };
}

const READY_TIMEOUT_MILLISECONDS = 30_000;
/** The first process stays; the others start with several files at once, and end when there were none for this long. */
const IDLE_MILLISECONDS = 60_000;

export class DecoderPool {
  private readonly queue = new DecodeQueue();
  private readonly shared: DecoderProcess[];
  private readonly isolated: DecoderProcess;
  private nextId = 0;
  private isStopped = false;

  constructor({ processes, memoryLimitBytes, environment }: DecoderPoolOptions) {
    const create = (isIsolated: boolean, staysIdle = false) =>
      new DecoderProcess(
        this.queue,
        {
          name: "decoder",
          file: entryFile("./child.js", import.meta.url),
          readyTimeoutMilliseconds: READY_TIMEOUT_MILLISECONDS,
          memoryLimitBytes,
          environment,
          ...(staysIdle ? {} : { idleMilliseconds: IDLE_MILLISECONDS }),
        },
        isIsolated,
        (file, error) => this.afterLoss(file, error),
      );
    this.shared = Array.from({ length: processes }, (_, at) => create(false, at === 0));
    this.isolated = create(true);
  }

  /** Starts the first process ahead of its first file. */
  async start(): Promise<void> {
    await this.shared[0]?.start();
  }

  /** @throws decode.queue_full if the bound of waiting uploads is reached */
  checkRoom(tenant: string): void {
    this.queue.checkRoom(tenant);
  }

  /**
   * Probes a file. A file that crashes its process is retried once in an isolated process.
   * @throws media.not_decodable, media.no_audio_track, media.empty, media.too_long, media.time_limit, work.aborted
   */
  async probe(file: string, { maximumSeconds, filename, ...options }: ProbeOptions): Promise<ProbeAnswer> {
    const extension = extensionOf(filename);
    return probeAnswer(await this.read({ kind: "probe", path: file, maximumSeconds, ...extension }, options));
  }

  /**
   * Decodes a file. The caller counts lost processes. Outputs of a failed decoding may be incomplete; their owner
   * removes them.
   * @throws as probe; media.no_such_track, media.empty_range, process.died, process.timeout
   */
  async decode(
    file: string,
    { outputs, track, range, maximumSeconds, filename, ...options }: DecodeOptions,
  ): Promise<DecodeAnswer> {
    const named = {
      ...(track === undefined ? {} : { track }),
      ...(range === undefined ? {} : { range }),
      ...extensionOf(filename),
    };
    return decodeAnswer(await this.read({ kind: "decode", path: file, outputs, maximumSeconds, ...named }, options));
  }

  /**
   * Removes the leaks between decoded channels.
   * @param files    samples of each channel
   * @param outputs  files for the samples of the channels that something leaks into
   * @returns the leaks, and where a channel has nothing else; without any, nothing is written
   * @throws as decode
   */
  async removeLeaks(
    files: readonly string[],
    outputs: readonly string[],
    options: Pick<DecodeOptions, "tenant" | "signal" | "isSuspect">,
  ): Promise<FoundLeaks> {
    const task: MediaTask = { kind: "leaks", files: [...files], outputs: [...outputs] };
    return leaksAnswer(await this.read(task, options), files.length);
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    await Promise.all([...this.shared, this.isolated].map((process) => process.stop()));
    this.queue.clear(errors.aborted());
  }

  private read(
    task: MediaTask,
    {
      tenant,
      signal,
      isSuspect = false,
      onProgress,
    }: Omit<DecodeOptions, "outputs" | "track" | "range" | "maximumSeconds" | "filename">,
  ): Promise<MediaAnswer> {
    if (signal?.aborted || this.isStopped) return Promise.reject(errors.aborted());
    return new Promise((resolve, reject) => {
      const settle = () => signal?.removeEventListener("abort", onAbort);
      const file: MediaFile = {
        id: this.nextId++,
        tenant,
        task,
        isSuspect,
        place: undefined,
        openedBy: undefined,
        cancellation: undefined,
        spentMilliseconds: 0,
        losses: 0,
        resolve: (answer) => {
          settle();
          resolve(answer);
        },
        reject: (error) => {
          settle();
          reject(error);
        },
        progress: (share) => onProgress?.(share),
      };
      const onAbort = () => this.cancel(file);
      signal?.addEventListener("abort", onAbort, { once: true });
      this.queue.add(file);
      this.wake();
    });
  }

  /** An open file is closed after its turn; until then its outputs are written to. */
  private cancel(file: MediaFile): void {
    file.cancellation = errors.aborted();
    if (file.place) {
      this.wake();
      return;
    }
    this.queue.remove(file);
    file.reject(file.cancellation);
  }

  private afterLoss(file: MediaFile, error: ParlanceError): void {
    const { task, cancellation, isSuspect } = file;
    if (cancellation || task.kind !== "probe" || isSuspect) {
      this.queue.remove(file);
      const ofFile = task.kind !== "probe" ? error : errors.notDecodable("it ended or stopped the decoder twice");
      file.reject(cancellation ?? ofFile);
    } else {
      file.isSuspect = true;
    }
    this.wake();
  }

  private wake(): void {
    for (const process of [...this.shared, this.isolated]) process.wake();
  }
}
