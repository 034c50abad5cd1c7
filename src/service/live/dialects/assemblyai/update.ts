// UpdateConfiguration of a running session: what changes, and what is wrong with it. Never throws.
import { MOST_LANGUAGES } from "../../../../contract/bounds.ts";
import type { LiveChange } from "../../../../contract/live-change.ts";
import { beginningOf, storableText } from "../../../../platform/storable.ts";
import { maskingProblem } from "../../../../speech/text/language-choice.ts";
import type { Update } from "./client-messages.ts";
import {
  keytermsOf,
  keytermsProblems,
  languageConfigOf,
  languagesOfCodes,
  MOST_TURN_MILLISECONDS,
  vocabularyOf,
} from "./options.ts";
import {
  boundsProblem,
  changedTurns,
  detectionOf,
  type GivenTurns,
  limitNotes,
  TURN_FIELDS,
  type TurnSettings,
} from "./turn-settings.ts";
import { FIELDS_WITHOUT_EFFECT, noEffectReason } from "./without-effect.ts";

/** @property problems  if there are any, nothing changes */
export interface ReadUpdate {
  problems: string[];
  /** Fields without effect, a sentence each. */
  warnings: string[];
  formatsTurns: boolean | undefined;
  turns: TurnSettings;
  /** That may be spoken from now on; undefined if they stay. */
  languages: readonly string[] | undefined;
  change: LiveChange | undefined;
}

const SHOWN_CHARACTERS = 80;
const OPENED = "a running session keeps it; open another connection";
const FIXED: Readonly<Record<string, string>> = {
  vad_threshold: OPENED,
};

const shown = (value: unknown) => storableText(beginningOf(JSON.stringify(value) ?? "", SHOWN_CHARACTERS));

class Reader {
  readonly problems: string[] = [];

  constructor(private readonly wanted: Update) {}

  has(name: string): boolean {
    return this.wanted[name] !== undefined && this.wanted[name] !== null;
  }

  /** @returns undefined if it is not given, or is wrong */
  number(name: string, most: number): number | undefined {
    const value = this.wanted[name];
    if (!this.has(name)) return undefined;
    if (typeof value === "number" && value >= 0 && value <= most) return value;
    this.problems.push(`${name} must be a number from 0 to ${most}; it is ${shown(value)}`);
    return undefined;
  }

  flag(name: string): boolean | undefined {
    const value = this.wanted[name];
    if (!this.has(name)) return undefined;
    if (typeof value === "boolean") return value;
    this.problems.push(`${name} must be true or false; it is ${shown(value)}`);
    return undefined;
  }

  texts(name: string): string[] | undefined {
    const value = this.wanted[name];
    if (!this.has(name)) return undefined;
    if (Array.isArray(value) && value.every((one) => typeof one === "string")) return value;
    this.problems.push(`${name} must be a list of texts; it is ${shown(value)}`);
    return undefined;
  }
}

function turnsIn(reader: Reader): GivenTurns {
  const given = {
    threshold: reader.number("end_of_turn_confidence_threshold", 1),
    minimum:
      reader.number("min_turn_silence", MOST_TURN_MILLISECONDS) ??
      reader.number("min_end_of_turn_silence_when_confident", MOST_TURN_MILLISECONDS),
    maximum: reader.number("max_turn_silence", MOST_TURN_MILLISECONDS),
  };
  const problem = boundsProblem(given);
  if (problem !== undefined) reader.problems.push(problem);
  return given;
}

function keytermsIn(reader: Reader): string[] | undefined {
  const given = reader.texts("keyterms_prompt");
  if (!given) return undefined;
  const keyterms = keytermsOf(given);
  reader.problems.push(...keytermsProblems(keyterms));
  return keyterms;
}

/** @param model  as the client named it. @returns undefined if the languages stay */
function languagesIn(reader: Reader, model: string, warnings: string[]): string[] | undefined {
  const given = reader.texts("language_codes");
  if (!given) return undefined;
  if (given.length > MOST_LANGUAGES) {
    reader.problems.push(`language_codes must not have more than ${MOST_LANGUAGES} languages`);
    return undefined;
  }
  const { languages, problems, warning } = languagesOfCodes(given, model);
  reader.problems.push(...problems);
  if (warning !== undefined) warnings.push(warning);
  return languages;
}

/** What of the session an update builds on. @property model  as the client named it */
interface Current {
  turns: TurnSettings;
  model: string;
  /** That may be spoken; none for any. */
  languages: readonly string[];
}

export function readUpdate(wanted: Update, { turns: current, model, languages: spoken }: Current): ReadUpdate {
  const reader = new Reader(wanted);
  const given = turnsIn(reader);
  const keyterms = keytermsIn(reader);
  const formatsTurns = reader.flag("format_turns");
  const masksProfanity = reader.flag("filter_profanity");
  const warnings = [...FIELDS_WITHOUT_EFFECT, ...Object.keys(FIXED)].flatMap((name) => {
    const reason = reader.has(name) ? (FIXED[name] ?? noEffectReason(name, wanted[name] === false)) : undefined;
    return reason === undefined ? [] : [`${name} has no effect: ${reason}`];
  });
  const languages = languagesIn(reader, model, warnings);
  const problem = masksProfanity ? maskingProblem(languages ?? spoken) : undefined;
  if (problem !== undefined) warnings.push(`filter_profanity has no effect: ${problem}`);
  const turns = changedTurns(given, current);
  warnings.push(...limitNotes(given, turns).map(([, note]) => note));
  const changesTurns = TURN_FIELDS.some((name) => reader.has(name));
  const processing: NonNullable<LiveChange["realtime_processing"]> = {
    ...(keyterms === undefined ? {} : { custom_vocabulary: false, ...vocabularyOf(keyterms) }),
    ...(masksProfanity === undefined ? {} : { profanity_filter: masksProfanity }),
  };
  const change: LiveChange = {
    ...(changesTurns ? detectionOf(turns) : {}),
    ...(languages ? { language_config: languageConfigOf(languages) } : {}),
    ...(Object.keys(processing).length > 0 ? { realtime_processing: processing } : {}),
  };
  const { problems } = reader;
  const isEmpty = problems.length > 0 || Object.keys(change).length === 0;
  return { problems, warnings, formatsTurns, turns, languages, change: isEmpty ? undefined : change };
}
