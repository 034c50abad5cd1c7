// Opens a prepared folder as a recogniser.
import { readFile } from "node:fs/promises";
import path from "node:path";
import type { Model } from "../engine.ts";
import { LAYOUTS, TOKENS } from "./layouts.ts";
import { SherpaRecognizer } from "./recognizer.ts";

/** File that names the layout of a prepared folder. */
export const DESCRIPTION = "sherpa.json";

export interface SherpaDescription {
  layout: string;
  /** File names by part. */
  files: Record<string, string>;
}

/** @throws Error if the folder was not prepared; ends the process if sherpa-onnx cannot run the model */
export async function openModel(
  folder: string,
  model: Pick<Model, "languages" | "capabilities">,
): Promise<SherpaRecognizer> {
  const { layout: name, files } = JSON.parse(
    await readFile(path.join(folder, DESCRIPTION), "utf8"),
  ) as SherpaDescription;
  const layout = LAYOUTS.find((one) => one.name === name);
  if (!layout) throw new Error(`there is no layout ${name}`);
  const paths = Object.fromEntries(Object.entries(files).map(([part, file]) => [part, path.join(folder, file)]));
  return new SherpaRecognizer({ ...layout.config(paths), tokens: path.join(folder, TOKENS), numThreads: 1 }, model);
}
