// Prints a result as Deepgram's interface for recordings answers it.
import type {
  ListenAnswer,
  ListenChannel,
  ListenParagraphs,
  ListenSearch,
  ListenUtterance,
  ListenWarning,
} from "../../contract/deepgram-recorded.ts";
import { meanConfidence } from "../../contract/transcript/mean-confidence.ts";
import type { AddonResult, TranscriptionResult, Utterance } from "../../contract/transcript/transcript.ts";
import { type SpokenWord, spokenWords, textOf, WordPlaces } from "../../speech/text/spoken-words.ts";
import { listenId } from "../deepgram/ids.ts";
import { languagesOf, listenWord, type WordForm } from "../deepgram/word.ts";
import { type Answer, failedAddons } from "./answer-parts.ts";
import { paragraphText, sentencesByParagraph } from "./formats/paragraphs.ts";
import { rounded } from "./recognized-segments.ts";

export interface ListenAnswerRequest extends WordForm {
  requestId: string;
  sha256: string;
  created: string;
  /** Of the file. */
  channels: number;
  /** Id of the model in use, and its engine. */
  model: { id: string; engine: string };
  paragraphs: boolean;
  utterances: boolean;
  splitSeconds: number;
  multichannel: boolean;
  detectsLanguage: boolean;
  /** Codes of language_hint, with language=multi. */
  languagesHinted: readonly string[];
  search: readonly string[];
  warnings: readonly ListenWarning[];
  extra: Readonly<Record<string, string>>;
  tags: readonly string[];
}

/** Parameters by the add-on that does what they request. */
const ADDONS = {
  custom_spelling: "replace",
  custom_vocabulary: "keyterm",
  diarization: "diarize",
  filler_words: "filler_words",
  profanity_filter: "profanity_filter",
  summarization: "summarize",
};

function paragraphsIn(utterances: readonly Utterance[]): ListenParagraphs {
  const found = sentencesByParagraph(utterances);
  const lines = found.map((sentences) => {
    const [{ speaker }] = sentences;
    const text = paragraphText(sentences);
    return speaker === undefined ? text : `Speaker ${speaker}: ${text}`;
  });
  const paragraphs = found.map((sentences) => {
    const [{ start, speaker }] = sentences;
    return {
      sentences: sentences.map(({ sentence: text, start, end }) => ({ text, start, end })),
      num_words: sentences.reduce((count, { words }) => count + words.length, 0),
      ...{ start, end: sentences.at(-1)?.end ?? start },
      ...(speaker === undefined ? {} : { speaker }),
    };
  });
  return { transcript: `\n${lines.join("\n\n")}`, paragraphs };
}

/** Of a phrase. */
const MOST_HITS = 1_000;

/** Places of a phrase, one more than are listed. */
function searched(query: string, words: readonly SpokenWord[], places: WordPlaces): ListenSearch {
  const { starts, length } = places.find(query, MOST_HITS + 1);
  const hits = starts.map((at) => {
    const found = words.slice(at, at + length);
    return {
      confidence: rounded(meanConfidence(found)),
      start: (found[0] as SpokenWord).start,
      end: (found.at(-1) as SpokenWord).end,
      snippet: textOf(found, false),
    };
  });
  return { query, hits };
}

/** Words of one channel and speaker without a pause of that length. */
function splitWords(words: readonly SpokenWord[], splitSeconds: number): [SpokenWord, ...SpokenWord[]][] {
  const parts: [SpokenWord, ...SpokenWord[]][] = [];
  for (const word of words) {
    const current = parts.at(-1);
    const last = current?.at(-1);
    const isSame = last?.channel === word.channel && last.speaker === word.speaker;
    if (current && last && isSame && word.start - last.end < splitSeconds) current.push(word);
    else parts.push([word]);
  }
  return parts;
}

function utterancesIn(channels: readonly (readonly SpokenWord[])[], request: ListenAnswerRequest): ListenUtterance[] {
  const { requestId, splitSeconds, punctuates, namesLanguages } = request;
  return channels
    .flatMap((words, channel) => splitWords(words, splitSeconds).map((part) => ({ channel, part })))
    .toSorted((left, right) => left.part[0].start - right.part[0].start)
    .map(({ channel, part }, at) => ({
      start: part[0].start,
      end: part.at(-1)?.end ?? part[0].end,
      confidence: rounded(meanConfidence(part)),
      channel,
      transcript: textOf(part, punctuates),
      ...(namesLanguages ? { languages: languagesOf(part) } : {}),
      words: part.map((word) => listenWord(word, request)),
      ...(part[0].speaker === undefined ? {} : { speaker: part[0].speaker }),
      id: listenId(`${requestId} ${at}`, 4),
    }));
}

