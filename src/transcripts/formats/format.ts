// Export formats of a transcript: one file each, and its line here.

import type { TranscriptionResult } from "../../transcript/transcript.ts";
import type { CorrectedTranscription } from "../corrections.ts";

export interface TranscriptSource {
  /** Name of the recording. */
  title: string;
  createdAt: string;
  result: TranscriptionResult;
  /** The recognised or corrected transcription. */
  transcription: CorrectedTranscription;
  /** Columns of a row of subtitles. */
  maximumCharactersPerRow?: number;
}

export const FORMATS = ["txt", "srt", "vtt", "json", "md", "docx", "tsv"] as const;
export type Format = (typeof FORMATS)[number];

export const CONTENT_TYPES: Record<Format, string> = {
  txt: "text/plain; charset=utf-8",
  srt: "application/x-subrip; charset=utf-8",
  vtt: "text/vtt; charset=utf-8",
  json: "application/json; charset=utf-8",
  md: "text/markdown; charset=utf-8",
  tsv: "text/tab-separated-values; charset=utf-8",
  docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
};
