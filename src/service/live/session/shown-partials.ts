// Which partials without words are sent. A partial loses all of its words if they are fillers that the request removes. It is sent only
// after one with words, whose text it replaces: clients would otherwise show an utterance that appears and vanishes.
import type { Utterance } from "../../../contract/transcript/transcript.ts";

export class ShownPartials {
  /** By channel, the id of its last partial with words. */
  private readonly shown = new Map<number, string>();

  /** @returns whether a partial, or a final without words, has to be sent as a partial */
  replaces(id: string, { channel, words }: Pick<Utterance, "channel" | "words">): boolean {
    if (words.length > 0) {
      this.shown.set(channel, id);
      return true;
    }
    return this.shown.get(channel) === id && this.shown.delete(channel);
  }
}
