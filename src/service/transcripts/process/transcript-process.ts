// Client of the transcript process, which reads results and writes transcripts. The process starts on demand and stops
// when idle. Accounts take turns: exports of long transcripts do not delay another account's short one.

import type { PrintedCorrection, TranscriptChange } from "../../../contract/transcript/correction.ts";
import type { SpeakerIdentity } from "../../../contract/transcript/transcript.ts";
import type { JobPart } from "../../../contract/voices.ts";
import type { ChildEnvironment } from "../../../platform/config/load.ts";
import { errors } from "../../../platform/errors.ts";
import { entryFile } from "../../../platform/process/entry.ts";
import { FairSlots } from "../../../platform/process/fairness/fair-slots.ts";
import { SupervisedProcess } from "../../../platform/process/supervised-process.ts";
import type { Answer } from "../answer-parts.ts";
import type { AnswerRequest } from "../interface-answer.ts";
import type { NotedWords } from "../noted-words.ts";
import type { Phrase, PlaceTime } from "../teaching/phrase-places.ts";
import type { TranscriptPage } from "../transcript-pages.ts";
import type { PagePaper, Paper, SearchableTranscript, TranscriptRequest, TranscriptResponse } from "./message.ts";

const READY_TIMEOUT_MILLISECONDS = 30_000;
const CALL_TIMEOUT_MILLISECONDS = 120_000;
/** Bounds of waiting requests, per account and in total; further ones are answered 503. */
const WAITING_PER_TENANT = 128;
const WAITING = 2_048;
const IDLE_MILLISECONDS = 30_000;
/** A semi-space of 2 MB instead of 32; together with `collectEvery` in child.ts it keeps the process at 50 MB. */
const MEMORY_ARGUMENTS = ["--expose-gc", "--max-semi-space-size=2"];

/** Time that a running call has to complete after its client has disconnected. */
const LEFT_MILLISECONDS = 500;

/** Account and client of a call. */
export interface TranscriptCaller {
  /** Account. */
  tenant: string;
  /** Aborted when the client has disconnected: a waiting call is removed, a running one ended soon. */
  signal?: AbortSignal | undefined;
}

