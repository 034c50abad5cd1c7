// State of the subtitles that a person edits: the chosen cue, the dragged cue, and typed text. Stores each change as a correction.
import { computed, type ReadonlySignal, signal } from "@preact/signals";
import type { CueEdit } from "../../../../src/contract/cues.ts";
import { errorMessage } from "../../api.ts";
import { t } from "../../language/language.ts";
import { notice } from "../../parts/notices.tsx";
import type { Editing } from "../editing.ts";
import { normal } from "../placed-words.ts";
import type { TranscriptStore } from "../store.ts";
import {
  isMergeable,
  merged,
  released,
  retimed,
  retyped,
  split,
  splitPlaces,
  type TypedUtterance,
  typedUtterances,
} from "./cue-changes.ts";
import { type ShownCue, type ShownCues, shownCues } from "./shown-cues.ts";

/** Typed text is stored after this time without a key press. The document waits longer, and would save the text without its cue. */
const PAUSE_MILLISECONDS = 900;

export interface Times {
  start: number;
  end: number;
}

interface Typing {
  id: number;
  /** As it was when the text was typed. */
  cue: ShownCue;
  typed: readonly TypedUtterance[];
  lines: string[];
  keepsRows: boolean;
}

const withoutSpaces = (text: string) => text.replace(/\s+/gu, "");

