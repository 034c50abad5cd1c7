// Configure of a running session: thresholds, keyterms, languages, numerals and the filter of profanity change, for the audio that follows.
import { MOST_LANGUAGES } from "../../../../contract/bounds.ts";
import type { FluxBody, FluxThresholds } from "../../../../contract/deepgram-flux.ts";
import type { LiveChange } from "../../../../contract/live-change.ts";
import { maskingProblem } from "../../../../speech/text/language-choice.ts";
import { Parameters } from "../../../wire/parameters.ts";
import { failureText, keytermsIn } from "../deepgram/configure.ts";
import type { Configure } from "./client-messages.ts";
import { type FluxOptions, hintedLanguages, languageConfigOf, processingOf, thresholdsIn, turnsOf } from "./options.ts";

const CODE = "CONFIGURE_REFUSED";
const THRESHOLDS = ["eot_threshold", "eager_eot_threshold", "eot_timeout_ms"];

type Current = Pick<FluxOptions, "thresholds" | "keyterms" | "numerals" | "languageHints">;

export interface ReadableConfigure {
  /** In force once the session has the change. */
  next: Current;
  change: LiveChange;
  warnings: string[];
}

export function configureFailure(reason: string): FluxBody {
  return { type: "ConfigureFailure", code: CODE, error_code: CODE, description: failureText(reason) };
}

export function configureSuccess({ thresholds, keyterms, languageHints, numerals }: Current): FluxBody {
  return {
    type: "ConfigureSuccess",
    thresholds,
    keyterms,
    numerals,
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

/** A threshold that is missing stays. With null, it has its default: without eager_eot_threshold, there is no eager end of turn. */
function thresholdsOf(wanted: unknown, current: FluxThresholds, problems: string[]): Thresholds {
  const given = typeof wanted === "object" && wanted !== null && !Array.isArray(wanted) ? wanted : {};
  if (wanted !== undefined && wanted !== null && given !== wanted) problems.push("thresholds must be an object");
  const unknown = Object.keys(given).find((name) => !THRESHOLDS.includes(name));
  if (unknown !== undefined) problems.push(`thresholds.${unknown} is not a threshold`);
  const fields: Record<string, number> = {};
  for (const name of THRESHOLDS) {
    const sent = (given as Record<string, unknown>)[name];
    const value = sent === undefined ? current[name as keyof FluxThresholds] : sent;
    if (value === undefined || value === null) continue;
    if (typeof value === "number") fields[name] = value;
    else problems.push(`thresholds.${name} must be a number`);
  }
  return new Thresholds(fields);
}

function keytermsOf(wanted: unknown, current: string[], problems: string[]): string[] {
  const { keyterms = current, problems: found } = keytermsIn(wanted);
  problems.push(...found);
  return keyterms;
}

/** @returns undefined for a switch that is missing or null: it stays */
function switchIn(name: string, wanted: unknown, problems: string[]): boolean | undefined {
  if (wanted === undefined || wanted === null) return undefined;
  if (typeof wanted === "boolean") return wanted;
  problems.push(`${name} must be true or false`);
  return undefined;
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
  const parameters = thresholdsOf(wanted.thresholds, current.thresholds, problems);
  const thresholds = thresholdsIn(parameters);
  problems.push(...parameters.problems);
  const keyterms = keytermsOf(wanted.keyterms, current.keyterms, problems);
  const numerals = switchIn("numerals", wanted.numerals, problems) ?? current.numerals;
  const masksProfanity = switchIn("profanity_filter", wanted.profanity_filter, problems);
  const languageHints = hintsOf(hints, current.languageHints, problems);
  if (problems.length > 0) return { refused: configureFailure(`Nothing was changed: ${problems.join("; ")}`) };
  const next = { ...current, thresholds, keyterms, languageHints, numerals };
  const languageConfig = languageConfigOf(languageHints);
  const change: LiveChange = {
    turn_detection: { mode: "silence" },
    ...turnsOf(thresholds),
    language_config: languageConfig,
    realtime_processing: {
      custom_vocabulary: false,
      ...processingOf(next),
      ...(masksProfanity === undefined ? {} : { profanity_filter: masksProfanity }),
    },
  };
  const problem = masksProfanity ? maskingProblem(languageConfig.languages) : undefined;
  const warnings = [
    ...parameters.warnings.map(({ message }) => message),
    ...(problem === undefined ? [] : [`profanity_filter has no effect: ${problem}`]),
  ];
  return { next, change, warnings };
}
