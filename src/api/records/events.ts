// GET of an account's changes as they happen: server-sent events.
import { PassThrough } from "node:stream";
import { errorResponses } from "../../contract/errors.ts";
import { EventsQuery, type JobEvent, MOST_STREAM_SECONDS } from "../../contract/job-events.ts";
import { EVENT_STREAM } from "../../contract/responses.ts";
import { isKeyValid } from "../../platform/storage/db/accounts/accounts.ts";
import { clientGone } from "../client-gone.ts";
import type { Api, ApiContext } from "../context.ts";
import { sendEventStream } from "../event-stream.ts";
import { prepareQuery } from "../validation/prepare.ts";

/** A comment, because proxies close a connection without data. */
const KEEP_ALIVE = ": waiting\n\n";
const KEEP_ALIVE_MILLISECONDS = 10_000;
/** Time after which a browser connects again. */
const RETRY = "retry: 2000\n\n";
/** A client with more unread events is disconnected. It reads everything again after the next connection. */
const MOST_UNREAD_BYTES = 262_144;

/** Longest time in which a client reads what is left at the end of its stream. */
const LAST_MILLISECONDS = 5_000;

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
      const output = new PassThrough();
      if (request.method === "HEAD") return sendEventStream(reply, output.end()) as never;
      const gone = clientGone(reply);
      let rest: NodeJS.Timeout | undefined;
      const end = () => {
        output.end();
        // A client that reads nothing never receives the end.
        rest ??= setTimeout(() => output.destroy(), LAST_MILLISECONDS).unref();
      };
      output.write(RETRY);
      const close = await jobChanges.open(request.account.id, {
        send: (event) => {
          if (output.writableLength + output.readableLength > MOST_UNREAD_BYTES) output.destroy();
          else if (output.writable) output.write(printed(event));
        },
        end,
      });
      const keepAlive = setInterval(() => {
        if (!output.writable) return;
        output.write(KEEP_ALIVE);
        // The key may have been revoked.
        isKeyValid(database, request.keyId).then(
          (isValid) => (isValid ? undefined : end()),
          (error: unknown) => request.log.warn({ err: error }, "the key of a stream of events could not be checked"),
        );
      }, KEEP_ALIVE_MILLISECONDS);
      const last = setTimeout(end, (request.query.seconds ?? MOST_STREAM_SECONDS) * 1000);
      const over = () => {
        close();
        clearInterval(keepAlive);
        clearTimeout(last);
        clearTimeout(rest);
      };
      output.once("close", over);
      gone.addEventListener("abort", () => output.destroy(), { once: true });
      if (gone.aborted) output.destroy();
      return sendEventStream(reply, output) as never;
    },
  );
}
