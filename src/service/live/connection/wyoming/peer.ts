// One TCP connection of a client of the Wyoming protocol, from its acceptance to its end. After an error the connection is closed: Home
// Assistant ignores errors, and waits for a transcript or the end of the connection.
import type { Socket } from "node:net";
import type { Logger } from "pino";
import { errors, ParlanceError } from "../../../../platform/errors.ts";
import { EventReader } from "../../dialects/wyoming/framing.ts";
import { errorEvent } from "../../dialects/wyoming/printer.ts";
import { type Chunk, ChunkReader } from "../chunk-reader.ts";
import { WyomingExchange } from "./exchange.ts";
import type { WyomingSessions } from "./sessions.ts";
import { WyomingWriter } from "./writer.ts";

/** An event without audio must have arrived completely after this time. */
const EVENT_MILLISECONDS = 60_000;
/** The client has this long to read the last events. */
const CLOSING_MILLISECONDS = 2_000;
const FAULT = "a connection of the Wyoming protocol failed";

export class WyomingPeer {
  private readonly reader = new EventReader();
  private readonly writer: WyomingWriter;
  private readonly exchange: WyomingExchange;
  private readonly chunks: ChunkReader;
  private eventSince: number | undefined;
  private isClosed = false;

  /** @param socket  just accepted, half-open connections allowed */
  constructor(
    private readonly socket: Socket,
    sessions: WyomingSessions,
    private readonly idleMilliseconds: number,
    private readonly logger: Logger,
  ) {
    this.writer = new WyomingWriter(socket);
    this.chunks = new ChunkReader(socket);
    this.exchange = new WyomingExchange(sessions, this.writer, () => this.chunks.stop());
    // A session that accepts no audio at present must not delay the end of the connection.
    socket.once("close", () => this.exchange.leave());
  }

  /** Whether audio is being transcribed: such a connection is not closed for another one. */
  get isBusy(): boolean {
    return this.exchange.isBusy;
  }

  /** Reads until the client leaves or sends what it must not; never rejects. */
  async serve(): Promise<void> {
    try {
      await this.readAll();
      await this.exchange.finished();
    } catch (error) {
      await this.report(error);
    }
    this.exchange.leave();
    this.finish();
  }

  /** Ends the connection with an error. */
  async close(error: ParlanceError): Promise<void> {
    if (this.isClosed) return;
    this.isClosed = true;
    await this.writer.write([errorEvent(error)]).catch(() => undefined);
    this.chunks.stop();
  }

  /** The process stops: a client that has sent all of its audio receives its transcript, within the time for requests. */
  async stop(error: ParlanceError): Promise<void> {
    await this.exchange.finished();
    await this.close(error);
  }

  private async readAll(): Promise<void> {
    for (;;) {
      const chunk = await this.next();
      if (chunk === "ended") return;
      for (const part of this.reader.push(chunk)) {
        await this.exchange.take(part);
        await this.exchange.ready();
      }
      this.checkEvent();
    }
  }

  /** A session has deadlines of its own. @throws live.wyoming_timeout */
  private async next(): Promise<Chunk> {
    for (;;) {
      const wasBusy = this.exchange.isBusy;
      const chunk = await this.chunks.next(this.idleMilliseconds);
      if (chunk !== "idle") return chunk;
      if (!wasBusy && !this.exchange.isBusy)
        throw errors.wyomingTimeout(`nothing was received for ${this.idleMilliseconds / 1000} seconds`);
    }
  }

  /** @throws live.wyoming_timeout */
  private checkEvent(): void {
    const isWithin = this.reader.isWithinEvent || this.reader.isWithinPayload;
    if (!isWithin || this.exchange.isBusy) {
      this.eventSince = undefined;
      return;
    }
    this.eventSince ??= performance.now();
    if (performance.now() - this.eventSince < EVENT_MILLISECONDS) return;
    throw errors.wyomingTimeout(`an event did not arrive completely within ${EVENT_MILLISECONDS / 1000} seconds`);
  }

  private async report(error: unknown): Promise<void> {
    if (this.socket.destroyed) return;
    if (!(error instanceof ParlanceError)) this.logger.error({ err: error }, FAULT);
    const shown = error instanceof ParlanceError ? error : errors.liveSessionFailed();
    await this.writer.write([errorEvent(shown)]).catch(() => undefined);
  }

  /** What the client still sends is read and discarded, so that the last events are not lost in a reset. */
  private finish(): void {
    const { socket } = this;
    if (socket.destroyed) return;
    const timer = setTimeout(() => socket.destroy(), CLOSING_MILLISECONDS);
    socket.once("close", () => clearTimeout(timer));
    socket.end();
    this.chunks.discard();
  }
}
