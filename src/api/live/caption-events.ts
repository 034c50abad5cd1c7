// GET of the captions of a session as they are made: server-sent events, from any process.
import type { FastifyRequest } from "fastify";
import { errorResponses } from "../../contract/errors.ts";
import { JobIdParams } from "../../contract/job.ts";
import { MOST_STREAM_SECONDS } from "../../contract/job-events.ts";
import { parseLiveParameters } from "../../contract/job-parameters.ts";
import { CaptionEventsQuery } from "../../contract/live-captions.ts";
import { EVENT_STREAM } from "../../contract/responses.ts";
import { errors } from "../../platform/errors.ts";
import { sharedFor } from "../../platform/process/shared-for.ts";
import type { Database } from "../../platform/storage/db/database.ts";
import { findJob } from "../../platform/storage/db/jobs/jobs.ts";
import { captionsAfter, lastCaptions } from "../../platform/storage/db/jobs/live-captions.ts";
import { areOver } from "../../service/live/sources/caption-playlist.ts";
import { hasViewers } from "../../service/live/viewers/session-viewers.ts";
import type { FedMessage } from "../../service/live/viewers/viewer-feeds.ts";
import { clientGone } from "../client-gone.ts";
import type { Api, ApiContext } from "../context.ts";
import { EventStream, keepWhileKeyIsValid, sendEmptyEventStream } from "../event-stream.ts";
import { findOwnJob } from "../find-own-job.ts";
import { prepareQuery } from "../validation/prepare.ts";

/** Number of streams of one session in this process. */
const MOST_STREAMS = 200;
/** A client with more unread events is disconnected; it continues with the last one that it has. */
const MOST_UNREAD_BYTES = 1_048_576;
/** Interval at which the database is read for events that the owner of the session did not send to this process. */
const LOOK_MILLISECONDS = 1_000;

const printed = (type: string, message: string, number?: number) =>
  `${number === undefined ? "" : `id: ${number}\n`}event: ${type}\ndata: ${message}\n\n`;

/** What the database has of a session. */
interface StoredState {
  status: string;
  isOver: boolean;
  /** Number of the last event. */
  last: number;
}

/** Reads the states of sessions, each once for all of its viewers in this process. */
class StoredStates {
  private readonly readings = new Map<string, () => Promise<StoredState>>();

  constructor(private readonly database: Database) {}

  of(id: string): Promise<StoredState> {
    const known = this.readings.get(id) ?? sharedFor(LOOK_MILLISECONDS / 2, () => this.read(id));
    this.readings.set(id, known);
    return known();
  }

  /** The session has no viewers any more. */
  forget(id: string): void {
    this.readings.delete(id);
  }

  private async read(id: string): Promise<StoredState> {
    const { database } = this;
    // The state is read first: no event follows the end.
    const row = await findJob(database, id);
    const isOver = await areOver(database, row);
    const last = (await lastCaptions(database, id, 1))[0]?.number ?? 0;
    return { status: row?.status ?? "deleted", isOver, last };
  }
}

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
  /** Number of the last event that the owner of the session sent. */
  private announced = 0;

  constructor(
    private readonly database: Database,
    private readonly states: StoredStates,
    private readonly id: string,
    private last: number,
    private readonly stream: EventStream,
  ) {}

  /** An event from the owner of the session; those before it may be missing. */
  take({ number, type, message }: FedMessage): void {
    if (number === undefined) {
      this.stream.write(printed(type, message));
      return;
    }
    this.announced = number;
    if (number === this.last + 1 && !this.looking) this.give(number, type, message);
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
    const { database, stream, id } = this;
    const { status, isOver, last } = await this.states.of(id);
    while (this.last < Math.max(last, this.announced) && stream.isOpen) {
      const found = await captionsAfter(database, id, this.last);
      if (found.length === 0) break;
      for (const { number, message } of found) {
        if (number > this.last) this.give(number, (JSON.parse(message) as { type: string }).type, message);
      }
    }
    if (!isOver) return;
    stream.write(`event: end\ndata: ${JSON.stringify({ status })}\n\n`);
    stream.end();
  }

  private give(number: number, type: string, message: string): void {
    this.last = number;
    this.stream.write(printed(type, message, number));
  }
}

export function addCaptionEvents(app: Api, context: Pick<ApiContext, "database" | "viewerFeeds">): void {
  const { database, viewerFeeds } = context;
  const states = new StoredStates(database);
  app.get(
    "/v2/live/:id/events",
    {
      schema: {
        tags: ["Live"],
        summary: "Captions of a live session, as server-sent events",
        description:
          "An extension of the interface, for sessions with captions: true or a source. The messages of the session: transcript, translation, speaker_revision, error and others, each with its number as the id. A client that connects again with the id of its last event (the header Last-Event-ID, as browsers send it) continues after it. Partials have no id. The event end is the last one.",
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
      if (request.method === "HEAD") return sendEmptyEventStream(reply) as never;
      const gone = clientGone(reply);
      const place = await placeOf(request, database, id);
      // Nothing is awaited between the count and the viewer that it counts next.
      if (viewerFeeds.countOf(id) >= MOST_STREAMS) throw errors.tooManyViewers(MOST_STREAMS);
      const { seconds = MOST_STREAM_SECONDS } = request.query;
      const stream = new EventStream({ mostUnreadBytes: MOST_UNREAD_BYTES, seconds });
      const captions = new CaptionStream(database, states, id, place, stream);
      const unwatch = viewerFeeds.watch(id, (fed) => captions.take(fed));
      const look = () => {
        if (!stream.isOpen) return;
        captions.look().catch((error: unknown) => request.log.warn({ err: error }, "captions could not be read"));
      };
      const looking = setInterval(look, LOOK_MILLISECONDS).unref();
      look();
      const leave = keepWhileKeyIsValid(stream, request, database);
      return stream.send(reply, gone, () => {
        unwatch();
        leave();
        clearInterval(looking);
        if (viewerFeeds.countOf(id) === 0) states.forget(id);
      }) as never;
    },
  );
}
