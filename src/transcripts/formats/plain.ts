// Text, JSON and subtitles.

import { type SubtitleFormat, subtitleFile } from "../../subtitles/subtitles.ts";
import type { TranscriptSource } from "./format.ts";
import { paragraphsOf } from "./paragraphs.ts";

/** Paragraphs with a blank line between them. */
export function writeText({ transcription }: TranscriptSource): string {
  const paragraphs = paragraphsOf(transcription).map(({ speaker, text }) =>
    speaker === undefined ? text : `${speaker}: ${text}`,
  );
  return `${paragraphs.join("\n\n")}\n`;
}

/** The whole result, without the messages of a live session. */
export function writeJson({ result, transcription }: TranscriptSource): string {
  const { messages: _, ...rest } = result;
  return `${JSON.stringify({ ...rest, transcription }, null, 2)}\n`;
}

export function writeSubtitles({ transcription, result }: TranscriptSource, format: SubtitleFormat): string {
  const { utterances, speaker_names: names } = transcription;
  return subtitleFile(format, { utterances, names, audioSeconds: result.metadata.audio_duration });
}
