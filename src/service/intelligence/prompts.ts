// audio_to_llm: answers each of the caller's prompts about the plain text of the transcript.

import type { AddonResult } from "../../contract/transcript/transcript.ts";
import { type Addon, mainLanguage, runAddon } from "./addon.ts";
import { AddonFailed } from "./addon-error.ts";
import { TranscriptFacts } from "./facts.ts";
import { languageModelOf, overTranscript } from "./providers/language-model.ts";
import { isLocal } from "./providers/providers.ts";

const PROMPT_TIMEOUT_MILLISECONDS = 200_000;

export const promptsAddon: Addon = {
  name: "audio_to_llm",
  async run(input) {
    const { transcription, params, providers } = input;
    const model = languageModelOf(providers, "audio_to_llm");
    const { prompts = [] } = params.audio_to_llm_config ?? {};
    const language = mainLanguage(transcription);
    const answerTo = (prompt: string) => {
      const one: Addon = {
        name: "prompt",
        run: async () => {
          const task = `Answer this about the transcript: ${prompt}`;
          const response = await overTranscript(task, transcription.full_transcript, model);
          const facts = new TranscriptFacts(`${transcription.full_transcript}\n${prompt}`, language);
          const unverified = facts.missing(response);
          return { prompt, response, ...(unverified.length > 0 ? { unverified } : {}) };
        },
      };
      return runAddon(one, input, PROMPT_TIMEOUT_MILLISECONDS);
    };
    const answers: AddonResult<unknown>[] = [];
    if (isLocal(model)) {
      // Sequential, so that the model evaluates the transcript only once for all prompts.
      for (const prompt of prompts.flat()) answers.push(await answerTo(prompt));
    } else answers.push(...(await Promise.all(prompts.flat().map(answerTo))));
    if (answers.every(({ success }) => !success)) throw new AddonFailed(answers[0]?.error?.message ?? "no prompt");
    return answers;
  },
};
