// The input of an export format. Each format is a file of this folder.

import type { Note } from "../../../contract/notes.ts";
import type { TranscriptionResult } from "../../../contract/transcript/transcript.ts";
import type { CorrectedTranscription } from "../corrections.ts";

export interface TranscriptSource {
  /** Name of the recording. */
  title: string;
  createdAt: string;
  result: TranscriptionResult;
  /** The recognised or corrected transcription. */
  transcription: CorrectedTranscription;
  /** In the order of their times; subtitles and tables leave them out. */
  notes?: readonly Note[];
  /** Columns of a row of subtitles. */
  maximumCharactersPerRow?: number;
}
