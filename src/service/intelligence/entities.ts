// named_entity_recognition for English. Names, places, organisations and the like are found by compromise's grammar and word lists;
// entities with a fixed form (addresses, numbers, dates, sums) by patterns.
import type { Entity } from "../../contract/addon-results.ts";
import type { Utterance } from "../../contract/transcript/transcript.ts";
import type { Addon } from "./addon.ts";
import { parseEnglish } from "./english-grammar.ts";
import { ENTITY_TYPES } from "./entity-types.ts";
import { modelOrLocal } from "./model-or-local.ts";
import { itemsOfLines } from "./providers/lines.ts";
import type { LanguageModelSettings } from "./providers/providers.ts";
import { timesAt } from "./spans.ts";

/** Characters of a text. */
interface Span {
  type: string;
  from: number;
  to: number;
}

interface Found {
  text: string;
  offset: { start: number; length: number };
}
/** The part of compromise's View interface that is used. */
interface View {
  json(options: object): unknown;
  has(match: string): boolean;
}
const found = (view: View) => view.json({ offset: true }) as Found[];

const MONTH = "(?:january|february|march|april|may|june|july|august|september|october|november|december)";
const NUMBER_WORD =
  "(?:zero|oh|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)";
const AMOUNT = `(?:\\d[\\d,.]*|(?:a|${NUMBER_WORD}(?:[- ]${NUMBER_WORD})*)(?:[- ](?:hundred|thousand|million|billion))*)`;

