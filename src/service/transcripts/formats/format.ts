// The input of an export format. Each format is a file of this folder.

import type { Note } from "../../../contract/notes.ts";
import type { TranscriptionResult } from "../../../contract/transcript/transcript.ts";
import type { SubtitlesConfig } from "../../../speech/subtitles/requested-limits.ts";
import type { CorrectedTranscription } from "../corrections.ts";

/** How an export shows the transcript. */
export interface TranscriptShape {
  /** Times of paragraphs; by default, md and docx have them, and txt has none. */
  times?: boolean;
  /** false: without names of speakers, except in json. */
  speakers?: boolean;
  /** false: txt, md and docx have one paragraph for each utterance. */
  paragraphs?: boolean;
  /** Columns of a row of subtitles. */
  maximumCharactersPerRow?: number;
  maximumRowsPerCaption?: number;
}

export interface TranscriptSource extends TranscriptShape {
  /** Name of the recording. */
  title: string;
  createdAt: string;
  result: TranscriptionResult;
  /** The recognised or corrected transcription. */
  transcription: CorrectedTranscription;
  /** Whether a correction applies to it. */
  isCorrected?: boolean;
  /** Of the request; for the subtitles that are part of the result. */
  subtitlesConfig?: SubtitlesConfig;
  /** In the order of their times; subtitles and tables leave them out. */
  notes?: readonly Note[];
}
