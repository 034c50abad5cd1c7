// Noise suppression for live streams, in a process that starts with the first stream that needs it.
import type { Logger } from "pino";
import type { ChildEnvironment } from "../../../platform/config/load.ts";
import { entryFile } from "../../../platform/process/entry.ts";
import { SupervisedProcess } from "../../../platform/process/supervised-process.ts";
import type { EnhanceRequest, EnhanceResponse } from "./message.ts";
import { FRAME_SAMPLES } from "./suppressor.ts";

const READY_TIMEOUT_MILLISECONDS = 30_000;
const CALL_TIMEOUT_MILLISECONDS = 10_000;

export type EnhancedFrames = Omit<Extract<EnhanceResponse, { kind: "enhanced" }>, "kind">;

export class Enhancer {
  private readonly process: SupervisedProcess<EnhanceRequest, EnhanceResponse>;
  private last: Promise<unknown> = Promise.resolve();
  private isStopped = false;

  constructor(
    environment: ChildEnvironment,
    private readonly logger: Logger,
  ) {
    this.process = new SupervisedProcess({
      name: "enhancer",
      file: entryFile("./child.js", import.meta.url),
      readyTimeoutMilliseconds: READY_TIMEOUT_MILLISECONDS,
      environment,
    });
  }

  /**
   * @param samples  16 kHz, whole frames
   * @returns undefined if the process failed: it then has no earlier audio of any stream
   */
  async enhance(stream: string, samples: Float32Array): Promise<EnhancedFrames | undefined> {
    try {
      const answer = await this.enqueue({ kind: "enhance", stream, samples });
      if (answer.kind === "enhanced") return answer;
    } catch (error) {
      if (!this.isStopped)
        this.logger.warn({ err: error, stream }, "enhancement failed; the audio is passed on unchanged");
    }
    return undefined;
  }

  /** Frees the state of a stream. */
  async end(stream: string): Promise<void> {
    await this.enqueue({ kind: "end", stream }).catch(() => undefined);
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    await this.process.stop();
  }

  private enqueue(request: EnhanceRequest): Promise<EnhanceResponse> {
    const answer = this.last.then(() => this.process.call(request, { timeoutMilliseconds: CALL_TIMEOUT_MILLISECONDS }));
    this.last = answer.catch(() => undefined);
    return answer;
  }
}

export { FRAME_SAMPLES };
