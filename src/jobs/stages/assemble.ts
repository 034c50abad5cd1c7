// Words → the result as clients read it, add-ons included, written once.
import { readFile } from "node:fs/promises";
import { type Addon, runAddon } from "../../intelligence/addon.ts";
import { requestedAddons } from "../../intelligence/registry.ts";
import { resultKey } from "../../storage/objects/keys.ts";
import type { Transcription, TranscriptionResult, Utterance, Word } from "../transcript.ts";
import { parseRecognized, type RecognizedSegment } from "./recognize.ts";
import { recognizedKey, type Stage } from "./stage.ts";

const milliseconds = (seconds: number) => Math.round(seconds * 1000) / 1000;
const rounded = (confidence: number) => Math.round(Math.min(1, Math.max(0, confidence)) * 1000) / 1000;

function wordOf(word: RecognizedSegment["words"][number], index: number): Word {
  return {
    word: index === 0 ? word.text : ` ${word.text}`,
    start: milliseconds(word.startSeconds),
    end: milliseconds(word.endSeconds),
    confidence: rounded(word.confidence),
  };
}

/** @returns undefined when the segment holds no words */
export function utteranceOf(recognized: RecognizedSegment): Utterance | undefined {
  const { words } = recognized;
  const first = words[0];
  if (!first) return undefined;
  const confidence = words.reduce((sum, word) => sum + word.confidence, 0) / words.length;
  const wireWords = words.map(wordOf);
  return {
    text: wireWords.map((word) => word.word).join(""),
    language: recognized.language,
    start: milliseconds(first.startSeconds),
    end: milliseconds(Math.max(...words.map((word) => word.endSeconds))),
    confidence: rounded(confidence),
    channel: recognized.channel,
    words: wireWords,
  };
}

/** Languages by how many utterances are in them, most frequent first. */
function languagesOf(utterances: Utterance[]): string[] {
  const counts = new Map<string, number>();
  for (const { language } of utterances) counts.set(language, (counts.get(language) ?? 0) + 1);
  return [...counts].sort((left, right) => right[1] - left[1]).map(([language]) => language);
}

/** @param recognized  segments in any order */
export function transcriptionOf(recognized: RecognizedSegment[]): Transcription {
  const utterances = recognized
    .map(utteranceOf)
    .filter((utterance) => utterance !== undefined)
    .sort((left, right) => left.start - right.start || left.channel - right.channel);
  return {
    full_transcript: utterances.map((utterance) => utterance.text).join(" "),
    languages: languagesOf(utterances),
    utterances,
  };
}

async function addAddons(result: TranscriptionResult, addons: Addon[], params: Record<string, unknown>): Promise<void> {
  const { transcription } = result;
  const answers = await Promise.all(addons.map((addon) => runAddon(addon, { transcription, params })));
  for (const [index, addon] of addons.entries()) {
    const answer = answers[index];
    if (!answer) continue;
    if (addon.place) addon.place(result, transcription, answer);
    else result[addon.name] = answer;
  }
}

export const assembleStage: Stage<"assemble"> = {
  name: "assemble",
  weight: 0.05,
  async run({ job, outputs, services }) {
    const text = await readFile(await services.objects.localPath(recognizedKey(job.id)), "utf8");
    const duration = outputs.decode?.durationSeconds ?? 0;
    const channels = outputs.decode?.distinctChannels.length ?? 1;
    const result: TranscriptionResult = {
      metadata: {
        audio_duration: milliseconds(duration),
        number_of_distinct_channels: channels,
        billing_time: milliseconds(duration * channels),
        transcription_time: 0,
      },
      transcription: transcriptionOf(parseRecognized(text)),
    };
    await addAddons(result, requestedAddons(job.params), job.params);
    result.metadata.transcription_time = milliseconds((Date.now() - job.startedAt.getTime()) / 1000);
    const key = resultKey(job.id);
    await services.objects.put(key, JSON.stringify(result));
    return { resultKey: key };
  },
};
