// /mcp: the Model Context Protocol over streamable HTTP. Each request is served by itself, so that any process of a service can answer it.
import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import type { FastifyReply, FastifyRequest } from "fastify";
import { errorResponses } from "../../contract/errors.ts";
import { McpAnswer, McpRequest } from "../../contract/mcp.ts";
import { EVENT_STREAM, noContent } from "../../contract/responses.ts";
import { errors } from "../../platform/errors.ts";
import { clientGone } from "../client-gone.ts";
import type { Api } from "../context.ts";
import type { ServiceCalls } from "./service-calls.ts";

const PATH = "/mcp";
/** They belong to the request of the protocol, not to the calls that its tools make. */
const OWN_HEADERS = new Set([
  "accept",
  "accept-encoding",
  "connection",
  "content-length",
  "content-type",
  "expect",
  "te",
  "transfer-encoding",
  "upgrade",
]);
const FIRST_FAILURE = 400;

/** Calls of the service's own interface with the key of the request, so that its limits, log and audit apply. */
function ownCalls(app: Api, request: FastifyRequest): ServiceCalls {
  const headers = Object.fromEntries(
    Object.entries(request.headers).filter(([name]) => !OWN_HEADERS.has(name) && !name.startsWith("mcp-")),
  );
  return {
    async call(method, url, { body, signal } = {}) {
      const answer = await app.inject({
        method,
        url,
        headers,
        remoteAddress: request.socket.remoteAddress ?? request.ip,
        ...(body === undefined ? {} : { payload: body }),
        ...(signal ? { signal } : {}),
      });
      if (answer.statusCode < FIRST_FAILURE) return answer.rawPayload;
      const { message, validation_errors: fields } = answer.json<{ message: string; validation_errors?: string[] }>();
      throw errors.serviceRefused(fields?.join("; ") ?? message, answer.statusCode);
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

export function addMcp(app: Api, version: string): void {
  const handle = async (request: FastifyRequest, reply: FastifyReply) => {
    // The library takes a quarter of a second to load, and most services are not used by assistants.
    const [{ createMcpHandler }, { createMcpServer }] = await Promise.all([
      import("@modelcontextprotocol/server"),
      import("./mcp-server.ts"),
    ]);
    const handler = createMcpHandler(() => createMcpServer(ownCalls(app, request), version), {
      onerror: (error) => request.log.debug({ err: error }, "a message of the Model Context Protocol was refused"),
    });
    const { method } = request;
    const sent = new Request(`http://localhost${PATH}`, {
      method,
      headers: headersOf(request),
      signal: clientGone(reply),
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
          "An extension of the interface, for assistants. Streamable HTTP without sessions. Tools: transcribe, read_transcript, search_transcripts, list_transcripts, ask_transcript; resources: parlance://transcripts/ID.",
        body: McpRequest,
        response: {
          200: {
            description: "A message of JSON-RPC, or a stream of them",
            content: { "application/json": { schema: McpAnswer }, ...EVENT_STREAM },
          },
          202: noContent("The message needs no answer"),
          ...errorResponses(400, 401, 406, 413, 415),
        },
      },
    },
    handle as never,
  );
  // There are no sessions whose stream could be opened or that could be ended: the library answers 405, which clients expect.
  app.route({ method: ["GET", "DELETE"], url: PATH, schema: { hide: true }, handler: handle });
}