/** Entities with a fixed form. Earlier patterns take precedence. */
const PATTERNS: [type: string, pattern: RegExp][] = [
  ["EMAIL_ADDRESS", /(?<![\w.+-])[\w.+-]+@[\w-]+\.[\w.-]+\w/gu],
  ["EMAIL_ADDRESS", /\b[\w.]+ at [\w]+ dot (?:com|org|net|edu|io)\b/giu],
  ["URL", /\bhttps?:\/\/\S+\w|\bwww\.\S+\w|\b[\w-]+\.(?:com|org|net|io|edu)\b/giu],
  ["URL", /\b[\w]+ dot (?:com|org|net|edu|io)\b/giu],
  ["IP_ADDRESS", /\b(?:\d{1,3}\.){3}\d{1,3}\b/gu],
  ["CREDIT_CARD", /\b(?:\d[ -]?){13,16}\b/gu],
  ["SSN", /\b\d{3}-\d{2}-\d{4}\b/gu],
  ["PHONE_NUMBER", /(?:\+?\d{1,2}[ .-]?)?\(?\b\d{3}\)?[ .-]?\d{3}[ .-]?\d{4}\b/gu],
  ["PHONE_NUMBER", new RegExp(`\\b(?:(?:${NUMBER_WORD}|\\d)[ -]){6,10}(?:${NUMBER_WORD}|\\d)\\b`, "giu")],
  ["MONEY", /[$€£]\s?\d[\d,.]*\d?(?:\s(?:million|billion|thousand))?/gu],
  ["MONEY", new RegExp(`\\b${AMOUNT} (?:dollars?|euros?|pounds?|cents?|bucks)\\b`, "giu")],
  ["AGE", new RegExp(`\\b${AMOUNT}[ -]years?[ -]olds?\\b`, "giu")],
  ["AGE", new RegExp(`\\b(?:aged|age of|age is) ${AMOUNT}\\b`, "giu")],
  ["AGE", /\b(?:i am|i'm|he is|he's|she is|she's) (?:only |just |already )?\d{1,3}(?=[.,!?]|$| and\b| years\b)/giu],
  ["DURATION", new RegExp(`\\b${AMOUNT} (?:seconds?|minutes?|hours?|days?|weeks?|months?|years?)\\b`, "giu")],
  ["STATISTICS", new RegExp(`\\b${AMOUNT} ?(?:percent|%)`, "giu")],
  ["TIME", /\b\d{1,2}(?::\d{2})? ?(?:[ap]\.?m\.?|o'clock)(?![a-z])|\b\d{1,2}:\d{2}\b/giu],
  ["TIME", new RegExp(`\\b${NUMBER_WORD}(?:[ -]${NUMBER_WORD})? o'clock\\b`, "giu")],
  ["DATE", new RegExp(`\\b${MONTH} (?:the )?\\d{1,2}(?:st|nd|rd|th)?(?:,? \\d{4})?\\b`, "giu")],
  ["DATE", new RegExp(`\\b(?:the )?\\d{1,2}(?:st|nd|rd|th)? (?:of )?${MONTH}(?:,? \\d{4})?\\b`, "giu")],
  ["DATE", /\b(?:january|february|april|june|july|august|september|october|november|december)\b(?:,? \d{4})?/giu],
  ["DATE", /\b(?:(?:next|last|this|on) )?(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)\b/giu],
  ["DATE", /\b(?:today|tomorrow|yesterday|tonight|(?:next|last|this) (?:week|month|year|quarter|weekend))\b/giu],
  ["DATE", /\b(?:19|20)\d{2}\b/gu],
];
const OCCUPATIONS =
  /\b(?:(?:marketing|sales|project|product|software|design) )?(?:expert|consultant|analyst|assistant|specialist|doctor|nurse|lawyer|engineer|teacher|manager|director|president|professor|accountant|developer|designer|chef|barista|driver|secretary|senator|journalist)s?\b/giu;
const LANGUAGES =
  /\b(?:english|french|german|spanish|italian|portuguese|dutch|russian|chinese|mandarin|japanese|korean|arabic|hindi|turkish|polish|swedish|greek|latin)\b/giu;

const overlaps = (left: Span, right: Span) => left.from < right.to && right.from < left.to;

/** The span without punctuation at its edges. */
function trimmed(text: string, { type, from, to }: Span): Span {
  const inner = /^[^\p{L}\p{N}$€£+]*(.*?)[^\p{L}\p{M}\p{N}%]*$/su.exec(text.slice(from, to));
  const before = text.slice(from, to).indexOf(inner?.[1] ?? "");
  return { type, from: from + Math.max(0, before), to: from + Math.max(0, before) + (inner?.[1]?.length ?? 0) };
}

function placeType(view: View): string {
  if (view.has("#Country")) return "LOCATION_COUNTRY";
  if (view.has("#City")) return "LOCATION_CITY";
  return view.has("#Region") ? "LOCATION_STATE" : "LOCATION";
}

function nameType(text: string, hasFirst: boolean, hasLast: boolean): string {
  if (/^(?:dr|doctor|nurse)\b/i.test(text)) return "NAME_MEDICAL_PROFESSIONAL";
  const words = text.split(/\s+/).filter((word) => !/^(?:mr|mrs|ms|miss|sir|madam)\.?$/i.test(word));
  if (words.length > 1) return "NAME";
  if (words.length < text.split(/\s+/).length) return "NAME_FAMILY";
  return hasLast && !hasFirst ? "NAME_FAMILY" : "NAME_GIVEN";
}

/** Adds spans of a text to a list, except those that overlap an earlier one. */
function collector(text: string, spans: Span[]): (span: Span) => void {
  return (span) => {
    const exact = trimmed(text, span);
    if (exact.to > exact.from && !spans.some((other) => overlaps(other, exact))) spans.push(exact);
  };
}

/** Matches of PATTERNS; they do not overlap. */
function patternSpans(text: string): Span[] {
  const spans: Span[] = [];
  const add = collector(text, spans);
  for (const [type, pattern] of PATTERNS) {
    for (const match of text.matchAll(pattern)) add({ type, from: match.index, to: match.index + match[0].length });
  }
  return spans;
}

/** Entities of an English text, in order, without overlaps. */
export function entitySpans(text: string): Span[] {
  const spans = patternSpans(text);
  const add = collector(text, spans);
  const document = parseEnglish(text);
  const at = ({ offset }: Found) => ({ from: offset.start, to: offset.start + offset.length });
  const hasCapital = (one: Found) => /\p{Lu}/u.test(one.text);
  // "Roman character" is not a person.
  const isName = (one: Found) =>
    one.text
      .split(/\s+/)
      .every((word) => /^[^\p{L}]*\p{Lu}/u.test(word) || /^(?:de|da|di|del|la|van|von|der|den|bin|of|the)$/.test(word));
  document.organizations().forEach((view: View) => {
    for (const one of found(view).filter(hasCapital)) add({ type: "ORGANIZATION", ...at(one) });
  });
  document.people().forEach((view: View) => {
    if (view.has("#Pronoun")) return;
    for (const one of found(view).filter(isName)) {
      add({ type: nameType(one.text, view.has("#FirstName"), view.has("#LastName")), ...at(one) });
    }
  });
  document.places().forEach((view: View) => {
    for (const one of found(view).filter(hasCapital)) add({ type: placeType(view), ...at(one) });
  });
  for (const match of text.matchAll(LANGUAGES)) {
    add({ type: "LANGUAGE", from: match.index, to: match.index + match[0].length });
  }
  document.match("#Demonym").forEach((view: View) => {
    for (const one of found(view)) add({ type: "ORIGIN", ...at(one) });
  });
  for (const match of text.matchAll(OCCUPATIONS)) {
    add({ type: "OCCUPATION", from: match.index, to: match.index + match[0].length });
  }
  return spans.sort((left, right) => left.from - right.from);
}

export function entitiesOf(utterance: Utterance, spans = entitySpans(utterance.text)): Entity[] {
  return spans.map(({ type, from, to }) => ({
    entity_type: type,
    text: utterance.text.slice(from, to),
    ...timesAt(utterance, from, to),
  }));
}

/** Longest text of an entity, characters. */
const LONGEST_ENTITY = 100;

interface NamedByModel {
  line: number;
  type: string;
  text: string;
}

/**
 * Returns all entities that a language model finds, also those with the number of a wrong line.
 * @throws AddonFailed
 */
export function namedByModel(
  utterances: readonly Utterance[],
  settings: LanguageModelSettings,
  types: readonly string[] = ENTITY_TYPES,
): Promise<NamedByModel[]> {
  return itemsOfLines<NamedByModel>(
    `Find ${types.length < ENTITY_TYPES.length ? `everything of these types: ${types.join(", ")},` : "the named entities"} in every line of the transcript; copy each one's text from its line, letter by letter.`,
    utterances.map(({ text }) => text),
    settings,
    { type: { type: "string", enum: types }, text: { type: "string", maxLength: LONGEST_ENTITY } },
    ({ type, text }) => types.includes(type) && typeof text === "string" && text.trim() !== "",
  );
}

/**
 * Entities found by a language model, if their text occurs verbatim in the utterance.
 * @returns spans of each utterance, in order, without overlaps
 * @throws AddonFailed
 */
export async function spansByModel(
  utterances: readonly Utterance[],
  settings: LanguageModelSettings,
  types?: readonly string[],
): Promise<Span[][]> {
  const found = await namedByModel(utterances, settings, types);
  return utterances.map((utterance, line) => {
    const spans: Span[] = [];
    for (const { type, text } of found.filter((one) => one.line === line)) {
      const after = Math.max(
        0,
        ...spans.filter((span) => utterance.text.slice(span.from, span.to) === text).map(({ to }) => to),
      );
      const from = utterance.text.indexOf(text, after);
      const span = { type, from, to: from + text.length };
      if (from >= 0 && !spans.some((other) => overlaps(other, span))) spans.push(span);
    }
    return spans.sort((left, right) => left.from - right.from);
  });
}

/** The model's entities, and matches of PATTERNS that do not overlap them. */
async function entitiesByModel(utterances: Utterance[], settings: LanguageModelSettings): Promise<Entity[]> {
  const named = await spansByModel(utterances, settings);
  return utterances.flatMap((utterance, line) => {
    const spans = named[line] as Span[];
    const others = patternSpans(utterance.text).filter((span) => !spans.some((other) => overlaps(other, span)));
    return entitiesOf(
      utterance,
      [...spans, ...others].sort((left, right) => left.from - right.from),
    );
  });
}

export const entitiesAddon: Addon = {
  name: "named_entity_recognition",
  languages: ["en"],
  isImprovedByModel: true,
  async run(input) {
    return modelOrLocal(
      this,
      input,
      (settings) => entitiesByModel(input.transcription.utterances, settings),
      (utterances) => utterances.flatMap((utterance) => entitiesOf(utterance)),
    );
  },
};
