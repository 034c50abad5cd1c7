// Configure of a running session: keyterms and features of the text change, for the audio that follows.
import { MOST_VOCABULARY_ENTRIES } from "../../../../contract/bounds.ts";
import type { ListenMessage } from "../../../../contract/deepgram-live.ts";
import type { ListenWarning } from "../../../../contract/deepgram-recorded.ts";
import type { LiveChange } from "../../../../contract/live-change.ts";
import { beginningOf, storableText } from "../../../../platform/storable.ts";
import { maskingProblem } from "../../../../speech/text/language-choice.ts";
import { Parameters, shown } from "../../../wire/parameters.ts";
import { isFields } from "../text-message.ts";
import { type ListenOptions, writesNumerals } from "./options.ts";

const MOST_DESCRIPTION_CHARACTERS = 1_000;
const FEATURES = ["numerals", "punctuate", "smart_format", "profanity_filter", "filler_words"] as const;

/** The first two are Deepgram's. The last one is of this service: the message itself is wrong. */
type FailureCode = "CONFIGURE_KEYTERM_LIMIT_EXCEEDED" | "CONFIGURE_INTERNAL_ERROR" | "CONFIGURE_REFUSED";

/** @property features  true or false each; absent ones stay */
export interface Configure {
  keyterms?: unknown;
  features?: unknown;
}

type Features = Partial<Record<(typeof FEATURES)[number], boolean>>;

/** What a Configure builds on. */
export type InForce = Pick<ListenOptions, "features"> & { languages: readonly string[] };

export interface ReadConfigure {
  /** In force once the session has the change. */
  features: ListenOptions["features"];
  change: LiveChange;
  /** Undefined if they stay. */
  keyterms: string[] | undefined;
  warnings: ListenWarning[];
}

export type Refused = Omit<Extract<ListenMessage, { type: "ConfigureFailure" }>, "request_id">;

export function failureText(reason: string): string {
  const text = storableText(reason);
  const isLong = text.length > MOST_DESCRIPTION_CHARACTERS;
  return isLong ? `${beginningOf(text, MOST_DESCRIPTION_CHARACTERS - 1)}…` : text;
}

export const configureFailure = (code: FailureCode, reason: string): Refused => ({
  type: "ConfigureFailure",
  code,
  description: failureText(`Nothing was changed: ${reason}`),
});

/** @returns undefined keyterms if they stay; `isTooMuch`: a limit is exceeded */
export function keytermsIn(wanted: unknown): { keyterms?: string[]; problems: string[]; isTooMuch?: true } {
  if (wanted === undefined || wanted === null) return { problems: [] };
  if (!Array.isArray(wanted) || !wanted.every((one) => typeof one === "string")) {
    return { problems: ["keyterms must be a list of texts"] };
  }
  if (wanted.length > MOST_VOCABULARY_ENTRIES) {
    const problem = `keyterms must not have more than ${MOST_VOCABULARY_ENTRIES} terms; there are ${wanted.length}`;
    return { problems: [problem], isTooMuch: true };
  }
  const parameters = new Parameters({ keyterms: wanted });
  const keyterms = parameters.phrases("keyterms", MOST_VOCABULARY_ENTRIES);
  const { problems } = parameters;
  return { keyterms, problems, ...(problems.length > 0 ? { isTooMuch: true } : {}) };
}

function featuresIn(wanted: unknown): { features: Features; problems: string[] } {
  if (wanted === undefined || wanted === null) return { features: {}, problems: [] };
  if (!isFields(wanted)) return { features: {}, problems: ["features must be an object"] };
  const problems: string[] = [];
  const given = Object.entries(wanted).filter(([, value]) => value !== null);
  for (const [name, value] of given) {
    if (!FEATURES.some((known) => known === name)) {
      problems.push(
        `${shown(name)} is not a feature that a running session can change: open a new connection. These can change: ${FEATURES.join(", ")}`,
      );
    } else if (typeof value !== "boolean") problems.push(`features.${name} must be true or false`);
  }
  return { features: problems.length > 0 ? {} : (Object.fromEntries(given) as Features), problems };
}

/** What a change does not name stays. */
function processingOf(features: Features, next: ListenOptions["features"], keyterms: string[] | undefined) {
  const { profanity_filter, filler_words } = features;
  const changesNumerals = features.numerals !== undefined || features.smart_format !== undefined;
  const vocabulary = keyterms ?? [];
  return {
    ...(keyterms ? { custom_vocabulary: vocabulary.length > 0 } : {}),
    ...(vocabulary.length > 0 ? { custom_vocabulary_config: { vocabulary } } : {}),
    ...(changesNumerals ? { numerals: writesNumerals(next) } : {}),
    ...(profanity_filter === undefined ? {} : { profanity_filter }),
    ...(filler_words === undefined ? {} : { filler_words: filler_words ? ("keep" as const) : ("drop" as const) }),
  };
}

export function readConfigure(wanted: Configure, inForce: InForce): ReadConfigure | { refused: Refused } {
  const { keyterms, problems, isTooMuch } = keytermsIn(wanted.keyterms);
  const { features, problems: ofFeatures } = featuresIn(wanted.features);
  const all = [...problems, ...ofFeatures];
  if (all.length > 0) {
    const code = isTooMuch ? "CONFIGURE_KEYTERM_LIMIT_EXCEEDED" : "CONFIGURE_REFUSED";
    return { refused: configureFailure(code, all.join("; ")) };
  }
  const before = inForce.features;
  const next = {
    numerals: features.numerals ?? before.numerals,
    punctuate: features.punctuate ?? before.punctuate,
    smart_format: features.smart_format ?? before.smart_format,
  };
  const processing = processingOf(features, next, keyterms);
  const problem = features.profanity_filter === true ? maskingProblem(inForce.languages) : undefined;
  const noEffect = (reason: string): ListenWarning => ({
    parameter: "profanity_filter",
    type: "no_effect",
    message: `profanity_filter has no effect: ${reason}`,
  });
  return {
    features: next,
    // A change of punctuation alone is empty: its answer has the time from which it applies.
    change: Object.keys(processing).length > 0 ? { realtime_processing: processing } : {},
    keyterms,
    warnings: problem === undefined ? [] : [noEffect(problem)],
  };
}
