// Judges from the sound whether a speaker has finished: Smart Turn v3, in the layout that its authors publish.
import { copyFile, readdir } from "node:fs/promises";
import path from "node:path";
import { entryFile } from "../../../platform/process/entry.ts";
import { checkNetworks } from "../check-process.ts";
import {
  type CheckpointSource,
  type Engine,
  NO_SPEECH_CAPABILITIES,
  type PreparedModel,
  type PrepareOptions,
} from "../engine.ts";
import { TURN_FILE } from "./files.ts";

/** Names under which the file is published or prepared. Versions 1 and 2 have other inputs. */
const PUBLISHED = /^smart-turn(-v3[^/]*)?\.onnx$/i;

const fileAmong = (names: readonly string[]) => names.find((name) => PUBLISHED.test(name));

async function filesOf(source: CheckpointSource): Promise<string[] | undefined> {
  const file = fileAmong((await source.names?.()) ?? []);
  return file === undefined ? undefined : [file];
}

async function prepare(from: string, to: string, { progress }: PrepareOptions): Promise<PreparedModel> {
  const file = fileAmong(await readdir(from));
  if (file === undefined) throw new Error("it holds no smart-turn-v3*.onnx");
  await copyFile(path.join(from, file), path.join(to, TURN_FILE));
  progress(0.5);
  await checkNetworks(entryFile("./check.js", import.meta.url), to, {
    unknownReason: "the network does not run",
    needs: "It needs Smart Turn v3 for 80 mel bands of 8 seconds, as ONNX",
  });
  progress(1);
  return { languages: [], capabilities: NO_SPEECH_CAPABILITIES, files: [TURN_FILE] };
}

export const smartTurn: Engine = {
  name: "smart-turn",
  concurrentTasks: 8,
  continuesAudio: false,
  purpose: "turns",
  builtIn: [],
  load: () => Promise.reject(new Error("a model that detects the ends of turns recognises no speech")),
  async loadTurns({ id, folder }) {
    if (folder === undefined) throw new Error(`the model ${id} has no folder`);
    return (await import("./load.ts")).loadSmartTurn(folder);
  },
  filesOf,
  prepare,
};
