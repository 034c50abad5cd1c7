// The connection of a session whose client is its source: it stores the events for viewers, and sends nothing.
import { TcpConnection } from "../connection/tcp-connection.ts";
import type { EmittedEvent } from "../events/live-event.ts";
import type { Captions } from "./captions.ts";

export class SourceConnection extends TcpConnection {
  constructor(
    number: number,
    private readonly captions: Pick<Captions, "add">,
  ) {
    super(number);
  }

  send(emitted: EmittedEvent): Promise<void> {
    return this.captions.add(emitted);
  }

  override async answer(print: () => string[]): Promise<void> {
    print();
  }
}
