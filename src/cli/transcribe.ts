// parlance transcribe: recordings to text, subtitles or documents, without a server.
import { readdir, readFile, rename, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Command } from "commander";
import { LANGUAGES } from "../api/schemas/languages.ts";
import { loadSettings } from "../config/load.ts";
import { toParlanceError } from "../errors.ts";
import type { AddonResult, Transcription, TranscriptionResult } from "../jobs/transcript.ts";
import { corrected } from "../transcripts/corrections.ts";
import { FORMATS, type Format } from "../transcripts/formats/format.ts";
import { writeTranscript } from "../transcripts/formats/write.ts";
import { isAddress, type LocalTranscriber, PIPE, startLocalTranscriber } from "./local-transcriber.ts";
import { ProgressBar } from "./progress-bar.ts";
import { UsageError } from "./usage-error.ts";

const EXTENSIONS =
  "3gp aac ac3 aif aiff amr avi caf flac flv m4a m4b m4v mka mkv mov mp2 mp3 mp4 mpeg mpg oga ogg ogv opus ts wav weba webm wma wmv".split(
    " ",
  );
/** Segments of several recordings go through the model together. */
const AT_ONCE = 4;
const LOOK_MILLISECONDS = 1_000;

interface Options {
  format: Format[];
  language: string;
  switching?: boolean;
  toEnglish?: boolean;
  model?: string;
  speakers?: boolean;
  save?: boolean;
  outputDir?: string;
  watch?: boolean;
  force?: boolean;
  json?: boolean;
}

/** A recording, and where what is written of it goes; undefined prints it. */
interface Task {
  source: string;
  outputs: { format: Format; file: string }[] | undefined;
}

interface Told {
  source: string;
  files?: string[];
  text?: string;
  error?: string;
}

function formatsOf(text: string): Format[] {
  const names = text.split(",").map((name) => (name === "text" ? "txt" : name));
  const strange = names.find((name) => !(FORMATS as readonly string[]).includes(name));
  if (strange !== undefined) throw new UsageError(`--format must be one of ${FORMATS.join(", ")}; it is ${strange}`);
  return names as Format[];
}

function paramsOf({ language, switching, toEnglish, model, speakers }: Options): Record<string, unknown> {
  const languages = language.split(",").filter((code) => code !== "");
  const strange = languages.find((code) => !LANGUAGES.includes(code));
  if (strange !== undefined) throw new UsageError(`--language takes ISO 639 codes such as en or es; it is ${strange}`);
  return {
    ...(model ? { model } : {}),
    language_config: { languages, code_switching: switching === true },
    diarization: speakers === true,
    ...(toEnglish ? { translation: true, translation_config: { target_languages: ["en"] } } : {}),
  };
}

/** The same result with the English translation as its transcript. */
function inEnglish(result: TranscriptionResult): TranscriptionResult {
  const { success, error, results } = result["translation"] as AddonResult<Transcription[]>;
  if (!success || !results[0]) throw new Error(error?.message ?? "the translation failed");
  return { ...result, transcription: results[0] };
}

/** Recordings in a folder and those below it. */
async function recordingsIn(folder: string): Promise<string[]> {
  const found: string[] = [];
  for (const item of await readdir(folder, { withFileTypes: true })) {
    const file = path.join(folder, item.name);
    if (item.isDirectory()) found.push(...(await recordingsIn(file)));
    else if (EXTENSIONS.includes(path.extname(item.name).slice(1).toLowerCase())) found.push(file);
  }
  return found.sort();
}

const isFolder = async (source: string) =>
  !isAddress(source) && source !== PIPE && (await stat(source).catch(() => undefined))?.isDirectory() === true;

/** Whether what would be written is there already and newer. */
async function isDone({ source, outputs }: Task): Promise<boolean> {
  const time = async (file: string) => (await stat(file).catch(() => undefined))?.mtimeMs ?? 0;
  const made = await Promise.all((outputs ?? []).map(({ file }) => time(file)));
  return made.length > 0 && Math.min(...made) > (await time(source));
}

