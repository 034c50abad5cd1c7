// Creates every HTTP server. Each has limits on its request heads, answers malformed requests, and leaves its sockets
// to accepted-sockets.ts; of upgrades it accepts only those that its owner selects.
import http, { IncomingMessage, type RequestListener, type Server } from "node:http";
import type { Socket } from "node:net";
import { originForm } from "../addresses/web-url.ts";
import { errors, type ParlanceError } from "../errors.ts";
import type { AcceptedSockets } from "./accepted-sockets.ts";
import { answer, answerAndDestroy } from "./raw-answer.ts";
import { inTurn } from "./request-turns.ts";

export interface Upgrades {
  /** Called for a request whose head has come. Must not throw. */
  accepts(request: IncomingMessage): boolean;
  /** Takes the connection over. @param head  first bytes behind the request */
  take(request: IncomingMessage, socket: Socket, head: Buffer): void;
}

/** From the connection, or the first byte of a further request, to the end of the head. */
const HEAD_MILLISECONDS = 30_000;
const HEAD_CHECK_MILLISECONDS = 5_000;
/** An idle connection is kept open longer than a reverse proxy keeps its own (nginx: 60 s), so that the proxy is the one to close. */
const KEEP_ALIVE_MILLISECONDS = 72_000;

const UNREADABLE: Record<string, () => ParlanceError> = {
  ERR_HTTP_REQUEST_TIMEOUT: () => errors.headTooSlow(HEAD_MILLISECONDS / 1000),
  HPE_HEADER_OVERFLOW: () => errors.headTooLarge(http.maxHeaderSize),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: () => errors.malformedBody("its chunk extensions are too long"),
};

/**
 * A request whose `upgrade` is set only where the owner takes the upgrade. RFC 9110, 7.8: a server may ignore Upgrade, and then
 * answers as if it were not there; Node refuses every protocol but the one that its listener takes (until 24, which has an option).
 */
function requestClass(upgrades: Upgrades | undefined): typeof IncomingMessage {
  return class Request extends IncomingMessage {
    /** No initialiser: the constructor of the class above assigns `upgrade` before this one's fields exist. */
    declare private parsedUpgrade: boolean | null;

    get upgrade(): boolean | null {
      return this.parsedUpgrade && this.method === "GET" && upgrades?.accepts(this) === true;
    }

    /** The parser found an Upgrade header. */
    set upgrade(value: boolean | null) {
      this.parsedUpgrade = value;
    }

    get isUpgradeIgnored(): boolean {
      return this.parsedUpgrade === true && !this.upgrade;
    }
  } as unknown as typeof IncomingMessage;
}

export interface ServerOptions {
  /** undefined: no upgrade is taken */
  upgrades?: Upgrades | undefined;
  /** @returns path and query that the handler receives; undefined for what is no path. By default, those of the request line. */
  targetOf?: (request: IncomingMessage) => string | undefined;
}

export function createHttpServer(
  handler: RequestListener,
  sockets: AcceptedSockets,
  { upgrades, targetOf = ({ url }) => originForm(url ?? "") }: ServerOptions = {},
): Server {
  const server = http.createServer(
    {
      IncomingMessage: requestClass(upgrades),
      headersTimeout: HEAD_MILLISECONDS,
      // Bodies have a least rate instead: an upload may last for hours.
      requestTimeout: 0,
      connectionsCheckingInterval: HEAD_CHECK_MILLISECONDS,
      keepAliveTimeout: KEEP_ALIVE_MILLISECONDS,
    },
    inTurn((request, response) => {
      const target = targetOf(request);
      if (target === undefined) {
        answer(response, errors.noRoute(request.method ?? "", request.url?.split("?")[0] ?? ""));
        return;
      }
      request.url = target;
      // The parser drops bytes behind an upgrade in the same packet: a pipelined request would never be answered.
      if ((request as { isUpgradeIgnored?: boolean }).isUpgradeIgnored) response.shouldKeepAlive = false;
      handler(request, response);
    }),
  );
  sockets.own(server);
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    answerAndDestroy(socket as Socket, (UNREADABLE[error.code ?? ""] ?? errors.requestUnreadable)());
  });
  if (upgrades) server.on("upgrade", (request, socket, head) => upgrades.take(request, socket as Socket, head));
  return server;
}
