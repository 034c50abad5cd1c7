// Translation directions in the model store: the published files as they are, under their published names.
import { createReadStream } from "node:fs";
import { copyFile, open, readdir } from "node:fs/promises";
import path from "node:path";
import { createGunzip } from "node:zlib";
import { errors } from "../../../platform/errors.ts";
import { entryFile } from "../../../platform/process/entry.ts";
import { streamToFile } from "../../../platform/storage/disk/stream-to-file.ts";
import { checkModel } from "../check-process.ts";
import {
  type CheckpointSource,
  type Engine,
  NO_SPEECH_CAPABILITIES,
  type PreparedModel,
  type PrepareOptions,
} from "../engine.ts";
import { directionFiles, namesOf } from "./files.ts";

const GZIP_MAGIC = Buffer.from([0x1f, 0x8b]);
const CHECK_TIMEOUT_MILLISECONDS = 60_000;
export const TRANSLATION_ENGINE = "bergamot";

/** The files are published packed by gzip, each on its own; folders may hold them either way. */
const unpacked = (name: string) => name.replace(/\.gz$/, "");
const packed = (name: string, names: readonly string[]) => (names.includes(name) ? name : `${name}.gz`);

/** Copies a file that is not packed, whatever its name: HTTP clients may decompress a file during the download. */
async function unpack(from: string, to: string): Promise<void> {
  const handle = await open(from);
  const { buffer } = await handle.read(Buffer.alloc(2), 0, 2, 0).finally(() => handle.close());
  if (!buffer.equals(GZIP_MAGIC)) return copyFile(from, to);
  await streamToFile(to, createReadStream(from), createGunzip());
}

async function filesOf(source: CheckpointSource): Promise<string[] | undefined> {
  const names = (await source.names?.()) ?? [];
  try {
    const files = directionFiles(names.map(unpacked));
    return files && namesOf(files).map((name) => packed(name, names));
  } catch (thrown) {
    throw errors.badCheckpoint(source.name, (thrown as Error).message);
  }
}

/** Whether the runtime loads and runs it. @throws Error with its reason */
async function check(folder: string): Promise<void> {
  try {
    await checkModel(entryFile("./check.js", import.meta.url), folder, CHECK_TIMEOUT_MILLISECONDS);
  } catch {
    throw new Error("the translation runtime cannot load it: a file is damaged, or of another kind");
  }
}

async function prepare(from: string, to: string, { progress, signal }: PrepareOptions): Promise<PreparedModel> {
  const found = await readdir(from);
  const files = directionFiles(found.map(unpacked));
  if (!files) throw new Error("it holds no translation model");
  const names = namesOf(files);
  for (const [at, name] of names.entries()) {
    signal?.throwIfAborted();
    const source = packed(name, found);
    if (source === name) await copyFile(path.join(from, name), path.join(to, name));
    else await unpack(path.join(from, source), path.join(to, name));
    progress((at + 1) / names.length);
  }
  await check(to);
  return { languages: [files.source, files.target], capabilities: NO_SPEECH_CAPABILITIES, files: names };
}

export const bergamot: Engine = {
  name: TRANSLATION_ENGINE,
  concurrentTasks: 1,
  continuesAudio: false,
  purpose: "translation",
  builtIn: [],
  load: () => Promise.reject(new Error("a translation model recognises no speech")),
  filesOf,
  prepare,
};
