// Decoder processes kept warm (loading FFmpeg costs a third of a second) and replaced after so many files, so that
// what one file leaves behind in memory does not pile up.
import { errors } from "../../errors.ts";
import { entryFile } from "../../process/entry.ts";
import { SupervisedProcess } from "../../process/supervised-process.ts";
import type { DecodeAnswer, DecoderRequest, DecoderResponse, ProbeAnswer } from "./message.ts";

export interface DecoderPoolOptions {
  processes: number;
  memoryLimitBytes: number;
  environment: Record<string, string>;
}

export interface DecodeOptions {
  outputs: string[];
  maximumSeconds: number;
  signal?: AbortSignal;
  /** Share of the file that is decoded, 0 to 1. */
  onProgress?: (share: number) => void;
}

type DecoderProcess = SupervisedProcess<DecoderRequest, DecoderResponse>;
interface Slot {
  process: DecoderProcess;
  files: number;
}

const READY_TIMEOUT_MILLISECONDS = 30_000;
const FILES_PER_PROCESS = 500;
const PROBE_TIMEOUT_MILLISECONDS = 60_000;
/** Decoding runs some hundred times faster than real time; a file that needs a tenth of that hangs. */
const DECODE_TIMEOUT_BASE_MILLISECONDS = 60_000;
const DECODE_TIMEOUT_PER_AUDIO_SECOND = 100;

export class DecoderPool {
  private readonly idle: Slot[] = [];
  private readonly waiting: ((slot: Slot) => void)[] = [];
  private readonly all: Slot[];

  constructor(private readonly options: DecoderPoolOptions) {
    this.all = Array.from({ length: options.processes }, () => ({ process: this.createProcess(), files: 0 }));
    this.idle.push(...this.all);
  }

  async start(): Promise<void> {
    await Promise.all(this.all.map((slot) => slot.process.start()));
  }

  /** @throws media.not_decodable, media.no_audio_track, media.empty, process.died, process.timeout */
  async probe(path: string): Promise<ProbeAnswer> {
    const answer = await this.run({ kind: "probe", path }, { timeoutMilliseconds: PROBE_TIMEOUT_MILLISECONDS });
    if (answer.kind !== "probe") throw errors.processFailed("decoder", `it answered ${answer.kind}`);
    return answer;
  }

  /** As probe, and media.too_long. Outputs of a failed decoding may exist in part; their owner removes them. */
  async decode(path: string, options: DecodeOptions): Promise<DecodeAnswer> {
    const { outputs, maximumSeconds, signal, onProgress } = options;
    const timeoutMilliseconds = DECODE_TIMEOUT_BASE_MILLISECONDS + maximumSeconds * DECODE_TIMEOUT_PER_AUDIO_SECOND;
    const answer = await this.run(
      { kind: "decode", path, outputs, maximumSeconds },
      { timeoutMilliseconds, ...(signal ? { signal } : {}), ...(onProgress ? { onProgress } : {}) },
    );
    if (answer.kind !== "decode") throw errors.processFailed("decoder", `it answered ${answer.kind}`);
    return answer;
  }

  async stop(): Promise<void> {
    await Promise.all(this.all.map((slot) => slot.process.stop()));
  }

  private async run(
    request: DecoderRequest,
    call: { timeoutMilliseconds: number; signal?: AbortSignal; onProgress?: (share: number) => void },
  ): Promise<DecoderResponse> {
    const slot = this.idle.pop() ?? (await new Promise<Slot>((resolve) => this.waiting.push(resolve)));
    try {
      return await slot.process.call(request, call);
    } finally {
      if (++slot.files >= FILES_PER_PROCESS) {
        await slot.process.stop();
        slot.files = 0;
      }
      const next = this.waiting.shift();
      if (next) next(slot);
      else this.idle.push(slot);
    }
  }

  private createProcess(): DecoderProcess {
    return new SupervisedProcess({
      name: "decoder",
      file: entryFile("./child.js", import.meta.url),
      readyTimeoutMilliseconds: READY_TIMEOUT_MILLISECONDS,
      memoryLimitBytes: this.options.memoryLimitBytes,
      environment: this.options.environment,
    });
  }
}
