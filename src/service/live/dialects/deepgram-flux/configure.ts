// Configure of a running session: thresholds, keyterms, numerals and languages change, for the audio that follows.
import { MOST_LANGUAGES } from "../../../../contract/bounds.ts";
import type { FluxBody, FluxThresholds } from "../../../../contract/deepgram-flux.ts";
import type { LiveChange } from "../../../../contract/live-change.ts";
import { beginningOf, storableText } from "../../../../platform/storable.ts";
import { vocabularyIn } from "../../../deepgram/parameters.ts";
import { Parameters } from "../../../wire/parameters.ts";
import type { Configure } from "./client-messages.ts";
import { type FluxOptions, hintedLanguages, languageConfigOf, processingOf, thresholdsIn, turnsOf } from "./options.ts";

const CODE = "CONFIGURE_REFUSED";
const MOST_DESCRIPTION_CHARACTERS = 1_000;
const THRESHOLDS = ["eot_threshold", "eager_eot_threshold", "eot_timeout_ms"];

type Current = Pick<FluxOptions, "thresholds" | "keyterms" | "numerals" | "languageHints">;

export interface ReadableConfigure {
  /** In force once the session has the change. */
  next: Current;
  change: LiveChange;
  warnings: string[];
}

export function configureFailure(reason: string): FluxBody {
  const text = storableText(reason);
  const isLong = text.length > MOST_DESCRIPTION_CHARACTERS;
  const description = isLong ? `${beginningOf(text, MOST_DESCRIPTION_CHARACTERS - 1)}…` : text;
  return { type: "ConfigureFailure", code: CODE, error_code: CODE, description };
}

export function configureSuccess({ thresholds, keyterms, languageHints }: Current): FluxBody {
  return {
    type: "ConfigureSuccess",
    thresholds,
    keyterms,
    ...(languageHints === undefined ? {} : { language_hints: languageHints }),
  };
}

/** Fields of a message, which are numbers, where a query has texts. */
class Thresholds extends Parameters {
  constructor(private readonly fields: Readonly<Record<string, number>>) {
    super({});
  }

  override number(name: string, least: number, most: number): number | undefined {
    const value = this.fields[name];
    return value === undefined ? undefined : this.within(name, [least, most], value, String(value));
  }
}

function thresholdsOf(wanted: unknown, current: FluxThresholds, problems: string[]): Thresholds {
  const given = typeof wanted === "object" && wanted !== null && !Array.isArray(wanted) ? wanted : {};
  if (wanted !== undefined && wanted !== null && given !== wanted) problems.push("thresholds must be an object");
  const unknown = Object.keys(given).find((name) => !THRESHOLDS.includes(name));
  if (unknown !== undefined) problems.push(`thresholds.${unknown} is not a threshold`);
  const fields: Record<string, number> = {};
  for (const name of THRESHOLDS) {
    const value: unknown = (given as Record<string, unknown>)[name] ?? current[name as keyof FluxThresholds];
    if (value === undefined) continue;
    if (typeof value === "number") fields[name] = value;
    else problems.push(`thresholds.${name} must be a number`);
  }
  return new Thresholds(fields);
}

function keytermsOf(wanted: unknown, current: string[], problems: string[]): string[] {
  if (wanted === undefined || wanted === null) return current;
  if (!Array.isArray(wanted) || !wanted.every((one) => typeof one === "string")) {
    problems.push("keyterms must be a list of texts");
    return current;
  }
  const parameters = new Parameters({ keyterm: wanted });
  const keyterms = vocabularyIn(parameters);
  problems.push(...parameters.problems);
  return keyterms;
}

/** A session of several languages alone has hints. An empty list allows every language. */
function hintsOf(wanted: unknown, current: string[] | undefined, problems: string[]): string[] | undefined {
  if (wanted === undefined || wanted === null) return current;
  if (!Array.isArray(wanted) || wanted.length > MOST_LANGUAGES || !wanted.every((one) => typeof one === "string")) {
    problems.push(`language_hints must be a list of at most ${MOST_LANGUAGES} languages`);
    return current;
  }
  if (current === undefined && wanted.length > 0) {
    problems.push("language_hints can change only with the model flux-general-multi: open another connection");
    return current;
  }
  const { languages, problems: found } = hintedLanguages(wanted, "language_hints");
  problems.push(...found);
  return current && languages;
}

export function readConfigure(wanted: Configure, current: Current): ReadableConfigure | { refused: FluxBody } {
  const problems: string[] = [];
  const { language_hints: hints } = wanted;
  const numerals = wanted.numerals ?? current.numerals;
  const parameters = thresholdsOf(wanted.thresholds, current.thresholds, problems);
  const thresholds = thresholdsIn(parameters);
  problems.push(...parameters.problems);
  const keyterms = keytermsOf(wanted.keyterms, current.keyterms, problems);
  if (typeof numerals !== "boolean") problems.push("numerals must be true or false");
  const languageHints = hintsOf(hints, current.languageHints, problems);
  if (problems.length > 0) return { refused: configureFailure(`Nothing was changed: ${problems.join("; ")}`) };
  const next = { ...current, thresholds, keyterms, languageHints, numerals: numerals === true };
  const change: LiveChange = {
    turn_detection: { mode: "silence" },
    ...turnsOf(thresholds),
    language_config: languageConfigOf(languageHints),
    realtime_processing: { custom_vocabulary: false, ...processingOf(next) },
  };
  return { next, change, warnings: parameters.warnings.map(({ message }) => message) };
}