/** Utterances of each channel of the answer. */
function byChannel(
  { transcription: { utterances }, metadata }: TranscriptionResult,
  { multichannel, channels }: ListenAnswerRequest,
): Utterance[][] {
  if (!multichannel) return [utterances];
  const isOneSource = metadata.number_of_distinct_channels === 1;
  // Channels with the same source are transcribed once.
  return Array.from({ length: Math.max(1, channels) }, (_, channel) => {
    const source = metadata.channel_sources?.[channel] ?? channel;
    return isOneSource ? utterances : utterances.filter((utterance) => utterance.channel === source);
  });
}

export function deepgramAnswer(request: ListenAnswerRequest, result: TranscriptionResult): Answer {
  const { metadata, transcription } = result;
  const { punctuates, model, warnings, extra, tags } = request;
  const parts = byChannel(result, request);
  const channelWords = parts.map(spokenWords);
  const channels = parts.map((utterances, at): ListenChannel => {
    const words = channelWords[at] ?? [];
    const languages = request.multichannel ? languagesOf(words) : transcription.languages;
    const [language] = languages;
    const places = new WordPlaces(words);
    const search = request.search.map((query) => searched(query, words, places));
    return {
      ...(search.length > 0 ? { search } : {}),
      alternatives: [
        {
          transcript: textOf(words, punctuates),
          confidence: rounded(meanConfidence(words)),
          words: words.map((word) => listenWord(word, request)),
          ...(request.paragraphs ? { paragraphs: paragraphsIn(utterances) } : {}),
          ...(request.namesLanguages ? { languages } : {}),
          ...(request.languagesHinted.length > 0 ? { languages_hinted: [...request.languagesHinted] } : {}),
        },
      ],
      ...(request.detectsLanguage && language !== undefined ? { detected_language: language } : {}),
      ...(request.detectsLanguage && language !== undefined && metadata.language_confidence !== undefined
        ? { language_confidence: metadata.language_confidence }
        : {}),
    };
  });
  const ofResult = metadata.warnings ?? [];
  const failures = failedAddons(result, ADDONS).map(({ name, message }) => ({
    parameter: name,
    type: "failed",
    message: `${name} failed: ${message}`,
  }));
  const ofSearch = request.search.flatMap((query, at) => {
    const isCut = channels.some(({ search }) => (search?.[at]?.hits.length ?? 0) > MOST_HITS);
    if (!isCut) return [];
    for (const { search } of channels) search?.[at]?.hits.splice(MOST_HITS);
    const message = `"${query}" occurs more than ${MOST_HITS} times; the first ${MOST_HITS} are listed`;
    return [{ parameter: "search", type: "truncated", message }];
  });
  const ofRequest = [...warnings, ...failures, ...ofSearch];
  const all = [...ofRequest, ...ofResult.map((message) => ({ parameter: "", type: "recording", message }))];
  const summary = result["summarization"] as AddonResult<string> | undefined;
  const body: ListenAnswer = {
    metadata: {
      transaction_key: "deprecated",
      request_id: request.requestId,
      sha256: request.sha256,
      created: request.created,
      duration: metadata.audio_duration,
      channels: parts.length,
      models: [model.id],
      model_info: { [model.id]: { name: model.id, version: "latest", arch: model.engine } },
      ...(all.length > 0 ? { warnings: all } : {}),
      ...(Object.keys(extra).length > 0 ? { extra } : {}),
      ...(tags.length > 0 ? { tags: [...tags] } : {}),
    },
    results: {
      channels,
      ...(request.utterances ? { utterances: utterancesIn(channelWords, request) } : {}),
      ...(summary?.success ? { summary: { result: "success" as const, short: summary.results } } : {}),
    },
  };
  return {
    contentType: "application/json; charset=utf-8",
    body: JSON.stringify(body),
    warnings: [...ofRequest.map(({ message }) => message), ...ofResult],
  };
}
