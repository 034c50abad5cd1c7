// Counts how often a live session was connected again after a lost connection. Failed attempts do not count.
import type { ConnectionState } from "../../../src/contract/client/live-connection.ts";

export class Reconnections {
  count = 0;
  private wasConnected = false;
  private isLost = false;
  private isStopping = false;

  /** @param state  each state that the connection reports, in order */
  add(state: ConnectionState): void {
    if (state === "broken") this.isLost = this.wasConnected;
    // The first "finishing" follows a person's stop; each later one shows that the connection is open again.
    if (state === "open" || (state === "finishing" && this.isStopping)) this.connected();
    if (state === "finishing") this.isStopping = true;
  }

  private connected(): void {
    if (this.isLost) this.count++;
    this.isLost = false;
    this.wasConnected = true;
  }
}
