// Chapters with boundaries by the rules and texts by a language model of this machine: small models summarise a passage well, but place
// boundaries badly.

import type { Chapter } from "../../contract/addon-results.ts";
import { concurrently } from "../../platform/process/concurrently.ts";
import { AddonFailed } from "./addon-error.ts";
import { TranscriptFacts } from "./facts.ts";
import { jsonOverTranscript } from "./providers/language-model.ts";
import type { LanguageModelSettings } from "./providers/providers.ts";
import { isTruncated, withoutLastWord } from "./providers/truncated-text.ts";

export interface WrittenChapter {
  headline: string;
  gist: string;
  summary: string;
  keywords: string[];
}

const LONGEST_HEADLINE = 80;
const LONGEST_GIST = 60;
const SCHEMA = {
  type: "object",
  properties: {
    headline: { type: "string", maxLength: LONGEST_HEADLINE },
    gist: { type: "string", maxLength: LONGEST_GIST },
    summary: { type: "string", maxLength: 600 },
    keywords: { type: "array", items: { type: "string", maxLength: 30 }, maxItems: 6 },
  },
  required: ["headline", "gist", "summary", "keywords"],
};
const TASK =
  "The transcript is one chapter of a recording. Write in its own language: a headline of at most nine words, a gist of a few words, a summary of one to three sentences, and up to six keywords from it.";

/** Removes a truncated last word and a trailing comma. @param most  length at which the grammar cuts the text, characters */
const withoutTruncatedWord = (text: string, most: number): string =>
  (isTruncated(text, most) ? withoutLastWord(text) : text).trim().replace(/[,;:]$/, "");

const isWritten = (value: unknown): value is WrittenChapter => typeof value === "object" && value !== null;

/** The chapter with the written texts, without names, numbers and quotes that it does not contain. */
export function withTexts(chapter: Chapter, written: WrittenChapter, language: string | undefined): Chapter {
  const facts = new TranscriptFacts(chapter.text, language);
  const supported = (text: string, most: number) => {
    const own = withoutTruncatedWord(text, most);
    return own !== "" && facts.missing(own, { isTitle: true }).length === 0 ? own : undefined;
  };
  const { text: summary } = facts.withoutUnsupported(written.summary);
  const isKnown = (word: string) => word !== "" && facts.mentions(word) && facts.missing(word).length === 0;
  const keywords = written.keywords.map((word) => word.trim()).filter(isKnown);
  const isShorter = summary !== "" && summary.length < chapter.text.length;
  return {
    ...chapter,
    headline: supported(written.headline, LONGEST_HEADLINE) ?? chapter.headline,
    gist: supported(written.gist, LONGEST_GIST) ?? chapter.gist,
    ...(isShorter ? { summary, abstractive_summary: summary } : {}),
    ...(keywords.length === 0 ? {} : { keywords: [...new Set(keywords)] }),
  };
}

async function inWords(
  chapter: Chapter,
  settings: LanguageModelSettings,
  language: string | undefined,
): Promise<Chapter> {
  const [written] = await jsonOverTranscript(TASK, chapter.text, settings, SCHEMA, isWritten);
  return written ? withTexts(chapter, written, language) : chapter;
}

/** Concurrent requests: as many as the model processes at once. More would fill the account's queue. */
const CHAPTERS_AT_ONCE = 2;

/** A chapter for which the model fails keeps the texts of the rules. @throws other errors than failures of the model */
export async function chaptersInWords(
  chapters: readonly Chapter[],
  settings: LanguageModelSettings,
  language: string | undefined,
): Promise<Chapter[]> {
  return concurrently(chapters, CHAPTERS_AT_ONCE, (chapter) =>
    inWords(chapter, settings, language).catch((thrown: unknown) => {
      if (thrown instanceof AddonFailed) return chapter;
      throw thrown;
    }),
  );
}