async function read(transcriber: LocalTranscriber, source: string, options: Options, bar: ProgressBar, place: string) {
  const name = source === PIPE ? "standard input" : path.basename(source);
  const file = await transcriber.transcribe(source, (stage, share) => bar.show(`${place}${name}: ${stage}`, share));
  const result = JSON.parse(await readFile(file, "utf8")) as TranscriptionResult;
  return options.toEnglish ? inEnglish(result) : result;
}

async function print(source: string, result: TranscriptionResult, format: Format): Promise<string | Uint8Array> {
  const paper = {
    title: source === PIPE ? "Recording" : path.parse(source).name,
    createdAt: new Date().toISOString(),
    result,
    transcription: corrected(result.transcription, []),
  };
  return writeTranscript(paper, format);
}

class Run {
  private failures = 0;
  private readonly bar = new ProgressBar();

  constructor(
    private readonly transcriber: LocalTranscriber,
    private readonly options: Options,
  ) {}

  get hasFailed(): boolean {
    return this.failures > 0;
  }

  /** Does them, a few at once. What fails is told, and the others go on. */
  async all(tasks: readonly Task[]): Promise<void> {
    const left = [...tasks.entries()];
    const worker = async () => {
      for (let next = left.shift(); next; next = left.shift()) {
        const [index, task] = next;
        await this.one(task, tasks.length > 1 ? `${index + 1}/${tasks.length} ` : "");
      }
    };
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, tasks.length) }, worker));
    this.bar.clear();
  }

  private async one(task: Task, place: string): Promise<void> {
    const { source, outputs } = task;
    const { options, bar } = this;
    try {
      const result = await read(this.transcriber, source, options, bar, place);
      bar.clear();
      if (!outputs) {
        process.stdout.write(await print(source, result, options.format[0] ?? "txt"));
        return;
      }
      for (const { format, file } of outputs) {
        // Whole or not at all: somebody may wait for the file.
        await writeFile(`${file}.part`, await print(source, result, format));
        await rename(`${file}.part`, file);
      }
      this.tell({ source, files: outputs.map(({ file }) => file), text: result.transcription.full_transcript });
    } catch (thrown) {
      this.failures++;
      bar.clear();
      const { status, message } = toParlanceError(thrown);
      this.tell({ source, error: status >= 500 && thrown instanceof Error ? thrown.message : message });
    }
  }

  private tell(told: Told): void {
    if (this.options.json) process.stdout.write(`${JSON.stringify(told)}\n`);
    else if (told.error !== undefined) process.stderr.write(`parlance: ${told.source}: ${told.error}\n`);
    else for (const file of told.files ?? []) process.stdout.write(`${file}\n`);
  }
}

/** Where the transcripts of a recording go. */
function outputsOf(source: string, options: Options, root: string | undefined): Task["outputs"] {
  const { dir, name } = isAddress(source) ? { dir: ".", ...namedBy(source) } : path.parse(source);
  // Below a folder of its own, they lie as the recordings do below theirs.
  const folder = options.outputDir ?? dir;
  const below = options.outputDir !== undefined && root !== undefined ? path.relative(root, dir) : "";
  return options.format.map((format) => ({
    format,
    file: path.join(folder, below, `${name}.${format}`),
  }));
}

const namedBy = (address: string) => ({ name: path.parse(new URL(address).pathname).name || "recording" });

async function tasksOf(sources: readonly string[], options: Options): Promise<Task[]> {
  const tasks: Task[] = [];
  const isOne = sources.length === 1 && options.format.length <= 1;
  for (const source of sources) {
    if (await isFolder(source)) {
      for (const file of await recordingsIn(source)) {
        tasks.push({ source: file, outputs: outputsOf(file, options, source) });
      }
    } else {
      const isPrinted = source === PIPE || (isOne && !options.save && options.outputDir === undefined && !options.json);
      tasks.push({ source, outputs: isPrinted ? undefined : outputsOf(source, options, undefined) });
    }
  }
  return tasks;
}

