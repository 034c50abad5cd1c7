// custom_vocabulary after recognition, which already favours the terms: words with a low confidence that sound like a term are replaced
// by it. Bounds by `npm run bench:vocabulary`.

import { type VocabularyTerm, vocabularyOf } from "../recognition/vocabulary.ts";
import { editDistance, lettersOf, soundOf } from "../text/sound.ts";
import { meanConfidence } from "../transcript/mean-confidence.ts";
import type { Utterance, Word } from "../transcript/transcript.ts";
import type { Addon } from "./addon.ts";

interface Target {
  value: string;
  /** Pronunciations. */
  forms: { sound: string; letters: string; words: number }[];
  /** Largest share of differing sounds. */
  tolerance: number;
}

/** Terms with fewer sounds resemble too many other words. */
const LEAST_SOUNDS = 4;
/** Largest share of differing sounds at an intensity of 0, and its increase at 1. */
const LEAST_TOLERANCE = 0.1;
const TOLERANCE_GROWTH = 0.2;
/** Letters may differ more than sounds: vowels are recognised worst. */
const MOST_DIFFERENT_LETTERS = 0.5;
/** Words with a mean confidence of at least this are kept. */
const SURE = 0.8;

const EDGES = /^(\s*[^\p{L}\p{N}]*).*?([^\p{L}\p{N}]*)$/su;

/** The terms of a request, prepared for the search. */
export function vocabularyTargets(terms: readonly VocabularyTerm[]): Target[] {
  return terms
    .filter(({ intensity, language = "en" }) => intensity > 0 && language === "en")
    .map(({ value, intensity, pronunciations }) => ({
      value,
      tolerance: LEAST_TOLERANCE + TOLERANCE_GROWTH * intensity,
      forms: [value, ...pronunciations]
        .map((form) => ({ sound: soundOf(form), letters: lettersOf(form), words: form.trim().split(/\s+/).length }))
        .filter(({ sound }) => sound.length >= LEAST_SOUNDS),
    }))
    .filter(({ forms }) => forms.length > 0);
}

interface Match {
  from: number;
  count: number;
  value: string;
  /** Differing sounds and letters as shares, summed: less is better. */
  difference: number;
}

/** @param longest  words of the longest stretch that is looked at */
function matchesAt(words: Word[], from: number, targets: Target[], longest: number): Match[] {
  const found: Match[] = [];
  for (let count = 1; count <= longest && from + count <= words.length; count++) {
    const window = words.slice(from, from + count);
    if (window.some(({ word }, index) => index < count - 1 && /[.!?,;:]\s*$/.test(word))) break;
    if (meanConfidence(window) >= SURE) continue;
    const text = lettersOf(window.map(({ word }) => word).join(""));
    const sound = soundOf(text);
    for (const { value, forms, tolerance } of targets) {
      for (const form of forms) {
        if (Math.abs(form.words - count) > 1 || Math.abs(form.sound.length - sound.length) > 2) continue;
        const sounds = editDistance(sound, form.sound) / form.sound.length;
        if (sounds > tolerance) continue;
        const spelled = editDistance(text, form.letters) / form.letters.length;
        if (spelled <= MOST_DIFFERENT_LETTERS) found.push({ from, count, value, difference: sounds + spelled });
      }
    }
  }
  return found;
}

/** @returns the utterance with words that sound like a term replaced by the term */
export function repaired(utterance: Utterance, targets: Target[]): Utterance {
  // Sounds are compared by English rules. In other languages, only the recogniser favours the terms.
  if (targets.length === 0 || utterance.language !== "en") return utterance;
  const { words } = utterance;
  const longest = Math.max(...targets.flatMap(({ forms }) => forms.map((form) => form.words))) + 1;
  const matches = words.flatMap((_, from) => matchesAt(words, from, targets, longest));
  const taken = new Set<number>();
  const chosen = new Map<number, Match>();
  for (const match of matches.sort((left, right) => left.difference - right.difference)) {
    const places = Array.from({ length: match.count }, (_, index) => match.from + index);
    if (places.some((place) => taken.has(place))) continue;
    for (const place of places) taken.add(place);
    // An exact term is unchanged. It reserves its words, so that no other term replaces them.
    if (match.difference > 0) chosen.set(match.from, match);
  }
  if (chosen.size === 0) return utterance;
  const out: Word[] = [];
  for (let at = 0; at < words.length; ) {
    const match = chosen.get(at);
    const window = words.slice(at, at + (match?.count ?? 1));
    const [first] = window;
    const last = window.at(-1);
    if (match && first && last) {
      const before = EDGES.exec(first.word)?.[1] ?? "";
      const after = EDGES.exec(last.word)?.[2] ?? "";
      out.push({ ...first, word: `${before}${match.value}${after}`, end: last.end });
    } else out.push(...window);
    at += window.length;
  }
  return { ...utterance, words: out, text: out.map(({ word }) => word).join("") };
}

export const vocabularyAddon: Addon = {
  name: "custom_vocabulary",
  changesTranscript: true,
  async run({ transcription, params }) {
    const targets = vocabularyTargets(vocabularyOf(params));
    transcription.utterances = transcription.utterances.map((utterance) => repaired(utterance, targets));
  },
  // Its result is the changed transcript.
  place(result, _, answer) {
    if (!answer.success) result["custom_vocabulary"] = answer;
  },
};
