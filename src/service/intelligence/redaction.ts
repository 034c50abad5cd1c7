// pii_redaction: replaces personal data in the text and the words by markers. A language model finds the types that rules do not find in a
// language. If a requested type cannot be found, the job fails, so that no unredacted text passes as redacted.

import type { Utterance, Word } from "../../contract/transcript/transcript.ts";
import { errors } from "../../platform/errors.ts";
import { withNumerals } from "../../speech/text/numerals/numerals.ts";
import type { Addon } from "./addon.ts";
import { entitySpans } from "./entities.ts";
import { identifiersIn } from "./identifiers.ts";
import { type Finding, foundByModel } from "./redaction-by-model.ts";
import { redactedTypes } from "./redaction-types.ts";
import { spokenWords, wordsAt } from "./spans.ts";

type Marker = (type: string, text: string) => string;

function numbered(): Marker {
  const numbers = new Map<string, Map<string, number>>();
  return (type, text) => {
    const known = numbers.get(type) ?? new Map<string, number>();
    numbers.set(type, known);
    const same = text.toLowerCase();
    if (!known.has(same)) known.set(same, known.size + 1);
    return `[${type}_${known.get(same)}]`;
  };
}

const masked: Marker = (_, text) => text.replace(/\S/g, "#");

/** Kinds that the rules may confuse with each kind, such as names and places. */
const SIMILAR: Readonly<Record<string, readonly string[]>> = {
  NAME: ["NAME_GIVEN", "NAME_FAMILY"],
  NAME_GIVEN: ["NAME", "NAME_FAMILY"],
  NAME_FAMILY: ["NAME", "NAME_GIVEN"],
  NAME_MEDICAL_PROFESSIONAL: ["NAME"],
  LOCATION: ["LOCATION_CITY", "LOCATION_STATE", "LOCATION_COUNTRY", "LOCATION_ADDRESS"],
  LOCATION_CITY: ["LOCATION", "LOCATION_STATE"],
  LOCATION_STATE: ["LOCATION", "LOCATION_CITY"],
  LOCATION_COUNTRY: ["LOCATION"],
  DATE: ["DOB", "DATE_INTERVAL"],
  PHONE_NUMBER: ["NUMERICAL_PII"],
};

const wantedOf = (kinds: readonly string[], types: ReadonlySet<string>) =>
  [...kinds, ...kinds.flatMap((kind) => SIMILAR[kind] ?? [])].find((kind) => types.has(kind));

/** Adds names, places and the like found by English grammar and word lists, in the text with numbers in words and in digits. */
function named(utterance: Utterance, types: ReadonlySet<string>, findings: Map<Word, Finding>): void {
  if (utterance.language !== "en") return;
  const written = withNumerals(utterance);
  for (const form of written === utterance ? [utterance] : [utterance, written]) {
    for (const { type, from, to } of entitySpans(form.text)) {
      if (wantedOf([type], types) === undefined) continue;
      const own = wordsAt(form, from, to);
      const spoken = form === utterance ? own : spokenWords(own, utterance.words);
      const finding = { type, text: form.text.slice(from, to) };
      for (const word of spoken) if (!findings.has(word)) findings.set(word, finding);
    }
  }
}

function findingsIn(utterances: readonly Utterance[], types: ReadonlySet<string>): Map<Word, Finding> {
  const findings = new Map<Word, Finding>();
  for (const { types: kinds, words, text } of identifiersIn(utterances)) {
    const type = wantedOf(kinds, types);
    if (type === undefined) continue;
    const finding = { type, text };
    for (const word of words) if (!findings.has(word)) findings.set(word, finding);
  }
  for (const utterance of utterances) named(utterance, types, findings);
  return findings;
}

/** Whole words are replaced, including other characters of the same word, but not punctuation at its edges. */
function redacted(
  utterance: Utterance,
  findings: ReadonlyMap<Word, Finding>,
  marker: Marker,
  isMask: boolean,
): Utterance {
  const words: Word[] = [];
  let current: { finding: Finding; words: Word[] } | undefined;
  const close = () => {
    const [first, last] = [current?.words[0], current?.words.at(-1)];
    if (!current || !first || !last) return;
    const space = /^\s*/.exec(first.word)?.[0] ?? "";
    const mark = /(?<![.,!?;:])[.,!?;:]*$/.exec(last.word)?.[0] ?? "";
    const original = current.words.map(({ word }) => word).join("");
    const shown = original.slice(space.length, original.length - mark.length);
    const text = marker(current.finding.type, isMask ? shown : current.finding.text);
    words.push({ ...first, word: `${space}${text}${mark}`, end: last.end });
    current = undefined;
  };
  for (const word of utterance.words) {
    const finding = findings.get(word);
    if (current && finding !== current.finding) close();
    if (!finding) words.push(word);
    else if (current) current.words.push(word);
    else current = { finding, words: [word] };
  }
  close();
  return { ...utterance, words, text: words.map(({ word }) => word).join("") };
}

export const redactionAddon: Addon = {
  name: "pii_redaction",
  changesTranscript: true,
  async run(input) {
    const { transcription, params } = input;
    const config = params.pii_redaction_config ?? {};
    const types = redactedTypes(config.entity_types);
    const isMask = config.processed_text_type === "MASK";
    const marker = isMask ? masked : numbered();
    const findings = findingsIn(transcription.utterances, types);
    await foundByModel(transcription.utterances, types, input, findings);
    transcription.utterances = transcription.utterances.map((utterance) =>
      redacted(utterance, findings, marker, isMask),
    );
  },
  // The job fails instead of returning an unredacted transcript.
  place(_, __, answer) {
    if (!answer.success) throw errors.redactionUnavailable(answer.error?.message ?? "pii_redaction failed");
  },
};
