// The connection of a session whose client is its source: it stores the events for viewers, and sends nothing.
import { Interruption } from "../../../platform/process/interruption.ts";
import { sleep } from "../../../platform/process/sleep.ts";
import { TcpConnection } from "../connection/tcp-connection.ts";
import type { Closing } from "../events/closing.ts";
import type { EmittedEvent } from "../events/live-event.ts";
import type { Captions } from "./captions.ts";

/**
 * A turn ends after this time without audio. Parts of HLS arrive at once, and late by seconds; what a source does not send becomes
 * silence as soon as it sends again.
 */
export const PAUSE_SECONDS = 20;

export class SourceConnection extends TcpConnection {
  private readonly ended = new Interruption();
  private readonly ending = new AbortController();

  constructor(
    number: number,
    private readonly captions: Pick<Captions, "add">,
    private readonly secondsWithoutAudio: () => number,
  ) {
    super(number);
  }

  send(emitted: EmittedEvent): Promise<void> {
    return this.captions.add(emitted);
  }

  override async answer(print: () => string[]): Promise<void> {
    print();
  }

  async turnMayEnd(): Promise<void> {
    const { signal } = this.ending;
    for (;;) {
      signal.throwIfAborted();
      const rest = PAUSE_SECONDS - this.secondsWithoutAudio();
      if (rest <= 0) return;
      await sleep(1000 * rest, signal);
    }
  }

  override close(closing: Closing): void {
    super.close(closing);
    this.ended.occur();
    this.ending.abort();
  }

  /** @returns the result of `work`; undefined if the connection is closed before */
  whileOpen<Result>(work: Promise<Result>): Promise<Result | undefined> {
    return this.ended.during(work);
  }
}
