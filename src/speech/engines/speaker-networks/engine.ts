// Finds speakers: pyannote's segmentation 3.0 (who of up to three local speakers talks) and 3D-Speaker's CAM++ (voices), in the layouts that
// sherpa-onnx publishes.
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
import { SEGMENTATION_FILE, VOICE_FILE } from "./files.ts";

const CAPABILITIES = {
  ...NO_SPEECH_CAPABILITIES,
  turns: true,
  voices: true,
};

/** Names under which the files are published or prepared. */
const SEGMENTATION = /^(pyannote[-_])?segmentation[^/]*\.onnx$/i;
const VOICES = /^(voices|.*campplus.*)\.onnx$/i;

/** @returns undefined for a folder of another kind */
function filesAmong(names: readonly string[]): { segmentation: string; voices: string } | undefined {
  const segmentation = names.find((name) => SEGMENTATION.test(name));
  const voices = names.find((name) => VOICES.test(name));
  return segmentation && voices ? { segmentation, voices } : undefined;
}

async function filesOf(source: CheckpointSource): Promise<string[] | undefined> {
  const found = filesAmong((await source.names?.()) ?? []);
  return found && [found.segmentation, found.voices];
}

async function prepare(from: string, to: string, { progress, signal }: PrepareOptions): Promise<PreparedModel> {
  const found = filesAmong(await readdir(from));
  if (!found) throw new Error("it holds no segmentation*.onnx with a *campplus*.onnx");
  await copyFile(path.join(from, found.segmentation), path.join(to, SEGMENTATION_FILE));
  progress(0.5);
  signal?.throwIfAborted();
  await copyFile(path.join(from, found.voices), path.join(to, VOICE_FILE));
  await checkNetworks(entryFile("./check.js", import.meta.url), to, {
    unknownReason: "the networks do not run",
    needs: "It needs pyannote's segmentation 3.0 and a CAM++ for 80 filter banks, as ONNX",
  });
  progress(1);
  return { languages: [], capabilities: CAPABILITIES, files: [SEGMENTATION_FILE, VOICE_FILE] };
}

export const speakerNetworks: Engine = {
  name: "speaker-networks",
  concurrentTasks: 8,
  continuesAudio: false,
  purpose: "speakers",
  builtIn: [],
  load: () => Promise.reject(new Error("a model that finds speakers recognises no speech")),
  async loadSpeakers({ id, folder }) {
    if (folder === undefined) throw new Error(`the model ${id} has no folder`);
    return (await import("./load.ts")).loadSpeakerNetworks(folder);
  },
  filesOf,
  prepare,
};
