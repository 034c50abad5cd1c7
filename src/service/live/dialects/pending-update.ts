// The update of a running session that the session has not answered.
import type { LiveChange } from "../../../contract/live-change.ts";
import type { ClientCommand } from "../events/client-command.ts";
import type { EventOf, LiveEvent } from "../events/live-event.ts";

export class PendingUpdate<Update extends { change: LiveChange | undefined }> {
  private pending: Update | undefined;

  /**
   * @param bytes  of the frame
   * @param read   reads the update, and calls `begin` if the session must answer. It is called only after the preceding update is answered,
   *               because an update is applied to the settings then in force. Returns the messages that precede the answer.
   */
  commands(bytes: number, read: () => string[]): ClientCommand[] {
    const print = () => {
      this.pending = undefined;
      return read();
    };
    return [
      { kind: "answer", bytes, print },
      { kind: "configure", change: () => this.pending?.change },
    ];
  }

  begin(update: Update): void {
    this.pending = update;
  }

  /** @returns the answer of the session, and the update that it answers; nothing for other events */
  answeredBy(event: LiveEvent): { answer?: EventOf<"configured" | "configureRefused">; update?: Update | undefined } {
    if (event.kind !== "configured" && event.kind !== "configureRefused") return {};
    const { pending: update } = this;
    this.pending = undefined;
    return { answer: event, update };
  }
}
