// Language models in the model store: one GGUF file, unchanged and under its published name.
import { constants } from "node:fs";
import { copyFile, link, readdir } from "node:fs/promises";
import path from "node:path";
import { errors } from "../../../platform/errors.ts";
import { entryFile } from "../../../platform/process/entry.ts";
import { readGguf } from "../../language-model/gguf.ts";
import { checkModel } from "../check-process.ts";
import {
  type CheckpointSource,
  type Engine,
  NO_SPEECH_CAPABILITIES,
  type PreparedModel,
  type PrepareOptions,
} from "../engine.ts";

export const LANGUAGE_MODEL_ENGINE = "gguf";
const CHECK_TIMEOUT_MILLISECONDS = 120_000;

const isGguf = (name: string) => name.toLowerCase().endsWith(".gguf");

async function filesOf(source: CheckpointSource): Promise<string[] | undefined> {
  const files = ((await source.names?.()) ?? []).filter(isGguf);
  if (files.length === 0) return undefined;
  if (files.length > 1) {
    throw errors.badCheckpoint(
      source.name,
      `it has ${files.length} GGUF files; name one: hf:OWNER/NAME:FILE.gguf or the path of a file`,
    );
  }
  return files;
}

/** A file that was fetched into the store's folder gets a second name; the user's own is copied, because it may change. */
async function take(from: string, to: string): Promise<void> {
  const isFetched = path.resolve(from).startsWith(`${path.dirname(path.dirname(path.resolve(to)))}${path.sep}`);
  if (isFetched) {
    try {
      return await link(from, to);
    } catch {
      // The file system has no hard links.
    }
  }
  await copyFile(from, to, constants.COPYFILE_FICLONE);
}

async function prepare(from: string, to: string, options: PrepareOptions): Promise<PreparedModel> {
  const files = options.files?.filter(isGguf) ?? (await readdir(from)).filter(isGguf);
  const [name] = files;
  if (name === undefined || files.length > 1) throw new Error("it must be one GGUF file");
  const { parts } = await readGguf(path.join(from, name));
  if (parts > 1) throw new Error(`it is one of ${parts} parts; a model must be a single file`);
  options.signal?.throwIfAborted();
  await take(path.join(from, name), path.join(to, name));
  options.progress(0.9);
  await checkModel(entryFile("./check.js", import.meta.url), to, CHECK_TIMEOUT_MILLISECONDS).catch((thrown: Error) => {
    throw new Error(reasonIn(thrown.message));
  });
  options.progress(1);
  return { languages: options.languages ?? [], capabilities: NO_SPEECH_CAPABILITIES, files: [name] };
}

/** The error's message in what the check printed. */
const reasonIn = (output: string) =>
  /^\w*Error(?: \[[^\]]*\])?: (.+)$/m.exec(output)?.[1] ?? "the runtime cannot load it: the file is damaged";

export const gguf: Engine = {
  name: LANGUAGE_MODEL_ENGINE,
  concurrentTasks: 1,
  continuesAudio: false,
  purpose: "language-model",
  builtIn: [],
  load: () => Promise.reject(new Error("a language model recognises no speech")),
  filesOf,
  prepare,
};
