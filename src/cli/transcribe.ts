// parlance transcribe: recordings to text, subtitles or documents, on this machine or by a service.

import { readFile } from "node:fs/promises";
import path from "node:path";
import type { Command } from "commander";
import type { AddonResult, Transcription, TranscriptionResult } from "../contract/transcript/transcript.ts";
import { FORMATS, type Format } from "../contract/transcript-formats.ts";
import { isAddress } from "../platform/addresses/web-url.ts";
import { PARLANCE } from "../platform/command-prefix.ts";
import { loadSettings } from "../platform/config/load.ts";
import { toParlanceError } from "../platform/errors.ts";
import { sleep } from "../platform/process/sleep.ts";
import { corrected } from "../service/transcripts/corrections.ts";
import { writeTranscript } from "../service/transcripts/formats/write.ts";
import { isDone, OutputFiles, type TranscriptionTask, withDistinctOutputs } from "./output-files.ts";
import { ProgressBar } from "./progress-bar.ts";
import { addRequestOptions, type RequestOptions, requestOf, unusedSwitching } from "./request-options.ts";
import { mayPass } from "./service-jobs.ts";
import { addOptionalServiceOptions, type OptionalServiceOptions, optionalServiceOf } from "./service-options.ts";
import { startServiceTranscriber } from "./service-transcriber.ts";
import { writeContent } from "./terminal-text.ts";
import { type Outcome, report, reportLeftOut, reportNoWork, shownSource, warningsOf } from "./transcribe-report.ts";
import { PIPE, type Transcriber } from "./transcriber.ts";
import { isFolder, NO_RECORDINGS, namedSources, type Source } from "./transcription-sources.ts";
import { UsageError } from "./usage-error.ts";
import { SettledFiles } from "./watch-folders.ts";
import { unusedWidth, widthOption } from "./width-option.ts";

/** Recordings at once: the model processes segments of several recordings in one batch. */
const AT_ONCE = 4;
const LOOK_MILLISECONDS = 1_000;

interface Options extends RequestOptions, OptionalServiceOptions {
  format: Format[];
  maxLineWidth?: number;
  quiet?: boolean;
  save?: boolean;
  outputDir?: string;
  watch?: boolean;
  force?: boolean;
  json?: boolean;
}

function formatsOf(text: string): Format[] {
  const names = text.split(",").map((name) => (name === "text" ? "txt" : name));
  const strange = names.find((name) => !(FORMATS as readonly string[]).includes(name));
  if (strange !== undefined) throw new UsageError(`--format must be one of ${FORMATS.join(", ")}; it is ${strange}`);
  return names as Format[];
}

/** The same result with the English translation as its transcript. */
function translatedResult(result: TranscriptionResult): TranscriptionResult {
  const { success, error, results } = result["translation"] as AddonResult<Transcription[]>;
  if (!success || !results[0]) throw new Error(error?.message ?? "the translation failed");
  return { ...result, transcription: results[0] };
}

async function read(transcriber: Transcriber, source: string, options: Options, bar: ProgressBar, place: string) {
  const name = source === PIPE ? "standard input" : path.basename(source);
  const file = await transcriber.transcribe(source, (stage, share) => bar.show(`${place}${name}: ${stage}`, share));
  const result = JSON.parse(await readFile(file, "utf8")) as TranscriptionResult;
  return options.toEnglish ? translatedResult(result) : result;
}

async function print(
  source: string,
  result: TranscriptionResult,
  format: Format,
  { maxLineWidth }: Options,
): Promise<string | Uint8Array> {
  const paper = {
    title: source === PIPE ? "Recording" : path.parse(source).name,
    createdAt: new Date().toISOString(),
    result,
    transcription: corrected(result.transcription, []),
    ...(maxLineWidth === undefined ? {} : { maximumCharactersPerRow: maxLineWidth }),
  };
  return writeTranscript(paper, format);
}

class Run {
  failures = 0;
  private isStopped = false;
  private readonly bar: ProgressBar;
  private readonly files: OutputFiles;

  constructor(
    private readonly transcriber: Transcriber,
    private readonly options: Options,
  ) {
    this.files = new OutputFiles(options.force === true);
    this.bar = new ProgressBar(options.quiet !== true);
  }

