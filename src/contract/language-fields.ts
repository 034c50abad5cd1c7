// Fields of bodies that name a language. They accept the codes of languages.ts; `prepare` replaces tags and names by codes
// before the validation.
import type { TSchemaOptions } from "typebox";
import { Enum } from "./fields.ts";
import { LANGUAGES, TARGET_LANGUAGES } from "./languages.ts";

/** Marks a field that names a language; "spoken" takes auto, too. */
export const LANGUAGE_MARK = "x-language";

const ACCEPTED = "Also tags of BCP 47 (en-US, zh-Hant) and English names";

/** A language that may be spoken. */
export const SpokenLanguage = (options: TSchemaOptions = {}) =>
  Enum(LANGUAGES, {
    [LANGUAGE_MARK]: "spoken",
    title: "SpokenLanguage",
    description: `${ACCEPTED}; auto for any`,
    ...options,
  });

/** A language to translate into. */
export const TargetLanguage = (options: TSchemaOptions = {}) =>
  Enum(TARGET_LANGUAGES, { [LANGUAGE_MARK]: "target", title: "TargetLanguage", description: ACCEPTED, ...options });
