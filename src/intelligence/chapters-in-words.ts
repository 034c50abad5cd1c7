// Chapters with boundaries by the rules and texts by a language model of this machine: small models summarise a passage well, but place
// boundaries badly.

import type { Chapter } from "../contract/addon-results.ts";
import { AddonFailed } from "./addon.ts";
import { TranscriptFacts } from "./facts.ts";
import { jsonOverTranscript } from "./providers/language-model.ts";
import type { LanguageModelSettings } from "./providers/providers.ts";

interface WrittenChapter {
  headline: string;
  gist: string;
  summary: string;
  keywords: string[];
}

const SCHEMA = {
  type: "object",
  properties: {
    headline: { type: "string", maxLength: 80 },
    gist: { type: "string", maxLength: 60 },
    summary: { type: "string", maxLength: 600 },
    keywords: { type: "array", items: { type: "string", maxLength: 30 }, maxItems: 6 },
  },
  required: ["headline", "gist", "summary", "keywords"],
};
const TASK =
  "The transcript is one chapter of a recording. Write in its own language: a headline of at most nine words, a gist of a few words, a summary of one to three sentences, and up to six keywords from it.";

const isWritten = (value: unknown): value is WrittenChapter => typeof value === "object" && value !== null;

async function inWords(
  chapter: Chapter,
  settings: LanguageModelSettings,
  language: string | undefined,
): Promise<Chapter> {
  const [written] = await jsonOverTranscript(TASK, chapter.text, settings, SCHEMA, isWritten);
  if (!written) return chapter;
  const facts = new TranscriptFacts(chapter.text, language);
  const supported = (text: string, isTitle: boolean) =>
    text.trim() !== "" && facts.missing(text, { isTitle }).length === 0 ? text.trim() : undefined;
  const { text: summary } = facts.withoutUnsupported(written.summary);
  const keywords = written.keywords.map((word) => word.trim()).filter((word) => word !== "" && facts.mentions(word));
  return {
    ...chapter,
    headline: supported(written.headline, true) ?? chapter.headline,
    gist: supported(written.gist, true) ?? chapter.gist,
    ...(summary === "" ? {} : { summary, abstractive_summary: summary }),
    ...(keywords.length === 0 ? {} : { keywords }),
  };
}

/** A chapter for which the model fails keeps the texts of the rules. @throws other errors than failures of the model */
export async function chaptersInWords(
  chapters: readonly Chapter[],
  settings: LanguageModelSettings,
  language: string | undefined,
): Promise<Chapter[]> {
  return Promise.all(
    chapters.map((chapter) =>
      inWords(chapter, settings, language).catch((thrown: unknown) => {
        if (thrown instanceof AddonFailed) return chapter;
        throw thrown;
      }),
    ),
  );
}
