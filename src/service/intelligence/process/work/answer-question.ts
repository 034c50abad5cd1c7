// Answers a question about the stored result of a job.
import { readFile } from "node:fs/promises";
import type { QuestionEvent } from "../../../../contract/questions.ts";
import { parsedCorrection } from "../../../../contract/transcript/correction.ts";
import { withSpeakerNames } from "../../../../contract/transcript/speaker-names.ts";
import type { TranscriptionResult } from "../../../../contract/transcript/transcript.ts";
import { errors } from "../../../../platform/errors.ts";
import { corrected } from "../../../transcripts/corrections.ts";
import { AddonFailed, AddonUnavailable } from "../../addon-error.ts";
import { languageModelOf } from "../../providers/language-model.ts";
import { withLanguageModel } from "../../providers/local-language-model.ts";
import type { Providers } from "../../providers/providers.ts";
import { answerQuestion } from "../../questions/question.ts";
import { nextTurn, withTimeLimit } from "../../turns.ts";
import type { QuestionRequest, ResultResponse } from "../message.ts";

/** Time limit of a question. Time in a model of this machine, which has its own limits, does not count. */
const TIMEOUT_MILLISECONDS = 300_000;

/** @throws questions.unavailable, questions.failed, work.aborted */
export async function answerAbout(
  { result, corrections, names: known, question, providers }: QuestionRequest & { providers: Providers },
  onEvent: (event: QuestionEvent) => void,
): Promise<ResultResponse> {
  const late = () => new AddonFailed(`The answer took more than ${TIMEOUT_MILLISECONDS / 1000} s`);
  const work = async () => {
    const settings = languageModelOf(await withLanguageModel(providers), "A question about a transcript");
    const text = await readFile(result, "utf8");
    await nextTurn();
    const { transcription } = JSON.parse(text) as TranscriptionResult;
    const named = known.length > 0 ? withSpeakerNames(transcription, known) : transcription;
    const { utterances, speaker_names: names } = corrected(named, corrections.map(parsedCorrection));
    return answerQuestion({ question, utterances, names }, settings, onEvent);
  };
  try {
    return { kind: "answered", answer: await withTimeLimit(TIMEOUT_MILLISECONDS, late, work) };
  } catch (thrown) {
    if (thrown instanceof AddonUnavailable) throw errors.questionUnavailable(thrown.message);
    if (thrown instanceof AddonFailed) throw errors.questionFailed(thrown.message);
    throw thrown;
  }
}
