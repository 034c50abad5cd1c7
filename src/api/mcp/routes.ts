// /mcp: the Model Context Protocol over streamable HTTP. The service keeps no sessions of the protocol, so that any of its processes can answer a
// request.
import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import type { FastifyReply, FastifyRequest } from "fastify";
import { type ErrorAnswer, errorResponses } from "../../contract/errors.ts";
import { McpAnswer, McpProblem, McpRequest } from "../../contract/mcp.ts";
import { EVENT_STREAM, noContent } from "../../contract/responses.ts";
import { keyHeaderNames } from "../../platform/config/key-headers.ts";
import { errors } from "../../platform/errors.ts";
import { AccountPlaces } from "../../platform/process/fairness/account-places.ts";
import { sleep } from "../../platform/process/sleep.ts";
import { isUuid } from "../../platform/storage/db/ids.ts";
import { findJobWithFile } from "../../platform/storage/db/jobs/job-files.ts";
import { clientGone } from "../client-gone.ts";
import type { Api, ApiContext } from "../context.ts";
import { readPage } from "../transcripts/written.ts";
import type { ServiceCalls } from "./service-calls.ts";

const PATH = "/mcp";
/** Headers about the client, its own and those of proxies. Other headers belong to the request of the protocol. */
const PASSED_ON = /^(?:authorization|cookie|host|origin|referer|forwarded|x-.+|sec-fetch-.+|traceparent|tracestate)$/;
const FIRST_FAILURE = 400;
const TOO_MANY_REQUESTS = 429;
/** One call of a tool makes several calls of the interface, which the limit of requests may delay. */
const MOST_TRIES = 5;
const LONGEST_RETRY_SECONDS = 5;
/** Calls of one account that are answered at once. Each may wait an hour for a transcription. */
const MOST_OF_ACCOUNT = 32;

type McpContext = Pick<ApiContext, "database" | "results" | "settings" | "transcriptProcess" | "voices">;

/** Calls of the service's own interface with the key of the request, so that its limits, log and audit apply. */
function ownCalls(
  app: Api,
  request: FastifyRequest,
  context: McpContext,
  keyHeaders: ReadonlySet<string>,
): ServiceCalls {
  const headers = Object.fromEntries(
    Object.entries(request.headers).filter(([name]) => PASSED_ON.test(name) || keyHeaders.has(name)),
  );
  return {
    page: async (id, page, signal) => {
      const row = isUuid(id) ? await findJobWithFile(context.database, id) : undefined;
      if (row?.account_id !== request.account.id) throw errors.notFound("Job");
      return readPage({ tenant: request.account.id, signal }, context, row, page);
    },
    async call(method, url, { body, signal } = {}) {
      for (let tries = 1; ; tries++) {
        const answer = await app.inject({
          method,
          url,
          headers,
          remoteAddress: request.socket.remoteAddress ?? request.ip,
          ...(body === undefined ? {} : { payload: body }),
          ...(signal ? { signal } : {}),
        });
        if (answer.statusCode < FIRST_FAILURE) return answer.rawPayload;
        const retrySeconds = Number(answer.headers["retry-after"]);
        if (answer.statusCode === TOO_MANY_REQUESTS && retrySeconds <= LONGEST_RETRY_SECONDS && tries < MOST_TRIES) {
          await sleep(retrySeconds * 1000, signal);
          continue;
        }
        const { message, validation_errors: fields = [] } = answer.json<ErrorAnswer>();
        throw errors.serviceRefused(fields.length > 0 ? fields.join("; ") : message, answer.statusCode);
      }
    },
  };
}

/** Clients that accept anything accept both forms of an answer; the library requires their names. */
const BOTH_FORMS = "application/json, text/event-stream";

function headersOf({ headers }: FastifyRequest): Headers {
  const single = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    typeof value === "string" ? [[name, value]] : [],
  );
  const sent = new Headers(single);
  if (/^(?:\*\/\*)?$/.test(headers.accept ?? "")) sent.set("accept", BOTH_FORMS);
  return sent;
}

export function addMcp(app: Api, context: McpContext, version: string): void {
  const { settings } = context;
  const places = new AccountPlaces(MOST_OF_ACCOUNT, errors.tooManyCalls);
  const keyHeaders = new Set(keyHeaderNames(settings).map((name) => name.toLowerCase()));
  const closing = new AbortController();
  app.addHook("preClose", async () => closing.abort());
  const handle = async (request: FastifyRequest, reply: FastifyReply) => {
    reply.raw.once("close", places.take(request.account.id));
    // The library takes a quarter of a second to load, and most services are not used by assistants.
    const [{ createMcpHandler }, { createMcpServer }] = await Promise.all([
      import("@modelcontextprotocol/server"),
      import("./mcp-server.ts"),
    ]);
    const handler = createMcpHandler(() => createMcpServer(ownCalls(app, request, context, keyHeaders), version), {
      // Nothing here changes while a client listens.
      maxSubscriptions: 0,
      onerror: (error) => request.log.debug({ err: error }, "a message of the Model Context Protocol was refused"),
    });
    const { method } = request;
    const sent = new Request(`http://localhost${PATH}`, {
      method,
      headers: headersOf(request),
      signal: AbortSignal.any([clientGone(reply), closing.signal]),
    });
    const answer = await handler.fetch(sent, request.body === undefined ? {} : { parsedBody: request.body });
    reply.status(answer.status);
    for (const [name, value] of answer.headers) reply.header(name, value);
    reply.header("cache-control", "no-store").header("x-accel-buffering", "no");
    return reply.send(answer.body ? Readable.fromWeb(answer.body as ReadableStream) : "");
  };
  app.post(
    PATH,
    {
      config: { acceptsUnknownFields: true },
      schema: {
        tags: ["Assistants"],
        operationId: "mcp",
        summary: "Model Context Protocol",
        description:
          "An extension of the interface, for assistants. Streamable HTTP without sessions. Tools: transcribe, read_transcript, search_transcripts, list_transcripts, ask_transcript, read_live_captions; resources: parlance://transcripts/ID.",
        body: McpRequest,
        response: {
          200: {
            description: "A message of JSON-RPC, or a stream of them",
            content: { "application/json": { schema: McpAnswer }, ...EVENT_STREAM },
          },
          202: noContent("The message needs no answer"),
          ...errorResponses(401, 406, 413, 415),
          400: {
            description: "Not a message of the protocol",
            content: { "application/json": { schema: McpProblem } },
          },
        },
      },
    },
    handle as never,
  );
  // GET opens the stream of a session, and DELETE ends a session. Without sessions, the library answers 405, which clients expect.
  app.route({ method: ["GET", "DELETE"], url: PATH, schema: { hide: true }, handler: handle });
}
