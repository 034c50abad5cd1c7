// The connection of a session whose client is its source: it stores the events for viewers, and sends nothing.
import { Interruption } from "../../../platform/process/interruption.ts";
import { TcpConnection } from "../connection/tcp-connection.ts";
import type { Closing } from "../events/closing.ts";
import type { EmittedEvent } from "../events/live-event.ts";
import type { Captions } from "./captions.ts";

export class SourceConnection extends TcpConnection {
  private readonly ended = new Interruption();

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

  override close(closing: Closing): void {
    super.close(closing);
    this.ended.occur();
  }

  /** @returns the result of `work`; undefined if the connection is closed before */
  whileOpen<Result>(work: Promise<Result>): Promise<Result | undefined> {
    return this.ended.during(work);
  }
}
