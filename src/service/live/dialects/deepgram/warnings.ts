// Warnings of a connection. The interface has no message for them, and some of its clients stop at a message that they do not know: they are
// in the metadata of the next results, and all of them in the final Metadata.
import type { ListenMessage } from "../../../../contract/deepgram-live.ts";
import type { ListenWarning } from "../../../../contract/deepgram-recorded.ts";
import type { EventOf, LiveErrorCode } from "../../events/live-event.ts";
import { SentOnce } from "../sent-once.ts";

/** What of the address an error of the session is about. */
const PARAMETERS: Partial<Record<LiveErrorCode, string>> = {
  invalid_audio_format: "encoding",
  undecodable_audio: "encoding",
  language_unavailable: "language",
  language_uncertain: "language",
  speakers_unavailable: "diarize",
};

export const sessionWarning = ({ code, reason }: EventOf<"error">): ListenWarning => ({
  parameter: PARAMETERS[code] ?? "",
  type: code,
  message: reason,
});

/** Each is stated once, and their number is bounded. */
export class ConnectionWarnings {
  private readonly stated = new SentOnce();
  private readonly added: ListenWarning[] = [];
  /** Of `added`: in the metadata of a result. */
  private inResults = 0;

  get all(): readonly ListenWarning[] {
    return this.added;
  }

  add(...warnings: readonly ListenWarning[]): void {
    const fresh = this.stated.fresh(warnings.map(({ message }) => message));
    const leftOut = (message: string): ListenWarning => ({ parameter: "", type: "left_out", message });
    for (const text of fresh) this.added.push(warnings.find(({ message }) => message === text) ?? leftOut(text));
  }

  /** @returns the messages; the first results among them have the warnings that no earlier results had */
  addedTo(messages: readonly ListenMessage[]): ListenMessage[] {
    const first = messages.findIndex(({ type }) => type === "Results");
    const warnings = first < 0 ? [] : this.added.slice(this.inResults);
    if (warnings.length === 0) return [...messages];
    this.inResults = this.added.length;
    return messages.map((message, at) =>
      at === first && message.type === "Results"
        ? { ...message, metadata: { ...message.metadata, warnings } }
        : message,
    );
  }
}
