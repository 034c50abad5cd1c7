// WebSockets of live sessions: accepts upgrades and finds the session of each. Only this file and live-socket.ts import
// the ws library.
import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { Logger } from "pino";
import { type WebSocket, WebSocketServer } from "ws";
import { splitTarget } from "../../addresses/web-url.ts";
import { errors } from "../../errors.ts";
import type { AcceptedSockets } from "../../net/accepted-sockets.ts";
import type { Upgrades } from "../../net/http-server.ts";
import { answerAndDestroy } from "../../net/raw-answer.ts";
import { within } from "../../process/within.ts";
import { beginningOf, storableText } from "../../text/storable.ts";
import type { LiveRegistry } from "../session/registry.ts";
import type { Session } from "../session/session.ts";
import { CLOSE, REVOKED } from "../session/session-contract.ts";
import { DONE_MILLISECONDS, LiveSocket } from "./live-socket.ts";
import { parseBinaryFrame, parseTextFrame } from "./protocol.ts";

/** One known client resends its whole backlog in one frame. */
const MOST_FRAME_BYTES = 32 * 1024 * 1024;
/** Chunks that a frame may arrive in: the largest frame in packets of 512 bytes. */
const MOST_FRAME_CHUNKS = MOST_FRAME_BYTES / 512;
/** Fragments of a message; each takes memory in addition to its bytes. */
const MOST_FRAGMENTS = 4_096;
/** At shutdown, connections that are still open after this time are destroyed. */
const STOP_MILLISECONDS = 2_000;
/** Connections whose session is being looked up. */
const MOST_OPENING = 1_000;
/** A client that reads nothing for this long is disconnected; its messages are kept until it reconnects. */
const UNREAD_MILLISECONDS = 30_000;
/** If a session is not found within this time, the client is disconnected and may retry. */
const OPEN_MILLISECONDS = 30_000;
const LIVE_PATH = /^\/v2\/live\/?$/;

const SERVER_OPTIONS = {
  noServer: true,
  maxPayload: MOST_FRAME_BYTES,
  maxBufferedChunks: MOST_FRAME_CHUNKS,
  maxFragments: MOST_FRAGMENTS,
  closeTimeout: DONE_MILLISECONDS,
};

export class LiveConnections implements Upgrades {
  private readonly server = new WebSocketServer(SERVER_OPTIONS);
  private readonly open = new Set<LiveSocket>();
  private connections = 0;
  private opening = 0;
  private isStopping = false;

  constructor(
    private readonly registry: LiveRegistry,
    private readonly sockets: AcceptedSockets,
    /** Path and query of a request, without the prefix of a reverse proxy. */
    private readonly targetOf: (request: IncomingMessage) => string | undefined,
    private readonly logger: Logger,
  ) {
    this.server.on("wsClientError", (error, stream) => {
      answerAndDestroy(stream as Socket, errors.upgradeRefused(error.message));
    });
  }

  /** Accepts only WebSockets of live sessions; other upgrades are ignored. */
  accepts(request: IncomingMessage): boolean {
    const isWebSocket = request.headers.upgrade?.trim().toLowerCase() === "websocket";
    if (this.isStopping || !isWebSocket || request.httpVersionMinor === 0) return false;
    return LIVE_PATH.test(splitTarget(this.targetOf(request) ?? "").path);
  }

  take(request: IncomingMessage, stream: Socket, head: Buffer): void {
    // Taken before the client receives the answer: any later connection has a later time, whichever node accepts it.
    const at = Date.now();
    if (this.opening >= MOST_OPENING) {
      answerAndDestroy(stream, errors.upgradeRefused("too many connections are being opened; try again", 503));
      return;
    }
    const { query } = splitTarget(this.targetOf(request) ?? "");
    this.server.handleUpgrade(request, stream, head, (socket) => this.begin(socket, stream, query, at));
  }

  /** Refuses new connections. */
  stopAccepting(): void {
    this.isStopping = true;
  }

  /** Closes the remaining connections; resolves when all are closed. */
  async stop(): Promise<void> {
    this.stopAccepting();
    for (const live of this.open) live.close(CLOSE.restart, "the service restarts; reconnect to resume");
    const gone = [...this.open].map((live) => new Promise<void>((resolve) => live.whenClosed(resolve)));
    await within(STOP_MILLISECONDS, Promise.all(gone)).catch(() => undefined);
    for (const live of this.open) live.terminate();
  }

  private begin(socket: WebSocket, stream: Socket, query: URLSearchParams, at: number): void {
    const token = query.get("token") ?? "";
    const live = new LiveSocket(++this.connections, socket, stream);
    this.open.add(live);
    live.whenClosed(() => this.open.delete(live));
    this.sockets.upgrade(stream, UNREAD_MILLISECONDS, () =>
      live.close(CLOSE.unread, "messages are not read; reconnect to resume"),
    );
    this.opening++;
    within(OPEN_MILLISECONDS, this.registry.byToken(token, at))
      .finally(() => this.opening--)
      .then((outcome) => this.assign(live, outcome, unknownParameters(query)))
      .catch((error: unknown) => {
        this.logger.error({ err: error }, "a live connection could not be opened");
        live.close(CLOSE.internal, "internal fault; reconnect to resume");
      });
  }

  /** A bad token is reported by a close code, not by a refused upgrade: clients do not reconnect after 44xx. */
  private assign(
    live: LiveSocket,
    outcome: Awaited<ReturnType<LiveRegistry["byToken"]>>,
    unknown: readonly string[],
  ): void | Promise<void> {
    if (this.isStopping) return live.close(CLOSE.restart, "the service restarts; reconnect to resume");
    switch (outcome.kind) {
      case "session":
        return serve(live, outcome.session, unknown);
      case "elsewhere":
        return live.close(CLOSE.restart, "another machine owns this session; reconnect to resume");
      case "unknown":
        return live.close(CLOSE.badToken, "invalid token");
      case "revoked":
        return live.close(...REVOKED);
      case "expired":
        return live.close(CLOSE.idle, "the session was never used and has expired");
      case "over-limit":
        return live.close(CLOSE.overLimit, "too many live sessions of this account");
      case "ended":
        return live.close(CLOSE.ended, "session ended");
    }
  }
}

const MOST_SHOWN_PARAMETERS = 10;
const SHOWN_CHARACTERS = 50;

/** Query parameters other than the token, which have to be set when the session is created. */
function unknownParameters(query: URLSearchParams): string[] {
  const names = [...new Set(query.keys())].filter((name) => name !== "token");
  return names.slice(0, MOST_SHOWN_PARAMETERS).map((name) => storableText(beginningOf(name, SHOWN_CHARACTERS)));
}

async function serve(live: LiveSocket, session: Session, unknown: readonly string[]): Promise<void> {
  await session.attach(live);
  if (unknown.length > 0) {
    const reason = `parameters of the WebSocket address are ignored: ${unknown.join(", ")}; POST /v2/live takes them`;
    session.receive(live, { kind: "unreadable", reason, isChunk: false });
  }
  live.open(
    (bytes, isBinary) => session.receive(live, isBinary ? parseBinaryFrame(bytes) : parseTextFrame(bytes)),
    (code) => session.detach(live, code),
  );
}
