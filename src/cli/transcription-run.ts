// The work of `parlance transcribe`: recordings, a few at once, their outputs, and what is printed about each.

import { readFile, rm } from "node:fs/promises";
import type { AddonResult, Transcription, TranscriptionResult } from "../contract/transcript/transcript.ts";
import type { Format } from "../contract/transcript-formats.ts";
import { toParlanceError } from "../platform/errors.ts";
import { corrected } from "../service/transcripts/corrections.ts";
import { writeTranscript } from "../service/transcripts/formats/write.ts";
import { OutputFiles, type TranscriptionTask } from "./output-files.ts";
import { ProgressBar } from "./progress-bar.ts";
import type { RequestOptions } from "./request-options.ts";
import { mayPass } from "./service-jobs.ts";
import type { OptionalServiceOptions } from "./service-options.ts";
import { nameOf } from "./source-name.ts";
import { writeContent } from "./terminal-text.ts";
import { type Outcome, report, shownSource, warningsOf } from "./transcribe-report.ts";
import { PIPE, type Transcriber } from "./transcriber.ts";

/** Recordings at once: the model processes segments of several recordings in one batch. */
const AT_ONCE = 4;

export interface TranscribeOptions extends RequestOptions, OptionalServiceOptions {
  format: Format[];
  maxLineWidth?: number;
  quiet?: boolean;
  save?: boolean;
  outputDir?: string;
  watch?: boolean;
  force?: boolean;
  json?: boolean;
}

/** The same result with the English translation as its transcript. */
function translatedResult(result: TranscriptionResult): TranscriptionResult {
  const { success, error, results } = result["translation"] as AddonResult<Transcription[]>;
  if (!success || !results[0]) throw new Error(error?.message ?? "the translation failed");
  return { ...result, transcription: results[0] };
}

async function read(
  transcriber: Transcriber,
  source: string,
  options: TranscribeOptions,
  bar: ProgressBar,
  place: string,
) {
  const name = source === PIPE ? "standard input" : nameOf(source).base;
  const file = await transcriber.transcribe(source, (stage, share) => bar.show(`${place}${name}: ${stage}`, share));
  const result = JSON.parse(await readFile(file, "utf8")) as TranscriptionResult;
  // A watch runs for days.
  await rm(file, { force: true });
  return options.toEnglish ? translatedResult(result) : result;
}

async function print(
  source: string,
  result: TranscriptionResult,
  format: Format,
  { maxLineWidth }: TranscribeOptions,
): Promise<string | Uint8Array> {
  const paper = {
    title: source === PIPE ? "Recording" : nameOf(source).name,
    createdAt: new Date().toISOString(),
    result,
    transcription: corrected(result.transcription, []),
    ...(maxLineWidth === undefined ? {} : { maximumCharactersPerRow: maxLineWidth }),
  };
  return writeTranscript(paper, format);
}

export class TranscriptionRun {
  failures = 0;
  private isEnding = false;
  private isStopped = false;
  private readonly bar: ProgressBar;
  private readonly files: OutputFiles;

  constructor(
    private readonly transcriber: Transcriber,
    private readonly options: TranscribeOptions,
  ) {
    this.files = new OutputFiles(options.force === true);
    this.bar = new ProgressBar(options.quiet !== true);
  }

  /** Begins no further task. The tasks that run are completed. */
  end(): void {
    this.isEnding = true;
  }

  /** Begins no further task. Failures of the tasks that run are not reported. */
  stop(): void {
    this.isEnding = true;
    this.isStopped = true;
  }

  /**
   * Runs the tasks, a few at once. A failure is printed; the other tasks continue.
   * @returns the sources whose failure may pass: the service did not answer
   */
  async all(tasks: readonly TranscriptionTask[]): Promise<string[]> {
    const interrupted: string[] = [];
    const left = [...tasks.entries()];
    const worker = async () => {
      for (let next = left.shift(); next && !this.isEnding; next = left.shift()) {
        const [index, task] = next;
        const failure = await this.one(task, tasks.length > 1 ? `${index + 1}/${tasks.length} ` : "");
        if (mayPass(failure)) interrupted.push(task.source);
      }
    };
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, tasks.length) }, worker));
    this.bar.clear();
    return interrupted;
  }

  /** @returns the error, if the task failed */
  private async one(task: TranscriptionTask, place: string): Promise<unknown> {
    const { source, outputs } = task;
    const { options, bar } = this;
    try {
      const open = await this.files.open(task);
      const result = await read(this.transcriber, source, options, bar, place);
      bar.clear();
      const warnings = warningsOf(result);
      this.note(source, result);
      if (!outputs) {
        writeContent(process.stdout, await print(source, result, options.format[0] ?? "txt", options));
        return undefined;
      }
      for (const { format, file } of open) {
        await this.files.write(file, await print(source, result, format, options));
      }
      const files = open.map(({ file }) => file);
      const text = result.transcription.full_transcript;
      this.report({ source, files, text, ...(warnings.length > 0 ? { warnings } : {}) });
      return undefined;
    } catch (thrown) {
      bar.clear();
      // Ctrl-C ends the task.
      if (this.isStopped) return undefined;
      this.failures++;
      const { status, message } = toParlanceError(thrown);
      this.report({ source, error: status >= 500 && thrown instanceof Error ? thrown.message : message });
      return thrown;
    }
  }

  /** Prints what was skipped and, of a file with several audio tracks, which one was used. Transcripts are on standard output. */
  private note(source: string, result: TranscriptionResult): void {
    if (this.options.json || this.options.quiet) return;
    const { audio_track, number_of_audio_tracks = 1 } = result.metadata;
    const notes = warningsOf(result);
    if (number_of_audio_tracks > 1 && this.options.track === undefined) {
      notes.push(
        `audio track ${audio_track} of ${number_of_audio_tracks} was used, counted from 0; --track chooses another one`,
      );
    }
    for (const note of notes) process.stderr.write(`parlance: ${shownSource(source)}: ${note}\n`);
  }

  private report(outcome: Outcome): void {
    report(outcome, this.options);
  }
}
