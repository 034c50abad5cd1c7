// The AsyncAPI document of the live WebSocket, made from the messages' own schemas.
import type { TSchema } from "typebox";
import { CLOSE, CLOSE_MEANINGS } from "../../contract/close-codes.ts";
import { CLIENT_MESSAGES, SERVER_MESSAGES } from "../../contract/live-messages.ts";
import { parseUrl } from "../../platform/addresses/web-url.ts";
import { errors } from "../../platform/errors.ts";
import { type Api, type ApiContext, publicBase } from "../context.ts";

const entries = (prefix: string, messages: Record<string, TSchema & { description?: string }>) =>
  Object.entries(messages).map(([type, payload]) => [
    `${prefix}_${type}`,
    { name: type, title: type, summary: payload.description, contentType: "application/json", payload },
  ]);

const CLOSE_CODES = Object.entries(CLOSE)
  .map(([name, code]) => `${code} ${CLOSE_MEANINGS[name as keyof typeof CLOSE]}`)
  .join("; ");

function document({ protocol, host, pathname }: URL, version: string) {
  const sent = entries("client", CLIENT_MESSAGES);
  const received = entries("server", SERVER_MESSAGES);
  const audio = [
    "client_audio",
    {
      name: "audio",
      title: "audio",
      summary: "A binary frame: audio in the session's encoding, split anywhere",
      contentType: "application/octet-stream",
      payload: { type: "string", format: "binary" },
    },
  ] as const;
  const messages = Object.fromEntries([...sent, audio, ...received]);
  const references = (prefix: string) =>
    Object.keys(messages)
      .filter((name) => name.startsWith(prefix))
      .map((name) => ({ $ref: `#/channels/live/messages/${name}` }));
  return {
    asyncapi: "3.0.0",
    info: {
      title: "Parlance live",
      version,
      description: "Live transcription: create a session with POST /v2/live and connect to the address it answers.",
      license: { name: "MIT" },
    },
    defaultContentType: "application/json",
    servers: {
      service: {
        host,
        protocol: protocol === "https:" ? "wss" : "ws",
        ...(pathname === "/" ? {} : { pathname }),
      },
    },
    channels: {
      live: {
        address: "/v2/live",
        title: "One live session",
        description: `The same address is good for reconnects until the session has ended. What a lost connection may have swallowed is sent again on the next one: a final may come twice, with the same id. Close codes: ${CLOSE_CODES}.`,
        servers: [{ $ref: "#/servers/service" }],
        bindings: {
          ws: {
            method: "GET",
            query: {
              type: "object",
              properties: {
                token: { type: "string", description: "From the session's url" },
                replay: {
                  type: "boolean",
                  default: false,
                  description:
                    "An extension: true sends every message of the session again that is kept, from the first one on, for a client that has lost them, such as a reloaded page",
                },
              },
              required: ["token"],
            },
          },
        },
        messages,
      },
    },
    operations: {
      send: {
        action: "receive",
        summary: "What clients send",
        channel: { $ref: "#/channels/live" },
        messages: references("client_"),
      },
      receive: {
        action: "send",
        summary: "Messages of the service",
        channel: { $ref: "#/channels/live" },
        messages: references("server_"),
      },
    },
  };
}

export function addAsyncApi(app: Api, context: Pick<ApiContext, "forwarding" | "settings">, version: string): void {
  if (!context.settings.docs) return;
  app.get("/asyncapi.json", { config: { isOpen: true }, schema: { hide: true } }, async (request) => {
    // The request's own Host header may be in it.
    const base = parseUrl(publicBase(request, context));
    if (!base) throw errors.requestUnreadable();
    return document(base, version);
  });
}
