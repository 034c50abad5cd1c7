// What the parts of the dialog of a speaker share.
import type { ComponentChildren } from "preact";
import type { CorrectedTranscription } from "../../../src/service/transcripts/corrections.ts";
import type { TranscriptChange } from "./store.ts";

export interface SpeakerChoice {
  speaker: number | undefined;
  /** Where the dialog was opened. */
  place?: UtterancePlace;
}

/** An utterance. Other people may change the transcript while the dialog is open. */
export interface UtterancePlace {
  reading: CorrectedTranscription;
  /** Position in `reading`. */
  at: number;
}

export interface PartProps {
  reading: CorrectedTranscription;
  choice: SpeakerChoice;
  /** Stores the change and closes the dialog. @param onStored  called before it closes */
  onChange(change: TranscriptChange, onStored?: () => void): void;
}

export function Part({ title, onSubmit, children }: { title: string; onSubmit(): void; children: ComponentChildren }) {
  return (
    <form
      aria-label={title}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      <h3>{title}</h3>
      {children}
    </form>
  );
}
