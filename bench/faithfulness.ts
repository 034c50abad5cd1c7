// Counts names and numbers in texts of a language model that the transcript does not contain. The rules are independent of the service's
// check (src/service/intelligence/facts.ts), whose result this bench measures.

import type { Transcription } from "../src/contract/transcript/transcript.ts";
import type { LocalLanguageModel } from "../src/service/intelligence/providers/providers.ts";
import { findAddon } from "../src/service/intelligence/registry.ts";
import { summarize, summaryByModel } from "../src/service/intelligence/summary-by-model.ts";
import type { RealTranscript } from "./real-transcripts.ts";

const NUMBER = /\d+(?:[.,:]\d+)*/g;
const WORD = /[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*/gu;
const SPELLED = "zero one two three four five six seven eight nine ten eleven twelve".split(" ");
/** Words that always have a capital and are not names. */
const NO_NAMES = new Set(["i", "i'm", "i'll", "i've", "i'd", "ok"]);

const plain = (word: string) => word.toLowerCase().replaceAll("’", "'").replace(/'s$/, "");

/** @returns each distinct name or number that is missing, as it is written */
export function inventedFacts(text: string, transcript: string): string[] {
  const numbers = new Set((transcript.match(NUMBER) ?? []).flatMap((number) => [number, ...number.split(/[.,:]/)]));
  const words = new Set((transcript.match(WORD) ?? []).flatMap((word) => [plain(word), ...plain(word).split("-")]));
  for (const [value, word] of SPELLED.entries()) if (words.has(word)) numbers.add(String(value));
  const invented: string[] = [];
  for (const number of text.replace(/^\s*\d+[.)]\s/gm, "").match(NUMBER) ?? []) {
    if (!numbers.has(number.replaceAll(",", "")) && !numbers.has(number)) invented.push(number);
  }
  for (const sentence of text.split(/\n|(?<=[.!?])\s+/)) {
    const found = [...sentence.matchAll(WORD)].map(([word]) => word);
    const isMissing = (word: string | undefined) =>
      word !== undefined &&
      /^\p{Lu}/u.test(word) &&
      !NO_NAMES.has(plain(word)) &&
      !plain(word)
        .split("-")
        .every((part) => words.has(part));
    for (const [at, word] of found.entries()) {
      // At the beginning of a sentence every word has a capital: a name is one if the next word is missing, too.
      if (isMissing(word) && (at > 0 || isMissing(found[1]))) invented.push(word);
    }
  }
  return [...new Set(invented)];
}

export interface Faithfulness {
  name: string;
  texts: number;
  /** Invented names and numbers in the texts as the model wrote them. */
  before: string[];
  /** And in those that the service returns. */
  after: string[];
  seconds: number;
}

interface ChapterTexts {
  headline: string;
  gist: string;
  summary: string;
  keywords: string[];
}

const textsOf = ({ headline, gist, summary, keywords }: ChapterTexts) => [headline, gist, summary, keywords.join(", ")];

export async function faithfulness(
  { name, utterances, audioSeconds }: RealTranscript,
  model: LocalLanguageModel,
  show: (title: string, text: string) => void,
): Promise<Faithfulness> {
  const started = performance.now();
  const transcript = utterances.map(({ text }) => text.trim()).join(" ");
  const transcription: Transcription = { languages: ["en"], utterances, full_transcript: transcript };
  const before: string[] = [];
  const after: string[] = [];
  let texts = 0;
  for (const type of ["general", "concise", "bullet_points"] as const) {
    before.push(...inventedFacts(await summarize(transcript, type, model), transcript));
    const checked = (await summaryByModel(transcription, type, model)) ?? "";
    show(`${name}, summary, ${type}`, checked === "" ? "(by rules)" : checked);
    after.push(...inventedFacts(checked, transcript));
    texts++;
  }
  const input = { transcription, audioSeconds, params: { chapterization: true }, providers: { languageModel: model } };
  const answer = (await findAddon("chapterization")?.run(input)) as { results: ChapterTexts[] };
  for (const chapter of answer.results) {
    show(`${name}, chapter`, textsOf(chapter).join("\n  "));
    for (const text of textsOf(chapter)) after.push(...inventedFacts(text, transcript));
    texts += 4;
  }
  return { name, texts, before, after, seconds: (performance.now() - started) / 1000 };
}
