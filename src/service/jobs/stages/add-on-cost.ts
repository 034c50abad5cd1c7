import type { StageCost } from "../stage-times.ts";
import type { StageJob, StageServices } from "./stage.ts";

/** Add-ons that ask a language model, or translate. */
const ASKING = [
  "summarization",
  "chapterization",
  "translation",
  "audio_to_llm",
  "structured_data_extraction",
  "action_items",
  "questions",
] as const;
const SECONDS_OF_QUESTION = 5;

/** Of a stage that runs add-ons. A language model takes most of the time, and rules take next to none. */
export function addOnCost(
  { params }: Pick<StageJob, "params">,
  { resultProcesses }: Pick<StageServices, "resultProcesses">,
): StageCost {
  const asking = ASKING.filter((addon) => params[addon] === true);
  const hasModel = resultProcesses.hasLanguageModelServer || resultProcesses.ownLanguageModel !== undefined;
  const questions = hasModel ? asking.length : 0;
  return {
    kind: ["add-ons", ...asking].join(" "),
    secondsPerAudioSecond: 0.001 + 0.01 * questions,
    seconds: 0.3 + SECONDS_OF_QUESTION * questions,
  };
}
