// Prints a result in the formats of OpenAI's audio interface.
import type { AudioAnswer, DiarizedSegment, Logprob, ResponseFormat } from "../../contract/openai.ts";
import type {
  AddonResult,
  Transcription,
  TranscriptionResult,
  Utterance,
} from "../../contract/transcript/transcript.ts";
import { subtitleFile } from "../../speech/subtitles/subtitles.ts";

export interface AnswerRequest {
  task: "transcribe" | "translate";
  format: ResponseFormat;
  /** Of verbose_json. */
  granularities: readonly ("word" | "segment")[];
  withLogprobs: boolean;
  /** Adds the detected languages. */
  withLanguages: boolean;
  /** As server-sent events. */
  isStreamed: boolean;
  /** Number of utterances already sent as events. */
  sentUtterances: number;
}

export interface Answer {
  contentType: string;
  body: string;
  /** Of the result; JSON and events have them, too. */
  warnings: string[];
}

/** "english" for "en". */
function languageName(code: string): string {
  try {
    return new Intl.DisplayNames(["en"], { type: "language" }).of(code)?.toLowerCase() ?? code;
  } catch {
    return code;
  }
}

/** What the task asks for: the transcript, or its translation into English. @throws Error where that failed */
function taskText({ task }: AnswerRequest, result: TranscriptionResult): Transcription {
  if (task === "transcribe") return result.transcription;
  const { success, error, results } = result["translation"] as AddonResult<Transcription[]>;
  // What was said in English already needs no translation.
  if (success) return results[0] ?? result.transcription;
  throw new Error(error?.message ?? "the translation failed");
}

const meanLogprob = ({ words, confidence }: Utterance) =>
  words.length === 0
    ? Math.log(Math.max(1e-4, confidence))
    : words.reduce((sum, word) => sum + Math.log(Math.max(1e-4, word.confidence)), 0) / words.length;

/** Fields of Whisper's segments that this service does not compute are placeholder values. */
const segmentOf = (utterance: Utterance, id: number) => ({
  id,
  seek: Math.floor(utterance.start * 100),
  start: utterance.start,
  end: utterance.end,
  text: utterance.text,
  tokens: [],
  temperature: 0,
  avg_logprob: meanLogprob(utterance),
  compression_ratio: 1,
  no_speech_prob: 0,
});

const speakerLetter = (speaker: number | undefined) =>
  speaker === undefined || speaker > 25 ? `speaker_${speaker ?? 0}` : String.fromCharCode(65 + speaker);

const diarizedSegments = ({ utterances }: Transcription): DiarizedSegment[] =>
  utterances.map(({ start, end, text, speaker, speaker_name }, index) => ({
    type: "transcript.text.segment",
    id: `seg_${index}`,
    start,
    end,
    text: text.trim(),
    speaker: speaker_name ?? speakerLetter(speaker),
  }));

const logprobsOf = ({ utterances }: Transcription): Logprob[] =>
  utterances.flatMap(({ words }) =>
    words.map(({ word, confidence }) => ({
      token: word,
      bytes: [...Buffer.from(word)],
      logprob: Math.log(Math.max(1e-4, confidence)),
    })),
  );

/** One server-sent event. */
export const event = (data: object) => `data: ${JSON.stringify(data)}\n\n`;

/** @throws Error where a translation failed */
export function answerOf(request: AnswerRequest, result: TranscriptionResult): Answer {
  const { task, format, granularities, withLogprobs, withLanguages, isStreamed, sentUtterances } = request;
  const transcription = taskText(request, result);
  const text = transcription.full_transcript;
  const duration = result.metadata.audio_duration;
  const usage = { type: "duration" as const, seconds: Math.ceil(duration) };
  const warnings = result.metadata.warnings ?? [];
  const notes = warnings.length > 0 ? { warnings } : {};
  const logprobs = withLogprobs ? { logprobs: logprobsOf(transcription) } : {};
  const languages = withLanguages ? { languages: transcription.languages.map((code) => ({ code })) } : {};
  if (isStreamed) {
    const segments = format === "diarized_json" ? diarizedSegments(transcription) : [];
    const unsent = transcription.utterances.slice(sentUtterances).map((utterance) => utterance.text);
    const rest = sentUtterances === 0 ? text : unsent.map((one) => ` ${one}`).join("");
    const events = [
      ...segments.map(event),
      ...(rest === "" || segments.length > 0
        ? []
        : [event({ type: "transcript.text.delta", delta: rest, ...logprobs })]),
      event({ type: "transcript.text.done", text, usage, ...languages, ...logprobs, ...notes }),
    ];
    return { contentType: "text/event-stream; charset=utf-8", body: events.join(""), warnings };
  }
  const json = (body: AudioAnswer): Answer => ({
    contentType: "application/json; charset=utf-8",
    body: JSON.stringify({ ...body, ...notes }),
    warnings,
  });
  const source = { utterances: transcription.utterances, audioSeconds: duration };
  switch (format) {
    case "json":
      return json({ text, usage, ...languages, ...logprobs });
    case "text":
      return { contentType: "text/plain; charset=utf-8", body: `${text}\n`, warnings };
    case "srt":
      return {
        contentType: "application/x-subrip; charset=utf-8",
        body: subtitleFile("srt", source),
        warnings,
      };
    case "vtt":
      return {
        contentType: "text/vtt; charset=utf-8",
        body: subtitleFile("vtt", source),
        warnings,
      };
    case "diarized_json":
      return json({ task, duration, text, segments: diarizedSegments(transcription), usage });
    case "verbose_json":
      return json({
        task,
        language: task === "translate" ? "english" : languageName(transcription.languages[0] ?? "en"),
        duration,
        text,
        ...(granularities.includes("segment") ? { segments: transcription.utterances.map(segmentOf) } : {}),
        ...(granularities.includes("word")
          ? {
              words: transcription.utterances.flatMap(({ words }) =>
                words.map(({ word, start, end }) => ({ word: word.trim(), start, end })),
              ),
            }
          : {}),
        usage,
      });
  }
}
