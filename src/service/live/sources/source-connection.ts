// The connection of a session whose client is its source: it stores the events for viewers, and sends nothing.
import { TcpConnection } from "../connection/tcp-connection.ts";
import type { Closing } from "../events/closing.ts";
import type { EmittedEvent } from "../events/live-event.ts";
import type { Captions } from "./captions.ts";

export class SourceConnection extends TcpConnection {
  /** End the waits of `whileOpen`. */
  private readonly waits = new Set<() => void>();
  private isClosed = false;

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
    this.isClosed = true;
    super.close(closing);
    for (const end of this.waits) end();
    this.waits.clear();
  }

  /**
   * A source may run for weeks: `Promise.race` with `closed` would keep each result in memory until then.
   * @returns the result of `work`; undefined if the connection is closed before
   */
  whileOpen<Result>(work: Promise<Result>): Promise<Result | undefined> {
    if (this.isClosed) return Promise.resolve(undefined);
    return new Promise((resolve, reject) => {
      const end = () => resolve(undefined);
      this.waits.add(end);
      work.finally(() => this.waits.delete(end)).then(resolve, reject);
    });
  }
}
