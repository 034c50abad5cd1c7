// GET of the captions of a session as they are made: server-sent events, from any process.
import { PassThrough } from "node:stream";
import type { FastifyRequest } from "fastify";
import { errorResponses } from "../../contract/errors.ts";
import { JobIdParams } from "../../contract/job.ts";
import { MOST_STREAM_SECONDS } from "../../contract/job-events.ts";
import { parseLiveParameters } from "../../contract/job-parameters.ts";
import { CaptionEventsQuery } from "../../contract/live-captions.ts";
import { EVENT_STREAM } from "../../contract/responses.ts";
import { errors } from "../../platform/errors.ts";
import type { Database } from "../../platform/storage/db/database.ts";
import { findJob } from "../../platform/storage/db/jobs/jobs.ts";
import { type CaptionMessage, captionsAfter, lastCaptions } from "../../platform/storage/db/jobs/live-captions.ts";
import { areOver } from "../../service/live/sources/caption-playlist.ts";
import { hasViewers } from "../../service/live/viewers/session-viewers.ts";
import { clientGone } from "../client-gone.ts";
import type { Api, ApiContext } from "../context.ts";
import { sendEventStream } from "../event-stream.ts";
import { findOwnJob } from "../find-own-job.ts";
import { prepareQuery } from "../validation/prepare.ts";

/** Number of streams of one session in this process. */
const MOST_STREAMS = 200;
/** A client with more unread events is disconnected; it continues with the last one that it has. */
const MOST_UNREAD_BYTES = 1_048_576;
/** Interval at which the database is read for events that other processes store. */
const LOOK_MILLISECONDS = 1_000;
const KEEP_ALIVE_LOOKS = 10;
const KEEP_ALIVE = ": waiting\n\n";
const RETRY = "retry: 2000\n\n";
/** Time that a client has to read the rest of a stream that ends. */
const LAST_MILLISECONDS = 5_000;

const typeOf = (message: string) => (JSON.parse(message) as { type: string }).type;
const printed = (message: string, number?: number) =>
  `${number === undefined ? "" : `id: ${number}\n`}event: ${typeOf(message)}\ndata: ${message}\n\n`;

/** Number of the event after which the stream begins. */
async function placeOf(request: FastifyRequest, database: Database, id: string): Promise<number> {
  const header = Number(request.headers["last-event-id"]);
  if (request.headers["last-event-id"] !== undefined && Number.isSafeInteger(header) && header >= 0)
    return Math.min(header, 2 ** 31 - 1);
  const { after } = request.query as CaptionEventsQuery;
  return after ?? (await lastCaptions(database, id, 1))[0]?.number ?? 0;
}

/** Sends the events of one session in their order, each once. */
class CaptionStream {
  private looking: Promise<void> | undefined;
  private looks = 0;
  isOver = false;

  constructor(
    private readonly database: Database,
    private readonly id: string,
    private last: number,
    private readonly output: PassThrough,
  ) {}

  /** An event of this process; those before it may be missing. */
  take(number: number | undefined, message: string): void {
    if (number === undefined) this.write(printed(message));
    else if (number === this.last + 1 && !this.looking) this.give({ number, message });
    else void this.look().catch(() => undefined);
  }

  /** Sends what the database has. Ends the stream after the last event of an ended session. */
  look(): Promise<void> {
    this.looking ??= this.lookNow().finally(() => {
      this.looking = undefined;
    });
    return this.looking;
  }

  private async lookNow(): Promise<void> {
    if (++this.looks % KEEP_ALIVE_LOOKS === 0) this.write(KEEP_ALIVE);
    // The state is read first: no event follows the end.
    const row = await findJob(this.database, this.id);
    const isEnd = await areOver(this.database, row);
    for (;;) {
      const found = await captionsAfter(this.database, this.id, this.last);
      for (const one of found) if (one.number > this.last) this.give(one);
      if (found.length === 0 || !this.output.writable) break;
    }
    if (!isEnd) return;
    this.write(`event: end\ndata: ${JSON.stringify({ status: row?.status ?? "deleted" })}\n\n`);
    this.isOver = true;
  }

  private give({ number, message }: CaptionMessage): void {
    this.last = number;
    this.write(printed(message, number));
  }

  private write(text: string): void {
    if (this.output.writableLength + this.output.readableLength > MOST_UNREAD_BYTES) this.output.destroy();
    else if (this.output.writable && !this.isOver) this.output.write(text);
  }
}

export function addCaptionEvents(app: Api, context: Pick<ApiContext, "database" | "viewerFeeds">): void {
  const { database, viewerFeeds } = context;
  app.get(
    "/v2/live/:id/events",
    {
      schema: {
        tags: ["Live"],
        summary: "Captions of a live session, as server-sent events",
        description:
          "An extension of the interface, for sessions with captions: true or a source. The messages of the session: transcript, translation, speaker_revision, error and others, each with its number as the id. A client that connects again with the id of its last event (the header Last-Event-ID, as browsers send it) continues after it. Partials have no id, and are sent by the process that runs the session. The event end is the last one.",
        operationId: "getLiveEvents",
        params: JobIdParams,
        querystring: CaptionEventsQuery,
        response: {
          200: { description: "Server-sent events", content: EVENT_STREAM },
          ...errorResponses(400, 401, 404, 409, 429),
        },
      },
      config: { takesSessionToken: true },
      preValidation: async (request) => {
        request.query = prepareQuery(CaptionEventsQuery, request.query) as typeof request.query;
      },
    },
    async (request, reply) => {
      const { id, request_params } = await findOwnJob(request, context, "live");
      if (!hasViewers(parseLiveParameters(request_params))) throw errors.liveWithoutViewers();
      const output = new PassThrough();
      if (request.method === "HEAD") return sendEventStream(reply, output.end()) as never;
      const gone = clientGone(reply);
      const stream = new CaptionStream(database, id, await placeOf(request, database, id), output);
      // Nothing is awaited between the count and the viewer that it counts next.
      if (viewerFeeds.countOf(id) >= MOST_STREAMS) throw errors.tooManyViewers(MOST_STREAMS);
      const unwatch = viewerFeeds.watch(id, ({ number, message }) => stream.take(number, message));
      let rest: NodeJS.Timeout | undefined;
      const end = () => {
        clearInterval(looking);
        output.end();
        // A client that reads nothing never receives the end.
        rest ??= setTimeout(() => output.destroy(), LAST_MILLISECONDS).unref();
      };
      const look = () =>
        stream.look().then(
          () => stream.isOver && end(),
          (error: unknown) => request.log.warn({ err: error }, "captions could not be read"),
        );
      const looking = setInterval(() => void look(), LOOK_MILLISECONDS).unref();
      const last = setTimeout(end, (request.query.seconds ?? MOST_STREAM_SECONDS) * 1000).unref();
      output.write(RETRY);
      output.once("close", () => {
        unwatch();
        clearInterval(looking);
        clearTimeout(last);
        clearTimeout(rest);
      });
      gone.addEventListener("abort", () => output.destroy(), { once: true });
      if (gone.aborted) output.destroy();
      void look();
      return sendEventStream(reply, output) as never;
    },
  );
}
