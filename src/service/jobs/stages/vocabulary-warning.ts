// Warns of a vocabulary that the model does not favour: sherpa-onnx takes no terms, and gives no confidence by which unsure words are found.
import { vocabularyOf } from "../../../speech/recognition/vocabulary.ts";
import { speechPlanOf } from "./recognize.ts";
import type { StageContext } from "./stage.ts";

const withoutVocabulary = (model: string): string =>
  `custom_vocabulary has no effect: the model ${model} does not favour terms; only their pronunciations are replaced`;

/** @returns the warning, if the request names terms and one of its models takes none */
export async function vocabularyWarnings(context: StageContext): Promise<string[]> {
  const { custom_vocabulary, custom_vocabulary_config } = context.job.params;
  const own = vocabularyOf({
    ...(custom_vocabulary === undefined ? {} : { custom_vocabulary }),
    ...(custom_vocabulary_config === undefined ? {} : { custom_vocabulary_config }),
  });
  if (own.length === 0) return [];
  // A model that was removed meanwhile fails no job whose words are recognised.
  const plan = await speechPlanOf(context).catch(() => undefined);
  for (const model of plan ? [plan.model, ...(plan.englishModel ? [plan.englishModel] : [])] : []) {
    const found = await context.services.recognition.capabilitiesOf(model).catch(() => undefined);
    if (found?.vocabulary === false) return [withoutVocabulary(model)];
  }
  return [];
}
