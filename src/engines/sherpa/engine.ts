// sherpa-onnx: models that its own runtime runs best, in the layouts that its project publishes. What it cannot tell
// (settled words, a vocabulary, confidences) its capabilities say.
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import type { CheckpointSource, Engine, PreparedModel, PrepareOptions } from "../engine.ts";
import { findLayout, LAYOUTS, type Layout, TOKENS } from "./layouts.ts";
import { SherpaRecognizer } from "./recognizer.ts";

/** Which of the layouts a prepared folder has. */
const DESCRIPTION = "sherpa.json";

async function filesOf(source: CheckpointSource): Promise<string[] | undefined> {
  const found = await findLayout((file) => source.has(file));
  return found && [...Object.values(found.files), TOKENS];
}

async function prepare(
  from: string,
  to: string,
  { progress, signal, languages }: PrepareOptions,
): Promise<PreparedModel> {
  const found = await findLayout((file) =>
    readFile(path.join(from, file)).then(
      () => true,
      () => false,
    ),
  );
  if (!found) throw new Error("its files are none that sherpa-onnx runs here");
  const { layout, files } = found;
  const names = [...Object.values(files), TOKENS];
  for (const [at, name] of names.entries()) {
    signal?.throwIfAborted();
    await writeFile(path.join(to, name), await readFile(path.join(from, name)));
    progress((at + 1) / names.length);
  }
  await writeFile(path.join(to, DESCRIPTION), JSON.stringify({ layout: layout.name, files }));
  const known = layout.languages ?? languages;
  if (!known) throw new Error("which languages it knows is not in its files: name them with --languages en,de");
  return { languages: known, capabilities: layout.capabilities, files: [DESCRIPTION, ...names] };
}

export const sherpa: Engine = {
  name: "sherpa",
  builtIn: [],
  async load({ id, folder, languages, capabilities }) {
    if (folder === undefined) throw new Error(`the model ${id} has no folder`);
    const { layout: name, files } = JSON.parse(await readFile(path.join(folder, DESCRIPTION), "utf8")) as {
      layout: string;
      files: Record<string, string>;
    };
    const layout = LAYOUTS.find((one) => one.name === name) as Layout;
    const place = (file: string) => path.join(folder, file);
    const paths = Object.fromEntries(Object.entries(files).map(([part, file]) => [part, place(file)]));
    const config = { ...layout.config(paths), tokens: place(TOKENS), numThreads: 1 };
    return new SherpaRecognizer(config, { languages, capabilities });
  },
  filesOf,
  prepare,
};
