// What a client changes in a running live session: the data of the message configure.
import { Ajv, type AnySchemaObject, type ValidateFunction } from "ajv";
import type { Static } from "typebox";
import * as Type from "typebox";
import { MOST_LANGUAGES } from "./bounds.ts";
import { fieldsOf } from "./fields.ts";
import { isAnyLanguage, languageCode } from "./languages.ts";
import { LiveBody, turnSilenceProblems } from "./live.ts";
import { LanguageConfig } from "./processing.ts";
import { MOST_FORMS } from "./vocabulary-size.ts";

const { endpointing, turn_detection, realtime_processing } = LiveBody.properties;

/** Processing of the text of utterances; everything else that a session processes is fixed when it is created. */
const ChangedProcessing = Type.Object(
  fieldsOf(realtime_processing.properties, [
    "custom_vocabulary",
    "custom_vocabulary_config",
    "custom_spelling",
    "custom_spelling_config",
    "numerals",
    "filler_words",
    "profanity_filter",
  ]),
);

export const LiveChange = Type.Object(
  {
    endpointing,
    turn_detection,
    language_config: Type.Optional(LanguageConfig),
    realtime_processing: Type.Optional(ChangedProcessing),
  },
  { title: "LiveChange" },
);
export type LiveChange = Static<typeof LiveChange>;

/** Fields of a change, and of its parts. */
export const CHANGE_FIELDS = Object.keys(LiveChange.properties);
export const CHANGED_PARTS: Readonly<Record<string, readonly string[]>> = {
  turn_detection: Object.keys(turn_detection.properties),
  language_config: Object.keys(LanguageConfig.properties),
  realtime_processing: Object.keys(ChangedProcessing.properties),
};

let validate: ValidateFunction | undefined;

function validator(): ValidateFunction {
  if (validate) return validate;
  // Defaults belong to new sessions: what a change does not name stays as it is.
  const ajv = new Ajv({ strict: false, useDefaults: false, verbose: true });
  ajv.addKeyword(MOST_FORMS);
  validate = ajv.compile(LiveChange as AnySchemaObject);
  return validate;
}

/** The change with codes instead of tags and names of languages, as a request has them after its preparation. */
export function withLanguageCodes(change: unknown): unknown {
  const { language_config: config } = (change ?? {}) as { language_config?: { languages?: unknown } | null };
  const { languages } = config ?? {};
  const isList = Array.isArray(languages) && languages.length <= MOST_LANGUAGES;
  if (!isList || !languages.every((one) => typeof one === "string")) return change;
  const isAny = languages.length > 0 && languages.every(isAnyLanguage);
  const codes = isAny ? [] : [...new Set(languages.map((one) => languageCode(one) ?? one))];
  return { ...(change as object), language_config: { ...config, languages: codes } };
}

/** @returns what is wrong with the change alone; what depends on the parameters in force, the session finds */
export function changeProblems(change: unknown): string[] {
  const isValid = validator();
  if (!isValid(change)) {
    const [found] = isValid.errors ?? [];
    const place = found?.instancePath.slice(1).replaceAll("/", ".") || "data";
    const allowed = (found?.params as { allowedValues?: unknown[] } | undefined)?.allowedValues;
    return [`${place} ${found?.message ?? "is invalid"}${allowed ? `: ${allowed.join(", ")}` : ""}`];
  }
  return turnSilenceProblems((change as LiveChange).turn_detection);
}
