// GET of an account's changes as they happen: server-sent events.
import { errorResponses } from "../../contract/errors.ts";
import { EventsQuery, type JobEvent, MOST_STREAM_SECONDS } from "../../contract/job-events.ts";
import { EVENT_STREAM } from "../../contract/responses.ts";
import { clientGone } from "../client-gone.ts";
import type { Api, ApiContext } from "../context.ts";
import { EventStream, keepWhileKeyIsValid, sendEmptyEventStream } from "../event-stream.ts";
import { prepareQuery } from "../validation/prepare.ts";

/** A client with more unread events is disconnected. It reads everything again after the next connection. */
const MOST_UNREAD_BYTES = 262_144;

const printed = ({ type, data }: JobEvent) => `event: ${type}\ndata: ${JSON.stringify(data)}\n\n`;

export function addEvents(app: Api, { database, jobChanges }: Pick<ApiContext, "database" | "jobChanges">): void {
  app.get(
    "/v2/events",
    {
      schema: {
        tags: ["Transcripts"],
        summary: "Changes of jobs as they happen",
        description:
          "An extension of the interface. Server-sent events, for every change of the account's jobs, whichever process makes it: job (its state, its name, the version of its corrections), deleted (id), and reread: read again what you show, because changes may have been missed. Every stream begins with reread, so that a client that connects again continues without an id of the last event. Several changes of a job within a moment are one event. A comment is sent every 10 seconds.",
        querystring: EventsQuery,
        response: {
          200: { description: "Server-sent events", content: EVENT_STREAM },
          ...errorResponses(400, 401, 503),
        },
      },
      preValidation: async (request) => {
        request.query = prepareQuery(EventsQuery, request.query) as typeof request.query;
      },
    },
    async (request, reply) => {
      if (request.method === "HEAD") return sendEmptyEventStream(reply) as never;
      const gone = clientGone(reply);
      const { seconds = MOST_STREAM_SECONDS } = request.query;
      const stream = new EventStream({ mostUnreadBytes: MOST_UNREAD_BYTES, seconds });
      const end = () => stream.end();
      const close = await jobChanges.open(request.account.id, { send: (event) => stream.write(printed(event)), end });
      const leave = keepWhileKeyIsValid(stream, request, database);
      return stream.send(reply, gone, () => {
        close();
        leave();
      }) as never;
    },
  );
}
