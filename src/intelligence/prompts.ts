// audio_to_llm: the caller's prompts over the plain text of the transcript, each with an answer of its own.
import { type Addon, AddonFailed, runAddon } from "./addon.ts";
import { languageModelOf, overTranscript } from "./providers/language-model.ts";

const PROMPT_TIMEOUT_MILLISECONDS = 200_000;

export const promptsAddon: Addon = {
  name: "audio_to_llm",
  async run(input) {
    const { transcription, params, providers } = input;
    const model = languageModelOf(providers, "audio_to_llm");
    const config = params["audio_to_llm_config"] as { prompts: (string | string[])[] };
    const answers = await Promise.all(
      config.prompts.flat().map((prompt) => {
        const one: Addon = {
          name: "prompt",
          run: async () => {
            const task = `Answer this about the transcript: ${prompt}`;
            return { prompt, response: await overTranscript(task, transcription.full_transcript, model) };
          },
        };
        return runAddon(one, input, PROMPT_TIMEOUT_MILLISECONDS);
      }),
    );
    if (answers.every(({ success }) => !success)) throw new AddonFailed(answers[0]?.error?.message ?? "no prompt");
    return answers;
  },
};