  /** Begins no further task. */
  stop(): void {
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
      for (let next = left.shift(); next && !this.isStopped; next = left.shift()) {
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

/** Where the transcripts of a recording go. */
function outputsOf(source: string, options: Options, root: string | undefined): TranscriptionTask["outputs"] {
  const { dir, name } = nameOf(source);
  // Below a folder of its own, they lie as the recordings do below theirs.
  const folder = options.outputDir ?? dir;
  const below = options.outputDir !== undefined && root !== undefined ? path.relative(root, dir) : "";
  return options.format.map((format) => ({
    format,
    file: path.join(folder, below, `${name}.${format}`),
  }));
}

/** For standard input and for addresses that end in a slash. */
const UNNAMED = "recording";

function nameOf(source: string): { dir: string; name: string } {
  if (source === PIPE) return { dir: ".", name: UNNAMED };
  if (isAddress(source)) return { dir: ".", name: path.parse(new URL(source).pathname).name || UNNAMED };
  return path.parse(source);
}

/** @param isOne  whether the call names a single source */
function tasksOf(sources: readonly Source[], options: Options, isOne: boolean): TranscriptionTask[] {
  const isFile = options.save || options.outputDir !== undefined || options.json || options.format.length > 1;
  const tasks = sources.map(({ source, root, isFound }) => {
    const isPrinted = !isFile && !isFound && (source === PIPE || isOne);
    return { source, outputs: isPrinted ? undefined : outputsOf(source, options, root) };
  });
  return withDistinctOutputs(tasks);
}

/** Transcribes recordings that appear in folders, until Ctrl-C. */
async function watch(folders: readonly string[], options: Options, run: Run): Promise<void> {
  const files = new SettledFiles();
  let isStopped = false;
  process.once("SIGINT", () => {
    isStopped = true;
  });
  if (!options.quiet) process.stderr.write(`Watching ${folders.join(", ")}. Ctrl-C ends it.\n`);
  const reported = new Set<string>();
  while (!isStopped) {
    const settled: TranscriptionTask[] = [];
    const { sources, leftOut } = await namedSources(folders);
    // Once each. A folder may be empty at first.
    const failures = leftOut.filter(
      ({ file, reason, isFailure }) => isFailure && reason !== NO_RECORDINGS && !reported.has(file),
    );
    for (const { file } of failures) reported.add(file);
    reportLeftOut(failures, options);
    for (const task of tasksOf(sources, options, false)) {
      if (!(await files.isReady(task.source, Date.now()))) continue;
      // A file that has changed since it was transcribed is transcribed again, although its transcript is newer.
      const isOpen = files.hasTaken(task.source) || !(await isDone(task));
      files.take(task.source);
      if (isOpen) settled.push(task);
    }
    for (const source of await run.all(settled)) files.giveBack(source);
    await sleep(LOOK_MILLISECONDS);
  }
}

async function transcribe(sources: string[], options: Options): Promise<void> {
  if (options.watch && !(await Promise.all(sources.map(isFolder))).every((one) => one)) {
    throw new UsageError("--watch takes folders");
  }
  if (sources.filter((source) => source === PIPE).length > 1) throw new UsageError("standard input can be read once");
  const params = requestOf(options);
  const service = optionalServiceOf(options);
  const unused = [...(service ? [] : unusedSwitching(options)), ...unusedWidth(options.maxLineWidth, options.format)];
  if (!options.quiet) for (const warning of unused) process.stderr.write(`parlance: ${warning}\n`);
  const named = options.watch ? { sources: [], leftOut: [] } : await namedSources(sources);
  const all = tasksOf(named.sources, options, sources.length === 1);
  if (options.format.includes("docx") && process.stdout.isTTY && all.some(({ outputs }) => outputs === undefined)) {
    throw new UsageError("a docx document is not text: write it to a file with --save, --output-dir or a redirection");
  }
  const hasLeftOut = reportLeftOut(named.leftOut, options);
  if (hasLeftOut) process.exitCode = 1;
  const open: TranscriptionTask[] = [];
  for (const task of all) if (options.force || !(await isDone(task))) open.push(task);
  if (!options.watch && open.length === 0) {
    if (!options.quiet && all.length > 0) reportNoWork(all.map(({ source }) => source));
    return;
  }
  const transcriber = service
    ? await startServiceTranscriber(service, params)
    : await (await import("./local-transcriber.ts")).startLocalTranscriber(loadSettings(), params, {
        isQuiet: options.quiet === true,
      });
  const run = new Run(transcriber, options);
  const stop = () => {
    run.stop();
    void transcriber.stop().then(() => process.exit(130));
  };
  if (!options.watch) process.once("SIGINT", stop);
  try {
    await (options.watch ? watch(sources, options, run) : run.all(open));
  } finally {
    await transcriber.stop();
  }
  if (run.failures > 0) process.exitCode = 1;
}

export function addTranscribe(program: Command): void {
  const command = program
    .command("transcribe")
    .description("Transcribe recordings, on this machine or by a service")
    .argument("<sources...>", "files, folders, patterns such as **/*.mp3, addresses, or - for standard input")
    .option("-f, --format <formats>", `one or more of ${FORMATS.join(",")}, comma-separated`, formatsOf, ["txt"])
    .option("--max-line-width <columns>", "longest row of srt and vtt; default: 42", widthOption);
  addRequestOptions(command)
    .option("-s, --save", "write next to the recording instead of printing; the default for several recordings")
    .option("-o, --output-dir <folder>", "folder to write to")
    .option("-w, --watch", "transcribe recordings that appear in the folders, until Ctrl-C")
    .option("--force", "transcribe again and replace files that exist")
    .option("-q, --quiet", "print the transcript and errors only")
    .option("--json", "print a line of JSON for each recording");
  addOptionalServiceOptions(command)
    .addHelpText(
      "after",
      `
Examples:
  ${PARLANCE} transcribe talk.mp4 --format srt
  ${PARLANCE} transcribe interviews/ --format docx,srt --speakers
  ${PARLANCE} transcribe talk.mp3 --vocabulary "Kubernetes,Ada Lovelace"
  ${PARLANCE} transcribe inbox/ --watch --output-dir transcripts
  ${PARLANCE} transcribe talk.mp3 --server https://speech.example.com
  ffmpeg -i talk.mp4 -f wav - | ${PARLANCE} transcribe -`,
    )
    .action(transcribe);
}
