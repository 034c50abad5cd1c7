// The models that the options of a recording need and the service does not have yet.
import type { Values } from "./parts/schema.ts";
import type { SpeechModel } from "./shapes.ts";

const ENGLISH = "en";
/** Options that a language model alone can satisfy. */
const OF_LANGUAGE_MODEL = ["audio_to_llm", "structured_data_extraction", "action_items", "questions"];

const part = (values: Values, name: string): Values => (values[name] ?? {}) as Values;
const listOf = (values: Values, name: string): readonly string[] => (values[name] ?? []) as string[];

/** Directions through which a language is translated into another one. */
const directions = (source: string, target: string): [string, string][] =>
  [source, target].includes(ENGLISH)
    ? [[source, target]]
    : [
        [source, ENGLISH],
        [ENGLISH, target],
      ];

/**
 * Models that the service fetches for these options. A language that is to be detected counts as English.
 * @param all  every model that is installed or can be
 */
export function neededModels(options: Values, all: readonly SpeechModel[]): SpeechModel[] {
  const needed = new Set<SpeechModel>();
  const need = (purpose: SpeechModel["purpose"], fits: (model: SpeechModel) => boolean = () => true) => {
    const own = all.filter((model) => model.purpose === purpose && fits(model));
    const found = own.some(({ installed }) => installed) ? undefined : own.find(({ on_demand }) => on_demand);
    if (found) needed.add(found);
  };
  const languages = listOf(part(options, "language_config"), "languages");
  if (options["model"] === undefined) {
    // A model of many languages states their number alone.
    for (const code of languages) need("recognition", ({ codes }) => codes.length === 0 || codes.includes(code));
  }
  if (options["diarization"] === true) need("speakers");
  if (OF_LANGUAGE_MODEL.some((name) => options[name] === true)) need("language-model");
  if (options["translation"] === true) {
    for (const target of listOf(part(options, "translation_config"), "target_languages")) {
      for (const source of languages.length > 0 ? languages : [ENGLISH]) {
        if (source === target) continue;
        for (const [from, to] of directions(source, target)) {
          need("translation", ({ codes: [first, second] }) => first === from && second === to);
        }
      }
    }
  }
  return [...needed];
}
