// A Whisper model as a recogniser.
import { AttentionRecognizer } from "../../recognition/decoding/attention-recognizer.ts";
import type { Recognizer } from "../../recognition/recognizer.ts";
import { WhisperModel } from "./model.ts";

/** @param folder  that `prepareWhisper` wrote */
export async function loadWhisper(folder: string): Promise<Recognizer> {
  return new AttentionRecognizer(await WhisperModel.load(folder));
}
