// Prints a result as AssemblyAI's interface for recordings answers it: the transcript, and its parts.
import type { Chapter, Entity, SentenceSentiment } from "../../contract/addon-results.ts";
import type { TranscriptJob } from "../../contract/assemblyai-request.ts";
import type {
  ParagraphsBody,
  SentencesBody,
  TranscriptBody,
  TranscriptSentiment,
  TranscriptStretch,
  TranscriptWord,
  WordSearchBody,
} from "../../contract/assemblyai-transcript.ts";
import type { Correction } from "../../contract/transcript/correction.ts";
import { meanConfidence } from "../../contract/transcript/mean-confidence.ts";
import type { AddonResult, TranscriptionResult, Utterance } from "../../contract/transcript/transcript.ts";
import { type SubtitleFormat, subtitleFile } from "../../speech/subtitles/subtitles.ts";
import { bareMaskedWord } from "../../speech/text/bare-word.ts";
import { lowerCase } from "../../speech/text/letter-case.ts";
import { isMarker, type SpokenWord, spokenWords, WordPlaces, wordsInForm } from "../../speech/text/spoken-words.ts";
import { channelLabel, speakerLabel } from "../assemblyai/labels.ts";
import { type Answer, failureTexts } from "./answer-parts.ts";
import { entitiesOf, entityWarnings, toMilliseconds } from "./assemblyai-entities.ts";
import { type Translated, translatedTexts } from "./assemblyai-translations.ts";
import { type CorrectedTranscription, corrected } from "./corrections.ts";
import { correctedParagraphs } from "./formats/paragraphs.ts";
import { rounded } from "./recognized-segments.ts";

type Form = TranscriptJob["form"];

export type TranscriptPart =
  /** `record`: what the job's row says, which the transcript begins with. */
  | { kind: "transcript"; record: TranscriptBody; channels: number; reportsLanguage: boolean }
  | { kind: "sentences" | "paragraphs" }
  | { kind: "search"; words: string }
  /** @property columns  the most of a caption, which is one row then */
  | { kind: "captions"; format: SubtitleFormat; columns?: number };

export interface TranscriptAnswerRequest {
  id: string;
  form: Form;
  part: TranscriptPart;
}

/** Fields of the request by the add-on that does what they request. */
const ADDONS = {
  chapterization: "auto_chapters",
  custom_spelling: "custom_spelling",
  custom_vocabulary: "keyterms_prompt",
  diarization: "speaker_labels",
  filler_words: "disfluencies",
  named_entity_recognition: "entity_detection",
  pii_redaction: "redact_pii",
  profanity_filter: "filter_profanity",
  sentiment_analysis: "sentiment_analysis",
  summarization: "summarization",
  translation: "speech_understanding.request.translation",
};

const formOf =
  ({ punctuates, formats }: Form) =>
  (word: string, language: string | undefined): string => {
    // A marker of redaction keeps its form.
    if (isMarker(word)) return word;
    const shown = punctuates ? word : bareMaskedWord(word) || word;
    return formats ? shown : lowerCase(shown, language);
  };

/** A correction may leave an utterance without words: its text counts as one. */
function wordsOf(utterances: readonly Utterance[]): SpokenWord[] {
  return spokenWords(
    utterances.map(({ words, text, start, end, confidence, channel, language, speaker }) => ({
      words: words.length > 0 || text.trim() === "" ? words : [{ word: ` ${text.trim()}`, start, end, confidence }],
      channel,
      language,
      ...(speaker === undefined ? {} : { speaker }),
    })),
  );
}

/** With multichannel, a speaker is one of a channel. */
function labels({ speaker, channel }: { speaker?: number; channel: number }, { multichannel }: Form) {
  const label = speaker === undefined ? undefined : speakerLabel(speaker);
  if (!multichannel) return { speaker: label ?? null };
  return { speaker: `${channelLabel(channel)}${label ?? ""}`, channel: channelLabel(channel) };
}

const printedWord = (word: SpokenWord, form: Form): TranscriptWord => ({
  text: formOf(form)(word.word.trim(), word.language),
  ...{ start: toMilliseconds(word.start), end: toMilliseconds(word.end), confidence: word.confidence },
  ...labels(word, form),
});

