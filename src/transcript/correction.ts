// Corrections of a transcript as they are stored and sent.
export type { Correction, TranscriptChange } from "../contract/transcripts.ts";
