// The service's side of the process that reads results and writes transcripts. It starts when it is needed and ends when
// it was not for a while.
import { errors } from "../../errors.ts";
import type { Answer, AnswerRequest } from "../../openai/answer.ts";
import { entryFile } from "../../process/entry.ts";
import { SupervisedProcess } from "../../process/supervised-process.ts";
import type { Correction, TranscriptChange } from "../corrections.ts";
import type { Format } from "../formats/format.ts";
import type { ClerkRequest, ClerkResponse } from "./message.ts";

const READY_TIMEOUT_MILLISECONDS = 30_000;
const CALL_TIMEOUT_MILLISECONDS = 120_000;
const IDLE_MILLISECONDS = 30_000;
/** What is new has 2 MB, not 32; see also `collectEvery` in its file: a process of 50 MB stays one. */
const MEMORY_ARGUMENTS = ["--expose-gc", "--max-semi-space-size=2"];

export class Clerk {
  private readonly process: SupervisedProcess<ClerkRequest, ClerkResponse>;
  private calls = 0;
  private idle: NodeJS.Timeout | undefined;

  constructor(environment: Record<string, string>) {
    this.process = new SupervisedProcess({
      name: "transcript",
      file: entryFile("./child.js", import.meta.url),
      readyTimeoutMilliseconds: READY_TIMEOUT_MILLISECONDS,
      environment,
      execArguments: MEMORY_ARGUMENTS,
    });
  }

  /** Writes a transcript. @param output  a path that does not exist yet */
  async write(
    result: string,
    corrections: readonly Correction[],
    paper: { format: Format; title: string; createdAt: string; output: string },
  ): Promise<void> {
    await this.ask({ kind: "write", result, corrections, ...paper });
  }

  /** The transcript as it reads. */
  async text(result: string, corrections: readonly Correction[]): Promise<string> {
    const response = await this.ask({ kind: "text", result, corrections });
    return response.kind === "text" ? response.text : "";
  }

  /** @throws translation.failed */
  async answer(result: string, request: AnswerRequest): Promise<Answer> {
    const response = await this.ask({ kind: "answer", result, request });
    if (response.kind !== "answered") throw errors.internal(response);
    return response.answer;
  }

  /** @returns a sentence for each thing that the change names and the transcript does not have */
  async check(result: string, change: TranscriptChange): Promise<string[]> {
    const response = await this.ask({ kind: "check", result, change });
    return response.kind === "checked" ? response.problems : [];
  }

  async stop(): Promise<void> {
    clearTimeout(this.idle);
    await this.process.stop();
  }

  private async ask(request: ClerkRequest): Promise<ClerkResponse> {
    clearTimeout(this.idle);
    this.calls++;
    try {
      return await this.process.call(request, { timeoutMilliseconds: CALL_TIMEOUT_MILLISECONDS });
    } finally {
      this.calls--;
      if (this.calls === 0) {
        this.idle = setTimeout(() => void (this.calls === 0 && this.process.stop()), IDLE_MILLISECONDS).unref();
      }
    }
  }
}
