// The input of an export format. Each format is a file of this folder.

import type { Note } from "../../../contract/notes.ts";
import type { TranscriptionResult } from "../../../contract/transcript/transcript.ts";
import type { SubtitlesConfig } from "../../../speech/subtitles/requested-limits.ts";
import type { CorrectedTranscription } from "../corrections.ts";

export interface TranscriptSource {
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
  /** Columns of a row of subtitles. */
  maximumCharactersPerRow?: number;
}
