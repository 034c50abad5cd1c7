// Client of the transcript process, which reads results and writes transcripts. The process starts on demand and stops
// when idle. Accounts take turns: exports of long transcripts do not delay another account's short one.
import type { ChildEnvironment } from "../../config/load.ts";
import type { JobPart } from "../../contract/voices.ts";
import { errors } from "../../errors.ts";
import { FairSlots } from "../../fairness/fair-slots.ts";
import { entryFile } from "../../process/entry.ts";
import { SupervisedProcess } from "../../process/supervised-process.ts";
import type { Correction, TranscriptChange } from "../../transcript/correction.ts";
import type { SpeakerIdentity } from "../../transcript/transcript.ts";
import type { Answer, AnswerRequest } from "../openai-answer.ts";
import type { Paper, TranscriptRequest, TranscriptResponse } from "./message.ts";

const READY_TIMEOUT_MILLISECONDS = 30_000;
const CALL_TIMEOUT_MILLISECONDS = 120_000;
/** Bounds of waiting requests, per account and in total; further ones are answered 503. */
const WAITING_PER_TENANT = 128;
const WAITING = 2_048;
const IDLE_MILLISECONDS = 30_000;
/** A semi-space of 2 MB instead of 32; together with `collectEvery` in child.ts it keeps the process at 50 MB. */
const MEMORY_ARGUMENTS = ["--expose-gc", "--max-semi-space-size=2"];

export class TranscriptProcess {
  private readonly process: SupervisedProcess<TranscriptRequest, TranscriptResponse>;
  /** One call at a time: the process has one thread, and a call that hangs ends it. */
  private readonly turns = new FairSlots({
    slots: 1,
    waitingPerTenant: WAITING_PER_TENANT,
    waiting: WAITING,
    full: errors.transcriptsBusy,
  });

  constructor(environment: ChildEnvironment) {
    this.process = new SupervisedProcess({
      name: "transcript",
      file: entryFile("./child.js", import.meta.url),
      readyTimeoutMilliseconds: READY_TIMEOUT_MILLISECONDS,
      environment,
      execArguments: MEMORY_ARGUMENTS,
      idleMilliseconds: IDLE_MILLISECONDS,
    });
  }

  /** Writes a transcript. @param output  a path that does not exist yet */
  async write(
    tenant: string,
    {
      result,
      corrections,
      names,
    }: { result: string; corrections: readonly Correction[]; names: readonly SpeakerIdentity[] },
    paper: Paper,
  ): Promise<void> {
    await this.request(tenant, { kind: "write", result, corrections, names, ...paper });
  }

  /** Writes a result with the names of its speakers. @param output  a path that does not exist yet */
  async name(tenant: string, result: string, names: readonly SpeakerIdentity[], output: string): Promise<void> {
    await this.request(tenant, { kind: "name", result, names, output });
  }

  /** Where a part of a transcript is spoken by one person alone. */
  async stretches(tenant: string, result: string, corrections: readonly Correction[], part: JobPart) {
    const response = await this.request(tenant, { kind: "stretches", result, corrections, part });
    if (response.kind !== "stretches") throw errors.internal(response);
    return response;
  }

  /** The text of the corrected transcript. */
  async text(tenant: string, result: string, corrections: readonly Correction[]): Promise<string> {
    const response = await this.request(tenant, { kind: "text", result, corrections });
    return response.kind === "text" ? response.text : "";
  }

  /** @returns why a result is unreadable; undefined if it is readable */
  async problemOf(tenant: string, result: string): Promise<string | undefined> {
    const response = await this.request(tenant, { kind: "read", result });
    return response.kind === "readable" ? response.problem : undefined;
  }

  /** @throws translation.failed */
  async answer(tenant: string, result: string, request: AnswerRequest): Promise<Answer> {
    const response = await this.request(tenant, { kind: "answer", result, request });
    if (response.kind !== "answered") throw errors.internal(response);
    return response.answer;
  }

  /** @returns a sentence for each part of the change that does not match the transcript */
  async check(
    tenant: string,
    result: string,
    change: TranscriptChange,
    corrections: readonly Correction[],
  ): Promise<string[]> {
    const response = await this.request(tenant, { kind: "check", result, change, corrections });
    return response.kind === "checked" ? response.problems : [];
  }

  async stop(): Promise<void> {
    await this.process.stop();
  }

  private request(tenant: string, request: TranscriptRequest): Promise<TranscriptResponse> {
    return this.turns.run(tenant, () => this.process.call(request, { timeoutMilliseconds: CALL_TIMEOUT_MILLISECONDS }));
  }
}
