// A summary by a language model, without sentences that contain facts missing from the transcript.
import type { Transcription } from "../../contract/transcript/transcript.ts";
import { mainLanguage } from "./addon.ts";
import { AddonFailed } from "./addon-error.ts";
import { TranscriptFacts } from "./facts.ts";
import { jsonOverTranscript, MOST_MERGES, overTranscript } from "./providers/language-model.ts";
import { isLocal, type LanguageModelSettings, type LocalLanguageModel } from "./providers/providers.ts";
import { isTruncated, withoutLastWord } from "./providers/truncated-text.ts";
import type { SummaryType } from "./summary-types.ts";

const LONGEST_POINT = 160;
/** Most points of a summary: without a bound, small models copy the whole transcript. */
const MOST_POINTS = 7;
/** A transcript of this many characters, two minutes of speech, has a summary of at most half its length. */
const LONG_TRANSCRIPT = 2_000;
const MOST_SHARE = 0.5;

const OWN_WORDS = "in the language of the transcript and in your own words";
const TASKS: Record<SummaryType, string> = {
  general: `Summarise the transcript in three to six sentences, ${OWN_WORDS}: what it is about, what was decided, and what is to be done.`,
  concise: `Summarise the transcript in one or two short sentences, ${OWN_WORDS}.`,
  bullet_points: `Summarise the transcript as a list of three to ${MOST_POINTS} short points, ${OWN_WORDS}. Begin each line with '- '.`,
};
const POINTS_TASK = `Name the three to ${MOST_POINTS} most important points of the transcript, ${OWN_WORDS}, each in one short sentence of at most twenty words. Copy no whole lines.`;
const POINTS_SCHEMA = {
  type: "object",
  properties: {
    points: { type: "array", items: { type: "string", maxLength: LONGEST_POINT }, minItems: 1, maxItems: MOST_POINTS },
  },
  required: ["points"],
};

const isPoints = (value: unknown): value is { points: string[] } => typeof value === "object" && value !== null;

/** The text without its last word if this was truncated. */
function wholeWords(point: string): string {
  const text = point.trim().replace(/^[-•*]\s*/, "");
  return isTruncated(text, LONGEST_POINT) ? `${withoutLastWord(text)}…` : text;
}

/** Summarises each part of a long transcript as points under a grammar, then these points in the same way. */
async function pointsByLocalModel(transcript: string, model: LocalLanguageModel): Promise<string> {
  let text = transcript;
  for (let merges = 0; ; merges++) {
    const answers = await jsonOverTranscript(POINTS_TASK, text, model, POINTS_SCHEMA, isPoints);
    const points = answers.flatMap((answer) => answer.points.map(wholeWords)).filter((point) => /\p{L}/u.test(point));
    text = [...new Set(points)].map((point) => `- ${point}`).join("\n");
    if (answers.length === 1) return text;
    if (merges === MOST_MERGES)
      throw new AddonFailed("The transcript is too long for the context of the language model");
  }
}

/** A summary as the model writes it. @throws AddonFailed */
export function summarize(transcript: string, type: SummaryType, settings: LanguageModelSettings): Promise<string> {
  if (type === "bullet_points" && isLocal(settings)) return pointsByLocalModel(transcript, settings);
  return overTranscript(`${TASKS[type]} Answer with the summary alone.`, transcript, settings);
}

/**
 * @returns undefined if a model of this machine fails, or if its summary is too long or not supported by the transcript; the rules are
 *   then used
 * @throws AddonFailed if a configured server fails
 */
export async function summaryByModel(
  transcription: Transcription,
  type: SummaryType,
  settings: LanguageModelSettings,
): Promise<string | undefined> {
  const transcript = transcription.full_transcript;
  let written: string;
  try {
    written = await summarize(transcript, type, settings);
  } catch (thrown) {
    if (isLocal(settings) && thrown instanceof AddonFailed) return undefined;
    throw thrown;
  }
  const { text } = new TranscriptFacts(transcript, mainLanguage(transcription)).withoutUnsupported(written);
  const most = transcript.length * (transcript.length >= LONG_TRANSCRIPT ? MOST_SHARE : 1);
  return text.length > 0 && (!isLocal(settings) || text.length < most) ? text : undefined;
}