function stretchOf(words: readonly SpokenWord[], form: Form): TranscriptStretch {
  const [first] = words as [SpokenWord];
  return {
    text: wordsInForm(words, formOf(form)),
    start: toMilliseconds(first.start),
    end: toMilliseconds(words.at(-1)?.end ?? first.end),
    confidence: rounded(meanConfidence(words)),
    ...labels(first, form),
    words: words.map((word) => printedWord(word, form)),
  };
}

/** Words that one speaker says until another one does. */
function turnsOf(words: readonly SpokenWord[]): SpokenWord[][] {
  const turns: SpokenWord[][] = [];
  for (const word of words) {
    const current = turns.at(-1);
    const last = current?.at(-1);
    if (current && last?.speaker === word.speaker && last?.channel === word.channel) current.push(word);
    else turns.push([word]);
  }
  return turns;
}

const succeeded = <Results>(result: TranscriptionResult, addon: string): Results | undefined => {
  const found = result[addon] as AddonResult<Results> | undefined;
  return found?.success ? found.results : undefined;
};

const SENTIMENTS: Readonly<Record<string, TranscriptSentiment["sentiment"]>> = {
  positive: "POSITIVE",
  negative: "NEGATIVE",
};

/** The confidence is that of the words: there is none of the sentiment. */
function sentimentOf(one: SentenceSentiment, words: readonly SpokenWord[], form: Form): TranscriptSentiment {
  const inside = words.filter(({ start, end, channel }) => {
    return channel === one.channel && start >= one.start && end <= one.end;
  });
  return {
    ...{ text: one.text, start: toMilliseconds(one.start), end: toMilliseconds(one.end) },
    confidence: rounded(meanConfidence(inside)),
    ...labels(one, form),
    sentiment: SENTIMENTS[one.sentiment] ?? "NEUTRAL",
  };
}

function addonsOf(result: TranscriptionResult, words: readonly SpokenWord[], form: Form): Partial<TranscriptBody> {
  const chapters = succeeded<Chapter[]>(result, "chapterization");
  const entities = succeeded<Entity[]>(result, "named_entity_recognition");
  const sentiments = succeeded<SentenceSentiment[]>(result, "sentiment_analysis");
  const translations = succeeded<Translated[]>(result, "translation")?.filter(({ error }) => !error);
  const summary = succeeded<string>(result, "summarization");
  const place = ({ start, end }: { start: number; end: number }) => ({
    start: toMilliseconds(start),
    end: toMilliseconds(end),
  });
  const texts = (translations ?? []).map(({ languages, full_transcript: text }) => [languages[0] ?? "", text]);
  return {
    ...(summary === undefined ? {} : { summary }),
    ...(chapters
      ? {
          chapters: chapters.map(({ gist, headline, summary: text, ...times }) => ({
            ...{ gist, headline, summary: text, ...place(times) },
          })),
        }
      : {}),
    ...(entities ? { entities: entitiesOf(entities) } : {}),
    ...(sentiments ? { sentiment_analysis_results: sentiments.map((one) => sentimentOf(one, words, form)) } : {}),
    ...(translations ? { translated_texts: Object.fromEntries(texts) as Record<string, string> } : {}),
  };
}

function transcriptOf(
  { record, channels, reportsLanguage }: Extract<TranscriptPart, { kind: "transcript" }>,
  result: TranscriptionResult,
  { utterances }: CorrectedTranscription,
  form: Form,
): { body: TranscriptBody; warnings: string[] } {
  const { metadata, transcription } = result;
  const words = wordsOf(utterances);
  const hasTurns = form.multichannel || utterances.some(({ speaker }) => speaker !== undefined);
  const [language] = transcription.languages;
  const translations = succeeded<Translated[]>(result, "translation") ?? [];
  const warnings = [
    ...translations.flatMap((one) => [
      ...(one.error ? [`the translation into ${one.languages.join(", ")} failed`] : []),
      ...(one.warnings ?? []),
    ]),
    ...entityWarnings(succeeded<Entity[]>(result, "named_entity_recognition")),
    ...failureTexts(result, ADDONS),
    ...(metadata.warnings ?? []),
  ];
  const translationsOf = translatedTexts(form.translates ? translations : []);
  const utteranceOf = (turn: SpokenWord[]): TranscriptStretch => ({
    ...stretchOf(turn, form),
    ...translationsOf(turn),
  });
  const body: TranscriptBody = {
    ...record,
    text: wordsInForm(words, formOf(form)),
    words: words.map((word) => printedWord(word, form)),
    utterances: hasTurns ? turnsOf(words).map(utteranceOf) : null,
    confidence: rounded(meanConfidence(words)),
    audio_duration: Math.round(metadata.audio_duration),
    audio_channels: channels,
    ...(reportsLanguage && language !== undefined ? { language_code: language } : {}),
    ...(reportsLanguage && metadata.language_confidence !== undefined
      ? { language_confidence: metadata.language_confidence }
      : {}),
    ...addonsOf(result, words, form),
    ...(warnings.length > 0 ? { metadata: { warnings: warnings.map((message) => ({ message })) } } : {}),
  };
  return { body, warnings };
}

