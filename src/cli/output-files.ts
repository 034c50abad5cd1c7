// Files that parlance transcribe writes. Each has a name of its own, and none replaces a file of the user.
import { constants } from "node:fs";
import { copyFile, link, mkdir, rename, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Readable } from "node:stream";
import { v7 as uuid } from "uuid";
import type { Format } from "../contract/transcript-formats.ts";
import { errors } from "../platform/errors.ts";
import type { LeftOut } from "./recordings-in.ts";
import { nameOf } from "./source-name.ts";
import { shownSource } from "./transcribe-report.ts";
import { PIPE } from "./transcriber.ts";

export interface OutputFile {
  format: Format;
  file: string;
}

/** A recording and the files to write. The transcript is printed if there are none. */
export interface TranscriptionTask {
  source: string;
  outputs: OutputFile[] | undefined;
}

/** Some file systems ignore the case of letters. */
const comparable = (file: string) => path.resolve(file).toLowerCase();

function sharedFiles(tasks: readonly TranscriptionTask[]): Map<string, TranscriptionTask[]> {
  const writers = new Map<string, TranscriptionTask[]>();
  for (const task of tasks) {
    for (const { file } of task.outputs ?? []) {
      const key = comparable(file);
      writers.set(key, [...(writers.get(key) ?? []), task]);
    }
  }
  return new Map([...writers].filter(([, writing]) => writing.length > 1));
}

export interface CheckedTasks {
  tasks: TranscriptionTask[];
  /** Recordings whose outputs cannot be written, with the reason. */
  refused: LeftOut[];
}

/** In most file systems: bytes, in that of Windows UTF-16 code units. */
const LONGEST_NAME = 255;
const lengthOf = (name: string) => (process.platform === "win32" ? name.length : Buffer.byteLength(name));

/**
 * Outputs of recordings that would write the same file get the extension of the recording: talk.flac.txt, talk.mp3.txt. Recordings that
 * would still write the same file, or one whose name is too long, are refused.
 * @param isTaken  whether a recording was transcribed before another one appeared: it is not refused
 */
export function checkedTasks(
  given: readonly TranscriptionTask[],
  isTaken: (source: string) => boolean = () => false,
): CheckedTasks {
  const ambiguous = new Set([...sharedFiles(given).values()].flat());
  const distinct = given.map((task) => {
    if (!ambiguous.has(task)) return task;
    const { base } = nameOf(task.source);
    const outputs = task.outputs?.map(({ format, file }) => ({
      format,
      file: path.join(path.dirname(file), `${base}.${format}`),
    }));
    return { ...task, outputs };
  });
  const shared = sharedFiles(distinct);
  const reasonOf = (task: TranscriptionTask): string | undefined => {
    for (const { file } of task.outputs ?? []) {
      const other = shared.get(comparable(file))?.find((one) => one !== task);
      if (other) {
        return `${shownSource(other.source)} would also be written to ${file}; transcribe them in separate calls with different --output-dir`;
      }
      const length = lengthOf(path.basename(file));
      if (length > LONGEST_NAME) {
        return `the name of its output would have ${length} bytes, and at most ${LONGEST_NAME} are possible; give the recording a shorter name`;
      }
    }
    return undefined;
  };
  const refused = new Map(
    distinct.flatMap((task) => {
      const reason = isTaken(task.source) ? undefined : reasonOf(task);
      return reason === undefined ? [] : [[task, { file: task.source, reason, isFailure: true }] as const];
    }),
  );
  return { tasks: distinct.filter((task) => !refused.has(task)), refused: [...refused.values()] };
}

const modifiedAt = async (file: string): Promise<number | undefined> =>
  (await stat(file).catch(() => undefined))?.mtimeMs;

/** Standard input counts as newer than any file. An address counts as older, so that its output files are kept. */
const recordedAt = async (source: string): Promise<number> =>
  source === PIPE ? Number.POSITIVE_INFINITY : ((await modifiedAt(source)) ?? 0);

/** Whether all outputs exist and are newer than the recording. */
export async function isDone({ source, outputs = [] }: TranscriptionTask): Promise<boolean> {
  const made = await Promise.all(outputs.map(async ({ file }) => (await modifiedAt(file)) ?? 0));
  return made.length > 0 && Math.min(...made) > (await recordedAt(source));
}

export class OutputFiles {
  /** Files that this call wrote, with the time of their last change. */
  private readonly own = new Map<string, number>();

  /** @param mayReplace  whether --force is given */
  constructor(private readonly mayReplace: boolean) {}

  /**
   * The outputs that are missing. Those that exist and are newer than the recording stay.
   * @throws file.exists if an output is older than the recording and this call did not write it
   */
  async open({ source, outputs = [] }: TranscriptionTask): Promise<OutputFile[]> {
    if (this.mayReplace) return outputs;
    const recorded = await recordedAt(source);
    const open: OutputFile[] = [];
    for (const output of outputs) {
      const made = await modifiedAt(output.file);
      if (made === undefined || this.own.get(output.file) === made) open.push(output);
      else if (made <= recorded) throw errors.outputExists(output.file);
    }
    return open;
  }

  /** Writes a file as a whole or not at all. @throws file.exists */
  async write(file: string, content: string | Uint8Array | Readable): Promise<void> {
    const folder = path.dirname(file);
    await mkdir(folder, { recursive: true });
    // Not with the name of the file, which may have the greatest length.
    const part = path.join(folder, `.${uuid()}.part`);
    try {
      await writeFile(part, content, { flag: "wx" });
      const made = await modifiedAt(file);
      const isOwn = made !== undefined && this.own.get(file) === made;
      if (this.mayReplace || isOwn) await rename(part, file);
      else await this.moveToNew(part, file);
    } finally {
      await rm(part, { force: true });
    }
    this.own.set(file, (await modifiedAt(file)) ?? 0);
  }

  private async moveToNew(part: string, file: string): Promise<void> {
    try {
      await link(part, file).catch((error: NodeJS.ErrnoException) => {
        if (error.code === "EEXIST") throw error;
        // A file system without hard links.
        return copyFile(part, file, constants.COPYFILE_EXCL);
      });
    } catch (error) {
      throw (error as NodeJS.ErrnoException).code === "EEXIST" ? errors.outputExists(file) : error;
    }
  }
}
