// What the transcript page and its document offer each other.
import type { ReadonlySignal, Signal } from "@preact/signals";
import type { UnsureWord } from "../doubt.ts";
import type { Editing } from "../editing.ts";
import type { Hit } from "../find-text.ts";
import type { TranscriptStore } from "../store.ts";
import type { Stretch } from "./paragraphs.ts";

export interface DocumentOptions {
  store: TranscriptStore;
  editing: Editing;
  /** false: a click on a word plays it. */
  isEditable: Signal<boolean>;
  showsUnsure: Signal<boolean>;
  hits: ReadonlySignal<readonly Hit[]>;
  hit: ReadonlySignal<Hit | undefined>;
  unsure: ReadonlySignal<UnsureWord | undefined>;
  /** Number of alternatives of the unsure word. */
  choices: ReadonlySignal<number>;
  /** Of the playback, seconds. */
  time: ReadonlySignal<number>;
  isPlaying: ReadonlySignal<boolean>;
  /** Position of the played utterance. */
  current: ReadonlySignal<number>;
  onSeek(seconds: number, thenPlay: boolean): void;
  onSpeaker(at: number): void;
  /** @param what  a number chooses an alternative, from 1 on */
  onUnsure(what: "next" | "previous" | "accept" | number): void;
  /** Places the caret at the next unsure word, or in the next paragraph. @param at  position of the paragraph with the caret @param time  of the word there, seconds */
  onNext(at: number, time: number): void;
  onUndo(isRedo: boolean): void;
}

export interface DocumentHandle {
  readonly hasFocus: boolean;
  /** Position of the paragraph with the caret; undefined while the document has no focus. */
  readonly caretAt: number | undefined;
  /** Whether the chosen unsure word is selected, to be accepted or typed over. */
  readonly isProofReading: boolean;
  show(at: number): void;
  focus(at: number, wordStart?: number): void;
  selected(): Stretch[];
  undoOrRedo(isRedo: boolean): void;
}
