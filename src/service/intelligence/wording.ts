// Add-ons that change words: punctuation_enhanced, name_consistency and display_mode.

import { lowestPlace } from "../../contract/lowest-place.ts";
import type { Utterance, Word } from "../../contract/transcript/transcript.ts";
import { upperCase } from "../../speech/text/letter-case.ts";
import { mayEndSentence } from "../../speech/text/sentences.ts";
import { editDistance, soundOf } from "../../speech/text/sound.ts";
import { type Addon, inLanguages } from "./addon.ts";
import { entitySpans, spansByModel } from "./entities.ts";
import type { LanguageModelSettings } from "./providers/providers.ts";
import { hasQuestionForm } from "./question-forms.ts";
import { wordsAt } from "./spans.ts";

const withWords = (utterance: Utterance, words: Word[]): Utterance => ({
  ...utterance,
  words,
  text: words.map(({ word }) => word).join(""),
});

/** Languages whose sentences begin with a capital and end with a full stop. */
const PUNCTUATED = (
  "en de fr es it pt nl ca gl oc ro sv da no nn is fi et lv lt pl cs sk sl hr bs hu sq tr az eu br cy af id ms su jw tl " +
  "sw ht mg mt lb la fo vi uk ru be bg mk sr"
).split(" ");

/** Capitals at the beginning, one mark at the end, no doubled marks. */
export function punctuated(utterance: Utterance): Utterance {
  if (!PUNCTUATED.includes(utterance.language)) return utterance;
  const isEnglish = utterance.language === "en";
  let isStart = true;
  let sentence: string[] = [];
  const words = utterance.words.map((word, index) => {
    let text = word.word.replace(/([.,!?;:])\1+/g, "$1").replace(/,\./g, ".");
    if (isEnglish) text = text.replace(/^(\s*)i(?=$|['’.,!?])/, "$1I");
    if (isStart) sentence = [];
    sentence.push(text);
    if (isStart)
      text = text.replace(/^\P{L}*\p{Ll}(?!\p{Lu}|\p{N}|\p{Ll}+\p{Lu})/u, (letters) =>
        upperCase(letters, utterance.language),
      );
    if (index === utterance.words.length - 1) {
      const isQuestion = isEnglish && hasQuestionForm(sentence);
      if (/[,;:]$/.test(text)) text = text.slice(0, -1);
      if (/[\p{L}\p{M}\p{N}'’"]$/u.test(text)) text += isQuestion ? "?" : ".";
    }
    isStart = mayEndSentence(text, utterance.words[index + 1]?.word, utterance.language);
    return { ...word, word: text };
  });
  return withWords(utterance, words);
}

export const punctuationAddon: Addon = {
  name: "punctuation_enhanced",
  changesTranscript: true,
  languages: PUNCTUATED,
  async run({ transcription }) {
    inLanguages(transcription.utterances, this);
    transcription.utterances = transcription.utterances.map(punctuated);
  },
  place(result, _, answer) {
    if (!answer.success) result["punctuation_enhanced"] = answer;
  },
};

const core = (text: string) => text.replace(/^[^\p{L}]+|(?<![^\p{L}\p{M}])[^\p{L}\p{M}]+$|['’]s[^\p{L}\p{M}]*$/gu, "");

const NAMES = /^NAME/;
const NAME_TYPES = ["NAME", "NAME_GIVEN", "NAME_FAMILY"];

/** Words of an utterance that are names. */
type NamesIn = (utterance: Utterance) => readonly Word[];

const namesByRules: NamesIn = (utterance) =>
  entitySpans(utterance.text)
    .filter(({ type }) => NAMES.test(type))
    .flatMap(({ from, to }) => wordsAt(utterance, from, to));

/** Spellings of names that sound the same and look alike → the one that is written most. */
export function nameSpellings(utterances: readonly Utterance[], namesIn = namesByRules): Map<string, string> {
  const counts = new Map<string, number>();
  for (const utterance of utterances) {
    for (const word of namesIn(utterance)) {
      const name = core(word.word);
      if (name.length > 2 && /^\p{Lu}/u.test(name)) counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  }
  const names = [...counts].sort((left, right) => right[1] - left[1]).map(([name]) => name);
  const wanted = new Map<string, string>();
  for (const [index, name] of names.entries()) {
    const sound = soundOf(name);
    const same = names.slice(0, index).find((other) => {
      if (wanted.has(other)) return false;
      const isClose =
        editDistance(name.toLowerCase(), other.toLowerCase()) <= Math.max(1, Math.floor(other.length / 3));
      return isClose && soundOf(other) === sound;
    });
    if (same && same !== name) wanted.set(name, same);
  }
  return wanted;
}

function respelled(utterance: Utterance, wanted: ReadonlyMap<string, string>): Utterance {
  const words = utterance.words.map((word) => {
    const name = core(word.word);
    const spelling = wanted.get(name);
    return spelling ? { ...word, word: word.word.replace(name, spelling) } : word;
  });
  return withWords(utterance, words);
}

/** Names by a language model, in languages without rules. */
async function namesByModel(utterances: readonly Utterance[], model: LanguageModelSettings): Promise<NamesIn> {
  const spans = await spansByModel(utterances, model, NAME_TYPES);
  const words = new Map(
    utterances.map((utterance, at) => [
      utterance,
      (spans[at] ?? []).flatMap(({ from, to }) => wordsAt(utterance, from, to)),
    ]),
  );
  return (utterance) => words.get(utterance) ?? [];
}

const ENGLISH = "en";

export const namesAddon: Addon = {
  name: "name_consistency",
  changesTranscript: true,
  languages: [ENGLISH],
  isImprovedByModel: true,
  async run({ transcription, params, providers: { languageModel } }) {
    const { utterances } = transcription;
    const foreign = utterances.filter(({ language }) => language !== ENGLISH);
    const byModel = languageModel && foreign.length > 0 ? await namesByModel(foreign, languageModel) : undefined;
    const fit = byModel ? utterances : inLanguages(utterances, this);
    const spellings = new Map(
      [...new Set(fit.map(({ language }) => language))].map((language) => {
        const own = fit.filter((utterance) => utterance.language === language);
        return [language, nameSpellings(own, language === ENGLISH ? namesByRules : byModel)] as const;
      }),
    );
    const changes = [...spellings.values()].flatMap((wanted) => [...wanted].map(([from, to]) => `${from} → ${to}`));
    if (changes.length === 0) return null;
    transcription.utterances = utterances.map((utterance) => {
      const wanted = spellings.get(utterance.language);
      return wanted ? respelled(utterance, wanted) : utterance;
    });
    // The answer is not redacted, and names may be among what must not remain.
    if (params.pii_redaction) return `${changes.length} changed, not listed because of pii_redaction`;
    return changes.join("; ");
  },
};

const voiceOf = ({ channel, speaker }: Utterance) => `${channel}:${speaker ?? ""}`;

/** Starts of utterances; each count takes a binary search. */
class Starts {
  private readonly starts: number[];

  constructor(utterances: readonly Utterance[]) {
    this.starts = utterances.map(({ start }) => start).sort((left, right) => left - right);
  }

  /** @returns starts above `after`, up to and with `until`, and below `before` */
  count(after: number, until: number, before: number): number {
    const upTo = Math.min(
      this.first((start) => start > until),
      this.first((start) => start >= before),
    );
    return Math.max(0, upTo - this.first((start) => start > after));
  }

  /** Index of the first start for which `isBeyond` holds, as it does for all later ones. */
  private first(isBeyond: (start: number) => boolean): number {
    return lowestPlace(this.starts.length, (place) => isBeyond(this.starts[place] as number));
  }
}

/** Utterances in time order, divided where another speaker begins within one of their pauses. */
export function displayed(utterances: Utterance[]): Utterance[] {
  const all = new Starts(utterances);
  const byVoice = new Map<string, Utterance[]>();
  for (const utterance of utterances) {
    const own = byVoice.get(voiceOf(utterance));
    if (own) own.push(utterance);
    else byVoice.set(voiceOf(utterance), [utterance]);
  }
  const ofVoice = new Map([...byVoice].map(([voice, own]) => [voice, new Starts(own)]));
  const parts = utterances.flatMap((utterance) => {
    const own = ofVoice.get(voiceOf(utterance)) as Starts;
    const isCut = (from: number, to: number) => {
      const range = [Math.max(from, utterance.start), to, utterance.end] as const;
      return all.count(...range) > own.count(...range);
    };
    const groups: Word[][] = [[]];
    for (const word of utterance.words) {
      const open = groups.at(-1) as Word[];
      const last = open.at(-1);
      if (last && isCut(last.start, word.start)) groups.push([word]);
      else open.push(word);
    }
    return groups
      .filter((words) => words.length > 0)
      .map((words, index) => {
        const [first, ...rest] = words as [Word, ...Word[]];
        const trimmed = index === 0 ? words : [{ ...first, word: first.word.trimStart() }, ...rest];
        return { ...withWords(utterance, trimmed), start: first.start, end: words.at(-1)?.end ?? first.end };
      });
  });
  return parts.sort((left, right) => left.start - right.start || left.channel - right.channel);
}

export const displayAddon: Addon = {
  name: "display_mode",
  run: async ({ transcription }) => displayed(transcription.utterances),
};
