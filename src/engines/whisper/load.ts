// Loads a Whisper model as a recogniser.
import { AttentionRecognizer } from "../../recognition/decoding/attention-recognizer.ts";
import type { VoiceActivity } from "../../recognition/decoding/speech-evidence.ts";
import type { Recognizer } from "../../recognition/recognizer.ts";
import { WhisperModel } from "./model.ts";

/**
 * @param folder    written by `prepareWhisper`
 * @param detector  finds speech that a decoder pass skipped
 */
export async function loadWhisper(folder: string, detector?: VoiceActivity): Promise<Recognizer> {
  return new AttentionRecognizer(await WhisperModel.load(folder), undefined, detector);
}
