import { splitSentences } from "../../speech/text/sentences.ts";
import type { Addon } from "./addon.ts";

export const sentencesAddon: Addon = {
  name: "sentences",
  run: async ({ transcription }) => splitSentences(transcription.utterances),
  // Clients read one of two places: next to the transcription (older clients), or inside it as a list with one item.
  place(result, transcription, answer) {
    result["sentences"] = answer;
    transcription.sentences = [answer];
  },
};
