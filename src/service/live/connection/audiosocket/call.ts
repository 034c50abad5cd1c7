// The connection of a session whose client reads no transcripts: a call of AudioSocket.
import type { Closing } from "../../events/closing.ts";
import type { Connection } from "../../session/session-contract.ts";

export class Call implements Connection {
  readonly isReceiving = false;
  /** Resolves when the session ends the connection. */
  readonly closed: Promise<Closing>;
  /** Resolves when the session accepts more audio. */
  ready: Promise<void> = Promise.resolve();
  private setClosed: (closing: Closing) => void = () => undefined;
  private setReady: (() => void) | undefined;

  constructor(readonly number: number) {
    this.closed = new Promise((resolve) => {
      this.setClosed = resolve;
    });
  }

  /** Callbacks and the result have the events. */
  async send(): Promise<void> {}
  async answer(): Promise<void> {}
  async arrival(): Promise<void> {}

  close(closing: Closing): void {
    this.setClosed(closing);
    this.resume();
  }

  pause(): void {
    if (this.setReady) return;
    this.ready = new Promise((resolve) => {
      this.setReady = resolve;
    });
  }

  resume(): void {
    this.setReady?.();
    this.setReady = undefined;
  }
}
