// sherpa-onnx: models in the layouts that its project publishes, run by its own runtime. Its capabilities lack
// prefixes, vocabularies and confidences.
import { access, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { entryFile } from "../../../platform/process/entry.ts";
import { checkModel } from "../check-process.ts";
import type { CheckpointSource, Engine, PreparedModel, PrepareOptions } from "../engine.ts";
import { findLayout, TOKENS } from "./layouts.ts";
import { DESCRIPTION, openModel, type SherpaDescription } from "./open.ts";

const CHECK_TIMEOUT_MILLISECONDS = 300_000;

async function filesOf(source: CheckpointSource): Promise<string[] | undefined> {
  const found = await findLayout((file) => source.has(file));
  return found && [...Object.values(found.files), TOKENS];
}

/** Checks that sherpa-onnx can run the model. @throws Error with its reason */
async function check(folder: string): Promise<void> {
  try {
    await checkModel(entryFile("./check.js", import.meta.url), folder, CHECK_TIMEOUT_MILLISECONDS);
  } catch (error) {
    const [reason = ""] = (error as Error).message.split("\n").slice(-1);
    throw new Error(`sherpa-onnx cannot run it: ${reason.replace(/^\S+\.cc:/, "")}`);
  }
}

async function prepare(from: string, to: string, options: PrepareOptions): Promise<PreparedModel> {
  const { progress, signal, languages } = options;
  const found = await findLayout((file) =>
    access(path.join(from, file)).then(
      () => true,
      () => false,
    ),
  );
  if (!found) throw new Error("its files match none of the supported sherpa-onnx layouts");
  const { layout, files } = found;
  const known = layout.languages ?? languages;
  if (!known) throw new Error("its files do not name the languages: pass --languages en,de");
  const names = [...Object.values(files), TOKENS];
  for (const [at, name] of names.entries()) {
    signal?.throwIfAborted();
    await writeFile(path.join(to, name), await readFile(path.join(from, name)));
    progress((at + 1) / names.length);
  }
  const description: SherpaDescription = { layout: layout.name, files };
  await writeFile(path.join(to, DESCRIPTION), JSON.stringify(description));
  await check(to);
  return { languages: known, capabilities: layout.capabilities, files: [DESCRIPTION, ...names] };
}

export const sherpa: Engine = {
  name: "sherpa",
  concurrentTasks: 1,
  continuesAudio: false,
  builtIn: [],
  async load({ id, folder, languages, capabilities }) {
    if (folder === undefined) throw new Error(`the model ${id} has no folder`);
    return openModel(folder, { languages, capabilities });
  },
  filesOf,
  prepare,
};
