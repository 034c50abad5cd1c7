// Whisper: a hundred languages, translation into English, from checkpoints that are fetched once.
import { AttentionRecognizer } from "../../recognition/decoding/attention-recognizer.ts";
import type { Engine } from "../engine.ts";
import { WhisperModel } from "./model.ts";
import { prepareWhisper, whisperFiles } from "./prepare.ts";

export const whisper: Engine = {
  name: "whisper",
  builtIn: [],
  async load({ id, folder }) {
    if (folder === undefined) throw new Error(`the model ${id} has no folder`);
    return new AttentionRecognizer(await WhisperModel.load(folder));
  },
  filesOf: whisperFiles,
  prepare: prepareWhisper,
};