/** Of a phrase. */
const MOST_PLACES = 1_000;

function searchOf(id: string, given: string, utterances: readonly Utterance[]): WordSearchBody {
  const words = wordsOf(utterances);
  const places = new WordPlaces(words);
  const phrases = [...new Set(given.split(",").map((phrase) => phrase.trim()))].filter((phrase) => phrase !== "");
  const warnings: string[] = [];
  const matches = phrases.map((text) => {
    const { starts, length } = places.find(text, MOST_PLACES + 1);
    if (starts.length > MOST_PLACES)
      warnings.push(`"${text}" occurs more than ${MOST_PLACES} times; the first ${MOST_PLACES} are listed`);
    const indexes = starts.slice(0, MOST_PLACES);
    const timestamps = indexes.map((at) => [
      toMilliseconds(words[at]?.start ?? 0),
      toMilliseconds(words[at + length - 1]?.end ?? 0),
    ]);
    return { text, count: indexes.length, timestamps, indexes };
  });
  return {
    ...{ id, total_count: matches.reduce((sum, { count }) => sum + count, 0), matches },
    ...(warnings.length > 0 ? { warnings } : {}),
  };
}

function stretchesOf(
  kind: "sentences" | "paragraphs",
  id: string,
  { metadata }: TranscriptionResult,
  transcription: CorrectedTranscription,
  form: Form,
): SentencesBody | ParagraphsBody {
  const { utterances } = transcription;
  const paragraphs = correctedParagraphs(transcription);
  const parts = kind === "paragraphs" ? paragraphs : paragraphs.flat().map((sentence) => [sentence]);
  const stretches = parts.map((sentences) =>
    stretchOf(wordsOf(sentences.map(({ sentence, ...one }) => ({ ...one, text: sentence }))), form),
  );
  const common = {
    ...{ id, confidence: rounded(meanConfidence(wordsOf(utterances))), audio_duration: metadata.audio_duration },
  };
  return kind === "sentences" ? { ...common, sentences: stretches } : { ...common, paragraphs: stretches };
}

const JSON_TYPE = "application/json; charset=utf-8";
/** Of both formats of subtitles, as AssemblyAI describes them. */
const CAPTION_TYPE = "text/plain; charset=utf-8";

/** @param corrections  of the transcript: texts and speakers are printed as corrected */
export function transcriptAnswer(
  { id, form, part }: TranscriptAnswerRequest,
  result: TranscriptionResult,
  corrections: readonly Correction[],
): Answer {
  const transcription = corrected(result.transcription, corrections);
  const { utterances } = transcription;
  const json = (body: object, warnings: string[] = []): Answer => ({
    contentType: JSON_TYPE,
    body: JSON.stringify(body),
    warnings,
  });
  switch (part.kind) {
    case "transcript": {
      const { body, warnings } = transcriptOf(part, result, transcription, form);
      return json(body, warnings);
    }
    case "search": {
      const found = searchOf(id, part.words, utterances);
      return json(found, found.warnings);
    }
    case "captions": {
      const { format, columns } = part;
      const { speaker_names: names, cue_edits: edits = [] } = transcription;
      const source = { utterances, names, audioSeconds: result.metadata.audio_duration };
      if (columns === undefined)
        return { contentType: CAPTION_TYPE, body: subtitleFile(format, { ...source, edits }), warnings: [] };
      // Cues that people set may be longer than the request allows.
      const limits = { maximumCharactersPerRow: columns, maximumRowsPerCaption: 1 };
      return { contentType: CAPTION_TYPE, body: subtitleFile(format, source, limits), warnings: [] };
    }
    default:
      return json(stretchesOf(part.kind, id, result, transcription, form));
  }
}
