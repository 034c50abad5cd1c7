// parlance transcribe: recordings to text, subtitles or documents, on this machine or by a service.

import path from "node:path";
import type { Command } from "commander";
import { FORMATS, type Format } from "../contract/transcript-formats.ts";
import { PARLANCE } from "../platform/command-prefix.ts";
import { loadSettings } from "../platform/config/load.ts";
import { sleep } from "../platform/process/sleep.ts";
import { type CheckedTasks, checkedTasks, isDone, type TranscriptionTask } from "./output-files.ts";
import { addRequestOptions, requestOf, unusedSwitching } from "./request-options.ts";
import { addOptionalServiceOptions, optionalServiceOf } from "./service-options.ts";
import { startServiceTranscriber } from "./service-transcriber.ts";
import { nameOf } from "./source-name.ts";
import { reportLeftOut, reportNoWork } from "./transcribe-report.ts";
import { PIPE } from "./transcriber.ts";
import { type TranscribeOptions, TranscriptionRun } from "./transcription-run.ts";
import { isFolder, NO_RECORDINGS, namedSources, type Source } from "./transcription-sources.ts";
import { UsageError } from "./usage-error.ts";
import { SettledFiles } from "./watch-folders.ts";
import { unusedWidth, widthOption } from "./width-option.ts";

const LOOK_MILLISECONDS = 1_000;

function formatsOf(text: string): Format[] {
  const names = text.split(",").map((name) => (name === "text" ? "txt" : name));
  const strange = names.find((name) => !(FORMATS as readonly string[]).includes(name));
  if (strange !== undefined) throw new UsageError(`--format must be one of ${FORMATS.join(", ")}; it is ${strange}`);
  return [...new Set(names as Format[])];
}

/** Where the transcripts of a recording go. */
function outputsOf(source: string, options: TranscribeOptions, root: string | undefined): TranscriptionTask["outputs"] {
  const { dir, name } = nameOf(source);
  // Below a folder of its own, they lie as the recordings do below theirs.
  const folder = options.outputDir ?? dir;
  const below = options.outputDir !== undefined && root !== undefined ? path.relative(root, dir) : "";
  return options.format.map((format) => ({
    format,
    file: path.join(folder, below, `${name}.${format}`),
  }));
}

/** @param isOne  whether the call names a single source */
function tasksOf(
  sources: readonly Source[],
  options: TranscribeOptions,
  isOne: boolean,
  isTaken?: (source: string) => boolean,
): CheckedTasks {
  const isFile = options.save || options.outputDir !== undefined || options.json || options.format.length > 1;
  const tasks = sources.map(({ source, root, isFound }) => {
    const isPrinted = !isFile && !isFound && (source === PIPE || isOne);
    return { source, outputs: isPrinted ? undefined : outputsOf(source, options, root) };
  });
  return checkedTasks(tasks, isTaken);
}

/** Transcribes recordings that appear in folders, until the signal. */
async function watch(
  folders: readonly string[],
  options: TranscribeOptions,
  run: TranscriptionRun,
  signal: AbortSignal,
): Promise<void> {
  const files = new SettledFiles();
  if (!options.quiet) process.stderr.write(`Watching ${folders.join(", ")}. Ctrl-C ends it.\n`);
  const reported = new Set<string>();
  while (!signal.aborted) {
    const settled: TranscriptionTask[] = [];
    const { sources, leftOut } = await namedSources(folders);
    const { tasks, refused } = tasksOf(sources, options, false, (source) => files.hasTaken(source));
    // Once each. A folder may be empty at first.
    const failures = [...leftOut, ...refused].filter(
      ({ file, reason, isFailure }) => isFailure && reason !== NO_RECORDINGS && !reported.has(file),
    );
    for (const { file } of failures) reported.add(file);
    if (reportLeftOut(failures, options)) process.exitCode = 1;
    for (const task of tasks) {
      if (!(await files.isReady(task.source, Date.now()))) continue;
      // A file that has changed since it was transcribed is transcribed again, although its transcript is newer.
      const isOpen = files.hasTaken(task.source) || !(await isDone(task));
      files.take(task.source);
      if (isOpen) settled.push(task);
    }
    for (const source of await run.all(settled)) files.giveBack(source);
    await sleep(LOOK_MILLISECONDS, signal);
  }
}

async function transcribe(sources: string[], options: TranscribeOptions): Promise<void> {
  if (options.watch && !(await Promise.all(sources.map(isFolder))).every((one) => one)) {
    throw new UsageError("--watch takes folders");
  }
  if (sources.filter((source) => source === PIPE).length > 1) throw new UsageError("standard input can be read once");
  const params = requestOf(options);
  const service = optionalServiceOf(options);
  const unused = [...(service ? [] : unusedSwitching(options)), ...unusedWidth(options.maxLineWidth, options.format)];
  if (!options.quiet) for (const warning of unused) process.stderr.write(`parlance: ${warning}\n`);
  const named = options.watch ? { sources: [], leftOut: [] } : await namedSources(sources);
  const { tasks: all, refused } = tasksOf(named.sources, options, sources.length === 1);
  if (options.format.includes("docx") && process.stdout.isTTY && all.some(({ outputs }) => outputs === undefined)) {
    throw new UsageError("a docx document is not text: write it to a file with --save, --output-dir or a redirection");
  }
  const hasLeftOut = reportLeftOut([...named.leftOut, ...refused], options);
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
  const run = new TranscriptionRun(transcriber, options);
  const stop = () => {
    run.stop();
    void transcriber.stop().then(() => process.exit(130));
  };
  const ending = new AbortController();
  const end = () => {
    run.end();
    ending.abort();
    if (!options.quiet) process.stderr.write("Ending after the recordings in work. Ctrl-C ends at once.\n");
    process.once("SIGINT", stop);
  };
  const onInterrupt = options.watch ? end : stop;
  process.once("SIGINT", onInterrupt);
  try {
    await (options.watch ? watch(sources, options, run, ending.signal) : run.all(open));
  } finally {
    await transcriber.stop();
    for (const listener of [onInterrupt, stop]) process.off("SIGINT", listener);
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