export interface CorrectedResult {
  /** File of the stored result. */
  result: string;
  /** Reads the corrections when the call's turn has come. */
  corrections: () => Promise<readonly PrintedCorrection[]>;
}

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

  /** Writes a transcript. @param paper  format and options; its `output` is a path that does not exist yet */
  async write(
    { tenant, signal }: TranscriptCaller,
    { result, corrections, names }: CorrectedResult & { names: readonly SpeakerIdentity[] },
    paper: Paper,
  ): Promise<void> {
    const prepare = async () => ({ kind: "write" as const, result, corrections: await corrections(), names, ...paper });
    await this.request({ tenant, signal }, prepare);
  }

  /** A page of a transcript as text. */
  async page(
    caller: TranscriptCaller,
    { result, corrections, names }: CorrectedResult & { names: readonly SpeakerIdentity[] },
    paper: PagePaper,
  ): Promise<TranscriptPage> {
    const prepare = async () => ({ kind: "page" as const, result, corrections: await corrections(), names, ...paper });
    const response = await this.request(caller, prepare);
    if (response.kind !== "page") throw errors.internal(response);
    return response;
  }

  /** Writes a result with the names of its speakers. @param output  a path that does not exist yet */
  async name(
    caller: TranscriptCaller,
    result: string,
    names: readonly SpeakerIdentity[],
    output: string,
  ): Promise<void> {
    await this.request(caller, async () => ({ kind: "name", result, names, output }));
  }

  /** Where a part of a transcript is spoken by one person alone. */
  async stretches(caller: TranscriptCaller, { result, corrections }: CorrectedResult, part: JobPart) {
    const prepare = async () => ({ kind: "stretches" as const, result, corrections: await corrections(), part });
    const response = await this.request(caller, prepare);
    if (response.kind !== "stretches") throw errors.internal(response);
    return response;
  }

  /** Text, languages and speakers of the corrected transcript. */
  async text(caller: TranscriptCaller, { result, corrections }: CorrectedResult): Promise<SearchableTranscript> {
    const prepare = async () => ({ kind: "text" as const, result, corrections: await corrections() });
    const response = await this.request(caller, prepare);
    if (response.kind !== "text") throw errors.internal(response);
    return response;
  }

  /** Places of a phrase. @param after  the place after which they are listed @param most  number of places that are returned */
  async places(
    caller: TranscriptCaller,
    { result, corrections }: CorrectedResult,
    phrase: Phrase,
    { after, most }: { after: PlaceTime | undefined; most: number },
  ) {
    const prepare = async () => ({
      ...{ kind: "places" as const, result, corrections: await corrections() },
      ...{ phrase, after, most },
    });
    const response = await this.request(caller, prepare);
    if (response.kind !== "places") throw errors.internal(response);
    return response;
  }

  /** @returns the corrected text of words; undefined without words */
  async quote(
    caller: TranscriptCaller,
    { result, corrections }: CorrectedResult,
    words: NotedWords,
  ): Promise<string | undefined> {
    const prepare = async () => ({ kind: "quote" as const, result, corrections: await corrections(), words });
    const response = await this.request(caller, prepare);
    if (response.kind !== "quote") throw errors.internal(response);
    return response.quote;
  }

  /** @returns why a result is unreadable; undefined if it is readable */
  async problemOf(caller: TranscriptCaller, result: string): Promise<string | undefined> {
    const response = await this.request(caller, async () => ({ kind: "read", result }));
    return response.kind === "readable" ? response.problem : undefined;
  }

  /** @throws translation.failed, recognition.no_speech */
  async answer(
    caller: TranscriptCaller,
    { result, corrections }: CorrectedResult,
    request: AnswerRequest,
  ): Promise<Answer> {
    const prepare = async () => ({ kind: "answer" as const, result, corrections: await corrections(), request });
    const response = await this.request(caller, prepare);
    if (response.kind !== "answered") throw errors.internal(response);
    return response.answer;
  }

  /** @returns a sentence for each part of the change that does not match the transcript */
  async check(
    caller: TranscriptCaller,
    { result, corrections }: CorrectedResult,
    change: TranscriptChange,
  ): Promise<string[]> {
    const prepare = async () => ({ kind: "check" as const, result, change, corrections: await corrections() });
    const response = await this.request(caller, prepare);
    return response.kind === "checked" ? response.problems : [];
  }

  async stop(): Promise<void> {
    await this.process.stop();
  }

  /**
   * @param prepare  called when it is the call's turn: up to 2,048 calls wait, and a request may have 20 MB of corrections
   * @throws work.aborted when the client has disconnected; what `prepare` throws
   */
  private request(
    { tenant, signal }: TranscriptCaller,
    prepare: () => Promise<TranscriptRequest>,
  ): Promise<TranscriptResponse> {
    const work = async () => {
      const request = await prepare();
      if (signal?.aborted) throw errors.aborted();
      const overdue = afterLeaving(signal);
      try {
        return await this.process.call(request, {
          timeoutMilliseconds: CALL_TIMEOUT_MILLISECONDS,
          signal: overdue.signal,
        });
      } finally {
        overdue.dispose();
      }
    };
    return this.turns.run(tenant, work, signal);
  }
}

/** An abort ends the process; a call that is almost complete costs less than another start. */
function afterLeaving(signal: AbortSignal | undefined): { signal: AbortSignal; dispose(): void } {
  const overdue = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const onAbort = () => {
    timer = setTimeout(() => overdue.abort(), LEFT_MILLISECONDS);
  };
  signal?.addEventListener("abort", onAbort, { once: true });
  return {
    signal: overdue.signal,
    dispose: () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
    },
  };
}
