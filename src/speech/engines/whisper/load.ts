// Loads a Whisper model as a recogniser.
import { AttentionRecognizer } from "../../recognition/decoding/attention-recognizer.ts";
import type { Recognizer } from "../../recognition/recognizer.ts";
import type { LoadOptions } from "../engine.ts";
import { WhisperModel } from "./model.ts";

/** @param folder  written by `prepareWhisper` */
export async function loadWhisper(folder: string, options: LoadOptions = {}): Promise<Recognizer> {
  return new AttentionRecognizer(await WhisperModel.load(folder, options), undefined, options.detector);
}
