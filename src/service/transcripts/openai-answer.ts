// Prints a result in the formats of OpenAI's audio interface.
import { whisperName } from "../../contract/languages.ts";
import type { AudioAnswer, DiarizedSegment, ResponseFormat } from "../../contract/openai.ts";
import type { Transcription, TranscriptionResult, Utterance } from "../../contract/transcript/transcript.ts";
import { subtitleFile } from "../../speech/subtitles/subtitles.ts";
import { joinedTexts } from "../../speech/text/joined-texts.ts";
import { type Answer, answerWarnings, logprobsOf, type TextTask, taskText, whisperSegment } from "./answer-parts.ts";

export interface OpenAiAnswerRequest {
  task: TextTask;
  format: ResponseFormat;
  /** Of verbose_json. */
  granularities: readonly ("word" | "segment")[];
  withLogprobs: boolean;
  /** Adds the detected languages. */
  withLanguages: boolean;
  /** As server-sent events. */
  isStreamed: boolean;
  /** Texts of utterances already sent as events. */
  sent: readonly SentText[];
}

/** An utterance, as far as it decides what is sent of the next one. */
export type SentText = Pick<Utterance, "text" | "language">;

/** What the add-ons do for a request, by add-on. */
const ADDONS = { custom_vocabulary: "prompt and keywords", diarization: "diarization" };

export const speakerLetter = (speaker: number | undefined): string =>
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

/** Usage in the last event of a stream: the client libraries require numbers of tokens there. Nothing is billed. */
const NO_TOKENS = { type: "tokens", input_tokens: 0, output_tokens: 0, total_tokens: 0 } as const;

/** One server-sent event. */
export const event = (data: object) => `data: ${JSON.stringify(data)}\n\n`;

/** @throws Error where a translation failed */
export function openAiAnswer(request: OpenAiAnswerRequest, result: TranscriptionResult): Answer {
  const { task, format, granularities, withLogprobs, withLanguages, isStreamed, sent } = request;
  const transcription = taskText(task, result);
  const text = transcription.full_transcript;
  const duration = result.metadata.audio_duration;
  const usage = { type: "duration" as const, seconds: Math.ceil(duration) };
  const warnings = answerWarnings(result, ADDONS);
  const notes = warnings.length > 0 ? { warnings } : {};
  const logprobs = withLogprobs ? { logprobs: logprobsOf(transcription.utterances.flatMap(({ words }) => words)) } : {};
  const languages = withLanguages ? { languages: transcription.languages.map((code) => ({ code })) } : {};
  if (isStreamed) {
    const segments = format === "diarized_json" ? diarizedSegments(transcription) : [];
    const { utterances } = transcription;
    // Where the text has changed since, as after a restart in another language, no word of the final text is left out.
    const changed = utterances.findIndex((one, at) => one.text !== sent[at]?.text);
    const unsent = changed < 0 ? [] : utterances.slice(changed);
    const rest = sent.length === 0 ? text : joinedTexts(unsent, sent.at(-1));
    const events = [
      ...segments.map(event),
      ...(rest === "" || segments.length > 0
        ? []
        : [event({ type: "transcript.text.delta", delta: rest, ...logprobs })]),
      event({ type: "transcript.text.done", text, usage: NO_TOKENS, ...languages, ...logprobs, ...notes }),
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
        language: task === "translate" ? "english" : whisperName(transcription.languages[0] ?? "en"),
        duration,
        text,
        ...(granularities.includes("segment") ? { segments: transcription.utterances.map(whisperSegment) } : {}),
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
