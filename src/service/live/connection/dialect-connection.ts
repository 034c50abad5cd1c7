// The connection of a session: prints events and closings in the dialect of the client.
import type { Logger } from "pino";
import type { Conversation } from "../dialects/dialect.ts";
import { type ClientCommand, keptWarning } from "../events/client-command.ts";
import type { Closing } from "../events/closing.ts";
import type { EmittedEvent, LastEvent } from "../events/live-event.ts";
import type { Connection } from "../session/session-contract.ts";
import type { LiveSocket } from "./live-socket.ts";

const UNREADABLE = keptWarning("a message was left out: it could not be read");

export class DialectConnection implements Connection {
  private hasFailed = false;

  constructor(
    private readonly socket: LiveSocket,
    private readonly conversation: Conversation,
    private readonly logger: Pick<Logger, "warn">,
  ) {}

  get number(): number {
    return this.socket.number;
  }

  get receivesAll(): boolean {
    return this.conversation.receivesAll === true;
  }

  get lastEvent(): LastEvent {
    return this.conversation.lastEvent;
  }

  get isReceiving(): boolean {
    return this.socket.isReceiving;
  }

  /** A defect of a dialect costs the message that shows it, not the session. It is reported once. */
  commandsOf(bytes: Buffer, isBinary: boolean): ClientCommand[] {
    try {
      return this.conversation.commandsOf(bytes, isBinary);
    } catch (error) {
      if (this.hasFailed) return [];
      this.hasFailed = true;
      this.logger.warn({ err: error }, "a message of a live connection could not be read");
      return [UNREADABLE];
    }
  }

  send(emitted: EmittedEvent): Promise<void> {
    return this.sendAll(this.conversation.print(emitted));
  }

  answer(print: () => string[]): Promise<void> {
    return this.sendAll(print());
  }

  async arrival(): Promise<void> {
    await this.conversation.released?.();
    await this.socket.arrival();
  }

  close(closing: Closing): void {
    const { code, reason } = this.conversation.closeFrame(closing);
    // Not awaited: the close frame follows them in the same order.
    this.sendAll(this.conversation.farewell(closing)).catch(() => undefined);
    this.socket.close(code, reason);
  }

  private async sendAll(texts: readonly string[]): Promise<void> {
    await Promise.all(texts.map((text) => this.socket.send(text)));
  }

  pause(): void {
    this.socket.pause();
  }

  resume(): void {
    this.socket.resume();
  }
}
