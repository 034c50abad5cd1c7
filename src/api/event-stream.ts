// Answers with server-sent events.
import { PassThrough, type Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import { isKeyValid } from "../platform/storage/db/accounts/accounts.ts";
import type { Database } from "../platform/storage/db/database.ts";

/** Time after which a browser connects again. */
const RETRY = "retry: 2000\n\n";
/** A comment, because proxies close a connection without data. */
const KEEP_ALIVE = ": waiting\n\n";
/** Time that a client has to read the rest of a stream that ends. */
const LAST_MILLISECONDS = 5_000;

/** Interval of comments, and of checks of the key: after it is revoked, a stream ends within this time. */
export const KEEP_ALIVE_MILLISECONDS = 10_000;

/** @param output  the text of the events, which is sent as it arrives */
function sendEventStream(reply: FastifyReply, output: Readable): FastifyReply {
  return (
    reply
      .type("text/event-stream; charset=utf-8")
      .header("cache-control", "no-store")
      // nginx then passes each event on at once; by default it buffers the answers of an upstream server.
      .header("x-accel-buffering", "no")
      .send(output)
  );
}

/**
 * Like `sendEventStream`, for events that may take minutes. It sends the headers of the response and a comment at once, then a comment at an
 * interval until `output` closes: clients and proxies end a request without response headers after one to five minutes.
 * @param output  the text of the events; its end ends the answer
 */
export function sendSlowEventStream(reply: FastifyReply, output: PassThrough): FastifyReply {
  const write = () => {
    if (output.writable) output.write(KEEP_ALIVE);
  };
  write();
  const timer = setInterval(write, KEEP_ALIVE_MILLISECONDS).unref();
  output.once("close", () => clearInterval(timer));
  return sendEventStream(reply, output);
}

/** The answer to HEAD. */
export const sendEmptyEventStream = (reply: FastifyReply): FastifyReply =>
  sendEventStream(reply, new PassThrough().end());

export interface EventStreamOptions {
  /** A client with more unread bytes is disconnected. */
  mostUnreadBytes: number;
  /** The stream ends after this time. */
  seconds: number;
}

/** Events for one client, until it leaves, the stream ends, or its time is over. */
export class EventStream {
  private readonly output = new PassThrough();
  private readonly last: NodeJS.Timeout;
  private rest: NodeJS.Timeout | undefined;

  constructor(private readonly options: EventStreamOptions) {
    this.last = setTimeout(() => this.end(), options.seconds * 1000).unref();
    this.output.write(RETRY);
  }

  get isOpen(): boolean {
    return this.output.writable;
  }

  write(text: string): void {
    const { output } = this;
    if (output.writableLength + output.readableLength > this.options.mostUnreadBytes) output.destroy();
    else if (output.writable) output.write(text);
  }

  end(): void {
    this.output.end();
    // A client that reads nothing never receives the end.
    this.rest ??= setTimeout(() => this.output.destroy(), LAST_MILLISECONDS).unref();
  }

  /** @param gone  aborted when the client has left @param onClose  called when the stream is over */
  send(reply: FastifyReply, gone: AbortSignal, onClose: () => void): FastifyReply {
    const { output } = this;
    output.once("close", () => {
      clearTimeout(this.last);
      clearTimeout(this.rest);
      onClose();
    });
    gone.addEventListener("abort", () => output.destroy(), { once: true });
    if (gone.aborted) output.destroy();
    return sendEventStream(reply, output);
  }
}

/** Sends comments to a client, and ends the stream when the key of its request was revoked. @returns a function that ends that */
export function keepWhileKeyIsValid(stream: EventStream, request: FastifyRequest, database: Database): () => void {
  const timer = setInterval(() => {
    if (!stream.isOpen) return;
    stream.write(KEEP_ALIVE);
    isKeyValid(database, request.keyId).then(
      (isValid) => (isValid ? undefined : stream.end()),
      (error: unknown) => request.log.warn({ err: error }, "the key of a stream of events could not be checked"),
    );
  }, KEEP_ALIVE_MILLISECONDS).unref();
  return () => clearInterval(timer);
}
