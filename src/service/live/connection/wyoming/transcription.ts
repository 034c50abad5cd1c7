// The connection of a session in the Wyoming protocol: one transcription, from the first audio to the transcript.
import type { TranscriptPrinter } from "../../dialects/wyoming/printer.ts";
import type { Closing } from "../../events/closing.ts";
import type { EmittedEvent } from "../../events/live-event.ts";
import type { Connection } from "../../session/session-contract.ts";
import type { WyomingWriter } from "./writer.ts";

export class Transcription implements Connection {
  readonly isReceiving = false;
  /** Resolves when the session ends the connection. */
  readonly closed: Promise<Closing>;
  /** Resolves when the session accepts more audio. */
  ready: Promise<void> = Promise.resolve();
  private setClosed: (closing: Closing) => void = () => undefined;
  private setReady: (() => void) | undefined;

  constructor(
    readonly number: number,
    private readonly printer: TranscriptPrinter,
    private readonly writer: WyomingWriter,
  ) {
    this.closed = new Promise((resolve) => {
      this.setClosed = resolve;
    });
  }

  async send({ event }: EmittedEvent): Promise<void> {
    const events = this.printer.print(event);
    if (events.length > 0) await this.writer.write(events);
  }

  /** The dialect sends no messages of its own in the order of the session. */
  async answer(): Promise<void> {}

  async arrival(): Promise<void> {
    await this.writer.write([]);
  }

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
