// Drafts of this recording that neither the service nor the document has: those of closed windows, and those of this one from before an
// expired sign-in.
import { signal } from "@preact/signals";
import { openPages, page } from "../open-pages.ts";
import { draftsOf, dropStored, isSame, type StoredDraft, whenDraftsChange } from "./drafts.ts";
import { type Edit, isEqual, isSameTarget } from "./edits.ts";
import { shownText } from "./placed-words.ts";
import { type Target, targetOf } from "./speakers.ts";
import type { TranscriptStore } from "./store.ts";

/** Interval at which the page looks whether another one with drafts was closed. */
const PAGES_MILLISECONDS = 2_000;

export class UnsavedDrafts {
  readonly list = signal<StoredDraft[]>([]);
  private readonly stops: (() => void)[];
  /** Until it is known, other pages count as open: their drafts are not for this page. */
  private isOpen: (other: string) => boolean = () => true;

  constructor(
    private readonly store: TranscriptStore,
    /** Those that the document shows. */
    private readonly shown: () => readonly Edit[],
    private readonly onChange: () => void,
  ) {
    const stopWatching = whenDraftsChange(store.id, () => void this.lookForPages());
    const timer = setInterval(() => {
      if (this.foreign().length > 0) void this.lookForPages();
    }, PAGES_MILLISECONDS);
    this.stops = [stopWatching, () => clearInterval(timer)];
    void this.lookForPages();
  }

  /** Of other pages, open or closed. */
  private foreign(): StoredDraft[] {
    return draftsOf(this.store.id).filter((draft) => draft.page !== page);
  }

  private async lookForPages(): Promise<void> {
    this.isOpen = await openPages();
    this.onChange();
  }

  /** Position of an utterance among the shown ones; -1 if its words are no longer one. */
  positionOf(target: Target): number {
    const reading = this.store.reading.peek();
    return reading?.utterances.findIndex((_, at) => isSameTarget(targetOf(reading, at), target)) ?? -1;
  }

  load(): void {
    const shown = this.shown();
    this.list.value = draftsOf(this.store.id).filter((draft) => {
      const { target, changed } = draft;
      const isOwn = draft.page === page;
      if (isOwn ? shown.some((edit) => isSameTarget(edit.target, target)) : this.isOpen(draft.page)) return false;
      // The page was reloaded before it received the answer to its change.
      const utterance = this.store.reading.peek()?.utterances[this.positionOf(target)];
      const speaker = changed.speaker === undefined ? undefined : utterance?.speaker;
      const isDone = utterance !== undefined && isSame(changed, { text: shownText(utterance), speaker });
      if (isDone) dropStored(draft);
      return !isDone;
    });
  }

  /** Compares edits with what is typed in other windows. @returns whether there is something new */
  compareElsewhere(edits: Iterable<Edit>): boolean {
    const foreign = this.foreign();
    let isChanged = false;
    for (const edit of edits) {
      const other = foreign.find(
        ({ target, changed }) => isSameTarget(target, edit.target) && !isEqual(changed.text, edit.text),
      );
      if (other?.changed.text === edit.elsewhere?.changed.text && other?.name === edit.elsewhere?.name) continue;
      edit.elsewhere = other;
      isChanged = true;
    }
    return isChanged;
  }

  /** Removes a draft that this page has taken over, unless its own page is open. */
  dropTaken(draft: StoredDraft): void {
    if (!this.isOpen(draft.page)) dropStored(draft);
  }

  end(): void {
    for (const stop of this.stops) stop();
  }
}
