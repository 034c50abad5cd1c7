// Translates partials if a session requests it. One translation runs at a time. Of the partials that arrive during it, only the newest is
// translated next, so that no queue builds up.
import type { Utterance } from "../../../contract/transcript/transcript.ts";

interface Partial {
  id: string;
  utterance: Utterance;
}

export class PartialTranslation {
  private newest: Partial | undefined;
  private isBusy = false;
  /** Ids of utterances whose final was sent: translations of their partials are dropped. */
  private readonly ended = new Set<string>();

  /** @param translate  translates and sends; `isStale` returns whether a final has replaced the partial. Must not reject */
  constructor(private readonly translate: (partial: Partial, isStale: () => boolean) => Promise<void>) {}

  add(id: string, utterance: Utterance): void {
    this.newest = { id, utterance };
    if (!this.isBusy) void this.run();
  }

  end(id: string): void {
    this.ended.add(id);
  }

  private async run(): Promise<void> {
    this.isBusy = true;
    for (let next = this.newest; next; next = this.newest) {
      this.newest = undefined;
      const { id } = next;
      if (!this.ended.has(id)) await this.translate(next, () => this.ended.has(id));
    }
    this.isBusy = false;
  }
}
