// structured_data_extraction: a language model extracts objects of the requested classes, or data under the caller's schema, from the
// transcript. Texts with names or numbers that the transcript does not contain are left out or reported.
import { type JsonSchema, satisfies } from "../../speech/language-model/json-schema.ts";
import { schemaProblem } from "../../speech/language-model/schema-check.ts";
import { type Addon, mainLanguage } from "./addon.ts";
import { AddonFailed } from "./addon-error.ts";
import { classesSchema, keyOf } from "./extraction-classes.ts";
import { TranscriptFacts } from "./facts.ts";
import { distinct, merged } from "./merged-data.ts";
import { jsonOverTranscript, languageModelOf } from "./providers/language-model.ts";

type Item = Record<string, string | null>;
type Extracted = Record<string, Item[]>;

/** An item without texts that the transcript does not contain. @returns undefined if nothing remains */
function supported(item: Item, facts: TranscriptFacts): Item | undefined {
  const kept = Object.fromEntries(
    Object.entries(item).map(([field, value]) => {
      const isText = typeof value === "string" && value.trim() !== "";
      return [field, isText && facts.missing(value).length === 0 && facts.mentions(value) ? value.trim() : null];
    }),
  );
  return Object.values(kept).some((value) => value !== null) ? kept : undefined;
}

/** Texts of the data with names or numbers that the transcript does not contain, by JSON pointer. */
function unsupported(value: unknown, facts: TranscriptFacts, at = ""): string[] {
  if (typeof value === "string") return facts.missing(value).length > 0 ? [at || "/"] : [];
  if (typeof value === "number") return facts.missing(String(Math.abs(value))).length > 0 ? [at || "/"] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, one]) =>
    unsupported(one, facts, `${at}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`),
  );
}

export const extractionAddon: Addon = {
  name: "structured_data_extraction",
  async run({ transcription, params, providers }) {
    const model = languageModelOf(providers, "structured_data_extraction");
    const { classes = [], json_schema } = params.structured_data_extraction_config ?? {};
    const own = json_schema as JsonSchema | undefined;
    // Also checked when the request arrives; an earlier version may have accepted this one.
    const problem = own === undefined ? undefined : schemaProblem(own);
    if (problem !== undefined) throw new AddonFailed(`json_schema cannot be used: ${problem}`);
    const transcript = transcription.full_transcript;
    const facts = new TranscriptFacts(transcript, mainLanguage(transcription));
    const results: Record<string, unknown> = {};
    if (classes.length > 0) {
      const keys = classes.map(keyOf);
      const isRight = (value: unknown): value is Extracted =>
        typeof value === "object" && value !== null && keys.every((key) => Array.isArray((value as Extracted)[key]));
      const task = `Find every one of these in the transcript: ${classes.join(", ")}. Copy words from the transcript. null for what is not said; an empty list where there is none.`;
      const parts = await jsonOverTranscript(task, transcript, model, classesSchema(classes), isRight);
      for (const key of keys) {
        const items = parts
          .flatMap((part) => part[key] ?? [])
          .filter((item) => typeof item === "object" && item !== null);
        results[key] = distinct(items.map((item) => supported(item, facts)).filter((item) => item !== undefined));
      }
    }
    if (own) {
      const isRight = (value: unknown): value is unknown => satisfies(own, value);
      const task = "Fill in the data from the transcript. Take names, numbers and dates from the transcript only.";
      const data = merged(own, await jsonOverTranscript(task, transcript, model, own, isRight));
      results["data"] = data;
      const unverified = unsupported(data, facts);
      if (unverified.length > 0) results["unverified"] = unverified;
    }
    return results;
  },
};
