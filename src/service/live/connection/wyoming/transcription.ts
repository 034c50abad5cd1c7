// The connection of a session in the Wyoming protocol: one transcription, from the first audio to the transcript.
import type { TranscriptPrinter } from "../../dialects/wyoming/printer.ts";
import type { EmittedEvent } from "../../events/live-event.ts";
import { TcpConnection } from "../tcp-connection.ts";
import type { WyomingWriter } from "./writer.ts";

export class Transcription extends TcpConnection {
  constructor(
    number: number,
    private readonly printer: TranscriptPrinter,
    private readonly writer: WyomingWriter,
  ) {
    super(number);
  }

  async send({ event }: EmittedEvent): Promise<void> {
    const events = this.printer.print(event);
    if (events.length > 0) await this.writer.write(events);
  }

  override async arrival(): Promise<void> {
    await this.writer.write([]);
  }
}
