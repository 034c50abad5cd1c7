// Prints a result in the formats of whisper-asr-webservice.
import { whisperName } from "../../contract/languages.ts";
import { meanConfidence } from "../../contract/transcript/mean-confidence.ts";
import type { TranscriptionResult, Utterance } from "../../contract/transcript/transcript.ts";
import type { AsrJson, AsrOutput, DetectedLanguage } from "../../contract/whisper-asr.ts";
import { errors } from "../../platform/errors.ts";
import { subtitleFile } from "../../speech/subtitles/subtitles.ts";
import { type Answer, answerWarnings, type TextTask, taskText, whisperSegment } from "./answer-parts.ts";
import { rounded } from "./recognized-segments.ts";

export interface AsrAnswerRequest {
  task: TextTask;
  output: AsrOutput;
  withWords: boolean;
  /** As the request names it. */
  language: string | undefined;
}

/** Parameters by the add-on that does what they request. */
const ADDONS = { custom_vocabulary: "initial_prompt", diarization: "diarize" };

/** ISO 639-2 code for an undetermined language: of a recording without speech. */
const UNDETERMINED = "und";

/** As WhisperX names speakers. */
const speakerName = (speaker: number) => `SPEAKER_${String(speaker).padStart(2, "0")}`;
const speakerOf = ({ speaker }: Utterance) => (speaker === undefined ? {} : { speaker: speakerName(speaker) });

const line = (utterance: Utterance) => {
  const text = utterance.text.replace(/\s+/g, " ").trim();
  return utterance.speaker === undefined ? text : `[${speakerName(utterance.speaker)}]: ${text}`;
};

const milliseconds = (seconds: number) => String(Math.round(1000 * seconds));

const tsv = (utterances: readonly Utterance[]) =>
  [
    ["start", "end", "text"],
    ...utterances.map((utterance) => [
      milliseconds(utterance.start),
      milliseconds(utterance.end),
      utterance.text.replace(/\s+/g, " ").trim(),
    ]),
  ]
    .map((row) => `${row.join("\t")}\n`)
    .join("");

function json(utterances: readonly Utterance[], text: string, language: string, withWords: boolean): AsrJson {
  const segments = utterances.map((utterance, id) => {
    const speaker = speakerOf(utterance);
    const words = utterance.words.map(({ word, start, end, confidence }) => ({
      ...{ word, start, end, probability: confidence },
      ...speaker,
    }));
    return { ...whisperSegment(utterance, id), ...(withWords ? { words } : {}), ...speaker };
  });
  return { text, segments, language };
}

/** @throws Error where a translation failed */
export function whisperAsrAnswer(
  { task, output, withWords, language }: AsrAnswerRequest,
  result: TranscriptionResult,
): Answer {
  const transcription = taskText(task, result);
  const { utterances } = transcription;
  const speakers = new Set(utterances.flatMap(({ speaker }) => speaker ?? []));
  const names = Object.fromEntries([...speakers].map((speaker) => [speaker, speakerName(speaker)]));
  const source = { utterances, names, audioSeconds: result.metadata.audio_duration };
  const spoken = result.transcription.languages[0] ?? language ?? UNDETERMINED;
  const bodies: Record<AsrOutput, () => string> = {
    txt: () => utterances.map((utterance) => `${line(utterance)}\n`).join(""),
    tsv: () => tsv(utterances),
    srt: () => subtitleFile("srt", source),
    vtt: () => subtitleFile("vtt", source),
    json: () => JSON.stringify(json(utterances, transcription.full_transcript, spoken, withWords)),
  };
  // That service declares every output as plain text.
  return {
    contentType: "text/plain; charset=utf-8",
    body: bodies[output](),
    warnings: answerWarnings(result, ADDONS),
  };
}

/** @throws recognition.no_speech */
export function detectedLanguageAnswer({ transcription, metadata }: TranscriptionResult): Answer {
  const [code] = transcription.languages;
  if (code === undefined) throw errors.noSpeechToDetect();
  const words = transcription.utterances.flatMap((utterance) => utterance.words);
  // Models of one language have no probability of it.
  const confidence = metadata.language_confidence ?? rounded(meanConfidence(words));
  const body: DetectedLanguage = {
    detected_language: whisperName(code),
    language_code: code,
    confidence,
  };
  return {
    contentType: "application/json; charset=utf-8",
    body: JSON.stringify(body),
    warnings: metadata.warnings ?? [],
  };
}