/** Transcribes what appears in folders, until it is stopped. A file is taken when it has stopped growing. */
async function watch(folders: readonly string[], options: Options, run: Run): Promise<void> {
  const sizes = new Map<string, number>();
  const taken = new Set<string>();
  let isStopped = false;
  process.once("SIGINT", () => {
    isStopped = true;
  });
  process.stderr.write(`Watching ${folders.join(", ")}. Ctrl-C ends it.\n`);
  while (!isStopped) {
    const settled: Task[] = [];
    for (const task of await tasksOf(folders, options)) {
      const file = await stat(task.source).catch(() => undefined);
      if (!file) continue;
      const name = `${task.source} ${file.mtimeMs}`;
      const isGrowing = sizes.get(task.source) !== file.size;
      sizes.set(task.source, file.size);
      if (isGrowing || file.size === 0 || taken.has(name) || (await isDone(task))) continue;
      taken.add(name);
      settled.push(task);
    }
    await run.all(settled);
    await new Promise((resolve) => setTimeout(resolve, LOOK_MILLISECONDS));
  }
}

async function transcribe(sources: string[], options: Options): Promise<void> {
  if (options.watch && !(await Promise.all(sources.map(isFolder))).every((one) => one)) {
    throw new UsageError("--watch takes folders");
  }
  if (sources.filter((source) => source === PIPE).length > 1) throw new UsageError("standard input can be read once");
  const params = paramsOf(options);
  const all = options.watch ? [] : await tasksOf(sources, options);
  const open: Task[] = [];
  for (const task of all) if (options.force || !(await isDone(task))) open.push(task);
  if (!options.watch && open.length === 0) {
    process.stderr.write(
      all.length === 0
        ? "There are no recordings in it.\n"
        : "Every transcript is there and newer than its recording; --force makes them anew.\n",
    );
    return;
  }
  const transcriber = await startLocalTranscriber(loadSettings(), params);
  const stop = () => void transcriber.stop().then(() => process.exit(130));
  if (!options.watch) process.once("SIGINT", stop);
  const run = new Run(transcriber, options);
  try {
    await (options.watch ? watch(sources, options, run) : run.all(open));
  } finally {
    await transcriber.stop();
  }
  if (run.hasFailed) process.exitCode = 1;
}

export function addTranscribe(program: Command): void {
  program
    .command("transcribe")
    .description("Transcribe recordings, without a server")
    .argument("<sources...>", "files, folders, addresses, or - for what comes through a pipe")
    .option("-f, --format <formats>", `one or more of ${FORMATS.join(",")}, comma-separated`, formatsOf, ["txt"])
    .option("-l, --language <codes>", "what is spoken: es, or es,en to choose among; else it is detected", "")
    .option("--switching", "the language may change from one stretch of speech to the next")
    .option("--to-english", "what is said, in English")
    .option("--speakers", "tell voices apart")
    .option("-m, --model <id>", "as parlance models list shows it")
    .option("-s, --save", "write next to the recording instead of printing; of several it is always so")
    .option("-o, --output-dir <folder>", "write there")
    .option("-w, --watch", "go on with recordings that appear in the folders")
    .option("--force", "also where the transcript is there and newer")
    .option("--json", "tell about each recording as a line of JSON")
    .addHelpText(
      "after",
      `
Examples:
  parlance transcribe talk.mp4 --format srt
  parlance transcribe interviews/ --format docx,srt --speakers
  parlance transcribe inbox/ --watch --output-dir transcripts
  ffmpeg -i talk.mp4 -f wav - | parlance transcribe -`,
    )
    .action(transcribe);
}
