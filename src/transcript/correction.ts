// Corrections of a transcript as they are stored and sent.

/** A set of changes made together, applied in the order of the fields. Wire names: stored and sent in this form. */
export interface TranscriptChange {
  /** `speaker` becomes `into`: all of its words, and its name is dropped. */
  merges?: SpeakerMerge[];
  /** Words of `speaker` that start at `start` or later become those of `into`, a number that no speaker has. */
  splits?: SpeakerSplit[];
  utterances?: UtteranceChange[];
  speakers?: {
    speaker: number;
    /** Empty removes the name. */
    name: string;
  }[];
}

export interface SpeakerMerge {
  speaker: number;
  into: number;
}

export interface SpeakerSplit {
  speaker: number;
  /** Seconds. */
  start: number;
  into: number;
}

export interface UtteranceChange {
  /** Index in the recognised transcript, from 0. */
  index: number;
  /** Seconds: only words whose middle lies between the two, both included; without them, the whole utterance. */
  start?: number;
  end?: number;
  /** The corrected text; empty removes the words. */
  text?: string;
  speaker?: number;
}

export interface Correction extends TranscriptChange {
  id: string;
  created_at: string;
  made_by: string;
  undone_at: string | null;
  undone_by: string | null;
}

/** Counts the corrections of a transcript, undone ones twice: a number that every change increases. */
export const versionOf = (corrections: readonly Pick<Correction, "undone_at">[]): number =>
  corrections.reduce((count, { undone_at }) => count + (undone_at === null ? 1 : 2), 0);