export class Subtitles {
  readonly shown: ReadonlySignal<ShownCues | undefined>;
  /** Id of the chosen cue. */
  readonly chosen = signal<number | undefined>(undefined);
  /** Times of a cue that is being dragged. */
  readonly held = signal<(Times & { id: number }) | undefined>(undefined);
  private last: readonly ShownCue[] = [];
  private typing: Typing | undefined;
  /** Typed text whose words another person has changed, until this person chooses a version. */
  private disputed: readonly Typing[] = [];
  private pause: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly store: TranscriptStore,
    private readonly editing: Editing,
    readonly seconds: number,
  ) {
    this.shown = computed(() => {
      const reading = store.reading.value;
      if (!reading) return undefined;
      const shown = shownCues(reading, seconds, this.last);
      this.last = shown.cues;
      return shown;
    });
  }

  get cues(): readonly ShownCue[] {
    return this.shown.peek()?.cues ?? [];
  }

  find(id: number | undefined): { cue: ShownCue; at: number } | undefined {
    const at = this.cues.findIndex((cue) => cue.id === id);
    const cue = this.cues[at];
    return cue && { cue, at };
  }

  /** Times as they are shown: those of a cue that is being dragged are others. */
  timesOf({ id, start, end }: ShownCue): Times {
    const { value: held } = this.held;
    return held?.id === id ? held : { start, end };
  }

  retime(id: number, times: Times): void {
    void this.commit();
    const found = this.find(id);
    if (!found) return;
    const { start, end } = found.cue;
    if (Math.abs(start - times.start) < 0.0005 && Math.abs(end - times.end) < 0.0005) return;
    this.change([retimed(found.cue, { start: times.start, end: Math.min(times.end, this.seconds) })]);
  }

  /** @param characters  of the text before the place, without spaces; undefined for the middle @returns whether it is divided */
  split(id: number, characters?: number): boolean {
    void this.commit();
    const cue = this.find(id)?.cue;
    const places = cue ? splitPlaces(cue) : [];
    if (!cue || places.length === 0) {
      notice(t.subtitles.oneWord, "bad");
      return false;
    }
    let passed = 0;
    const lengths = cue.words.map(({ word }) => {
      const before = passed;
      passed += withoutSpaces(word).length;
      return before;
    });
    const wanted = characters ?? passed / 2;
    const distance = (place: number) => Math.abs((lengths[place] ?? 0) - wanted);
    const nearest = places.reduce((best, place) => (distance(place) < distance(best) ? place : best));
    this.change(split(cue, nearest));
    return true;
  }

  canMerge(at: number): boolean {
    return isMergeable(this.cues[at], this.cues[at + 1]);
  }

  /** Makes one cue of this one and the next one. */
  merge(id: number): void {
    void this.commit();
    const found = this.find(id);
    const next = found && this.cues[found.at + 1];
    if (!found || !next) return;
    if (isMergeable(found.cue, next)) this.change([merged(found.cue, next)]);
    else notice(t.subtitles.twoSpeakers, "bad");
  }

  /** The words of a cue are laid out automatically again. */
  release(id: number): void {
    void this.commit();
    const found = this.find(id);
    if (found) this.change([released(found.cue)]);
  }

  /** Takes the typed rows of a cue. @param touchesRows  whether the person changed where rows break */
  type(id: number, lines: string[], touchesRows: boolean): void {
    const cue = this.find(id)?.cue;
    const reading = this.store.reading.peek();
    if (!cue || !reading) return;
    const typed = typedUtterances(reading, cue, lines);
    if (!typed) {
      notice(t.subtitles.notHere, "bad");
      return;
    }
    if (this.typing && this.typing.id !== id) void this.commit();
    const keepsRows = touchesRows || cue.rowStarts !== undefined || (this.typing?.keepsRows ?? false);
    this.typing = { id, cue, typed, lines, keepsRows };
    // The browser keeps typed text until the service has stored it.
    for (const { at, text } of typed) this.editing.write(at, text);
    clearTimeout(this.pause);
    this.pause = setTimeout(() => void this.commit(), PAUSE_MILLISECONDS);
  }

  isTyping(id: number): boolean {
    return this.typing?.id === id;
  }

  private theirsAt(at: number): string | undefined {
    return this.editing.document.value?.edits.get(at)?.theirs;
  }

  /** The text that another person stored for the words of a cue, if it differs from the typed one. */
  conflictOf(cue: ShownCue): { at: number; theirs: string } | undefined {
    for (const { utterance: at } of cue.words) {
      const theirs = this.theirsAt(at);
      if (theirs !== undefined) return { at, theirs };
    }
    return undefined;
  }

  /** Stores what is typed, with the cue that it belongs to. The page shows it at once, and repeats it while the service does not answer. */
  async commit(): Promise<void> {
    clearTimeout(this.pause);
    const { typing } = this;
    this.typing = undefined;
    const cue = typing && this.find(typing.id)?.cue;
    const reading = this.store.reading.peek();
    if (!cue || !reading) return;
    if (this.conflictOf(cue)) return this.dispute(typing);
    const typed = typedUtterances(reading, cue, typing.lines);
    const isSame = cue.rows.join("\n") === typing.lines.join("\n");
    if (!typed || isSame) return;
    await this.put({ ...typing, cue, typed });
  }

  private async put(typing: Typing): Promise<void> {
    const { cue, typed } = typing;
    try {
      await this.editing.changeWith(
        typed.map(({ at }) => at),
        (now) => {
          const cues = retyped(now, cue, typed, typing);
          return cues.length > 0 ? { cues } : {};
        },
        true,
      );
    } catch (error) {
      if (typed.some(({ at }) => this.theirsAt(at) !== undefined)) this.dispute(typing);
      else notice(errorMessage(error), "bad");
    }
  }

  private dispute(typing: Typing): void {
    this.disputed = [...this.disputed.filter(({ id }) => id !== typing.id), typing];
  }

  /** @param at  position of the utterance */
  private endDispute(at: number): Typing | undefined {
    const found = this.disputed.findLast(({ typed }) => typed.some((one) => one.at === at));
    this.disputed = this.disputed.filter((one) => one !== found);
    return found;
  }

  /** Stores the version of this person in place of that of the other one. @param at  position of the utterance */
  async keepMine(at: number): Promise<void> {
    this.editing.insist(at);
    const typing = this.endDispute(at);
    const isTyped = typing?.typed.every((one) => normal(this.editing.typedAt(one.at) ?? "") === one.text);
    // Of the other utterances of the cue, the person has still to choose a version.
    const isOpen = typing?.typed.some((one) => this.theirsAt(one.at) !== undefined);
    if (typing && isTyped && !isOpen) await this.put(typing);
    else await this.editing.save();
  }

  /** @param at  position of the utterance */
  useTheirs(at: number): void {
    this.endDispute(at);
    this.editing.discard(at);
  }

  private change(cues: CueEdit[]): void {
    if (cues.length === 0) return;
    this.editing.changeWith([], () => ({ cues })).catch((error: unknown) => notice(errorMessage(error), "bad"));
  }
}
