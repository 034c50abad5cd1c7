// What the connections of sessions over TCP have in common: their end, and back-pressure.
import type { Closing } from "../events/closing.ts";
import type { EmittedEvent } from "../events/live-event.ts";
import type { Connection } from "../session/session-contract.ts";

export abstract class TcpConnection implements Connection {
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

  abstract send(emitted: EmittedEvent): Promise<void>;

  /** These protocols have no messages of their own in the order of the session. */
  async answer(_print: () => string[]): Promise<void> {}

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
