// The connection of a session: prints events and closings in the dialect of the client.
import type { Conversation } from "../dialects/dialect.ts";
import type { Closing } from "../events/closing.ts";
import type { EmittedEvent } from "../events/live-event.ts";
import type { Connection } from "../session/session-contract.ts";
import type { LiveSocket } from "./live-socket.ts";

export class DialectConnection implements Connection {
  constructor(
    private readonly socket: LiveSocket,
    private readonly conversation: Conversation,
  ) {}

  get number(): number {
    return this.socket.number;
  }

  get isReceiving(): boolean {
    return this.socket.isReceiving;
  }

  async send(emitted: EmittedEvent): Promise<void> {
    for (const text of this.conversation.print(emitted)) await this.socket.send(text);
  }

  arrival(): Promise<void> {
    return this.socket.arrival();
  }

  close(closing: Closing): void {
    const { code, reason } = this.conversation.closeFrame(closing);
    this.socket.close(code, reason);
  }

  pause(): void {
    this.socket.pause();
  }

  resume(): void {
    this.socket.resume();
  }
}
