// Corrections of a transcript as they are stored and sent.

/** A set of changes made together. Wire names: stored and sent in this form. */
export interface TranscriptChange {
  utterances?: {
    /** Index in the recognised transcript, from 0. */
    index: number;
    /** The corrected text; empty removes the utterance. */
    text?: string;
    speaker?: number;
  }[];
  speakers?: {
    speaker: number;
    /** Empty removes the name. */
    name: string;
  }[];
}

export interface Correction extends TranscriptChange {
  id: string;
  created_at: string;
  made_by: string;
  undone_at: string | null;
  undone_by: string | null;
}
