// Stores changes of paragraphs, speakers and cues, each together with what was typed in the utterances that it changes.
import type { Signal } from "@preact/signals";
import { type ApiError, errorMessage } from "../api.ts";
import { dropDraft } from "./drafts.ts";
import type { Edit, SaveState } from "./edits.ts";
import type { TranscriptChange, TranscriptStore } from "./store.ts";
import { isUnanswered } from "./unanswered.ts";

/** After a failure. */
export const AGAIN_MILLISECONDS = 4_000;

export const failure = (error: unknown): SaveState => ({ kind: "failed", message: errorMessage(error) });

/** Notes the text that was sent when a request for edits fails. */
export function noteFailure(edits: readonly Edit[], error: unknown): void {
  if (!isUnanswered(error)) return;
  for (const edit of edits) {
    const { unanswered = [], sent = edit.text } = edit;
    if (!unanswered.includes(sent)) edit.unanswered = [...unanswered, sent];
  }
}

interface Outcome {
  /** Takes the edits back into the document. */
  onFailure(edits: readonly Edit[]): void;
  onEnd(): void;
}

export class WholeChanges {
  /** Edits that are being stored. */
  readonly held = new Set<Edit>();
  private readonly running = new Set<Promise<void>>();
  private readonly repeats = new Repeats();
  /** Of the change that is repeated: all later ones wait for it. */
  private outage: SaveState | undefined;

  constructor(
    private readonly transcript: TranscriptStore,
    private readonly state: Signal<SaveState | undefined>,
    private readonly outcome: Outcome,
  ) {}

  /** What the page says when another change begins. */
  get begun(): SaveState {
    return this.outage ?? { kind: "saving" };
  }

  /** @param isRepeated  whether it is sent until the service answers, and shown meanwhile @throws ApiError */
  async store(whole: TranscriptChange, edits: readonly Edit[], isRepeated: boolean): Promise<void> {
    for (const edit of edits) this.held.add(edit);
    const change = this.send(whole, edits, isRepeated);
    this.running.add(change);
    await change.finally(() => this.running.delete(change));
  }

  private async send(whole: TranscriptChange, edits: readonly Edit[], isRepeated: boolean): Promise<void> {
    // An outage that ends before this change has its turn is not what the page shows after it.
    const former = this.outage ? undefined : this.state.value;
    let own: SaveState | undefined;
    this.state.value = this.begun;
    const repeat = (error: ApiError) => {
      own = failure(error);
      this.outage = own;
      this.state.value = own;
      return this.repeats.wait(AGAIN_MILLISECONDS);
    };
    try {
      await this.transcript.correct(whole, undefined, isRepeated ? repeat : undefined);
      for (const edit of edits) {
        this.held.delete(edit);
        dropDraft(this.transcript.id, edit.target);
      }
      this.state.value = { kind: "saved", at: new Date() };
    } catch (error) {
      noteFailure(edits, error);
      for (const edit of edits) this.held.delete(edit);
      if (edits.length > 0) this.state.value = failure(error);
      // Without typed text, the change itself is dropped: nothing remains that could be saved. Another change may have set the state meanwhile.
      else if (this.state.value === own || this.state.value?.kind === "saving")
        this.state.value = former?.kind === "saving" ? undefined : former;
      this.outcome.onFailure(edits);
      throw error;
    } finally {
      if (this.outage === own) this.outage = undefined;
      this.outcome.onEnd();
    }
  }

  /** Before the page is left: `work` runs after one more attempt of each change that waits for the service. */
  ending(work: () => Promise<void>): Promise<void> {
    return this.repeats.ending(async () => {
      await Promise.allSettled(this.running);
      await work();
    });
  }
}

/** Waits between the attempts to store a change while the service does not answer. */
class Repeats {
  private readonly waiting = new Set<() => void>();
  private isEnding = false;

  /** @returns after a time, true; false at once if the page is being left */
  async wait(milliseconds: number): Promise<boolean> {
    if (this.isEnding) return false;
    await new Promise<void>((resolve) => {
      const end = () => {
        clearTimeout(timer);
        this.waiting.delete(end);
        resolve();
      };
      const timer = setTimeout(end, milliseconds);
      this.waiting.add(end);
    });
    return true;
  }

  /** While `work` runs, each waiting change has one more attempt, which begins at once. */
  async ending(work: () => Promise<void>): Promise<void> {
    this.isEnding = true;
    for (const end of [...this.waiting]) end();
    await work().finally(() => {
      this.isEnding = false;
    });
  }
}
