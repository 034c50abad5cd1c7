// Upgrades connections to WebSockets. Only this file and live-socket.ts import the ws library.
import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { type WebSocket, WebSocketServer } from "ws";
import { errors } from "../../../platform/errors.ts";
import { answerAndDestroy } from "../../../platform/net/raw-answer.ts";
import { DONE_MILLISECONDS } from "./live-socket.ts";

/** One known client resends its whole backlog in one frame. */
const MOST_FRAME_BYTES = 32 * 1024 * 1024;
/** Chunks that a frame may arrive in: the largest frame in packets of 512 bytes. */
const CHUNK_BYTES = 512;
/** Of small frames: a client may send in smaller packets. */
const LEAST_CHUNKS = 4_096;
/** Fragments of a message; each takes memory in addition to its bytes. */
const MOST_FRAGMENTS = 4_096;

const UPGRADE_KEY = /^[+/0-9A-Za-z]{22}==$/;
const UPGRADE_VERSIONS = ["8", "13"];

/**
 * @property headers    of the answer
 * @property mostBytes  of a message; a longer one closes the connection with 1009
 */
export interface UpgradeOptions {
  headers?: Readonly<Record<string, string>>;
  mostBytes?: number | undefined;
}

/** No session is created for a request that the ws library would refuse. @throws live.upgrade_refused */
export function checkUpgrade({ headers }: IncomingMessage): void {
  if (!UPGRADE_KEY.test(headers["sec-websocket-key"] ?? "")) {
    throw errors.upgradeRefused("the header Sec-WebSocket-Key is not valid");
  }
  if (UPGRADE_VERSIONS.includes(headers["sec-websocket-version"] ?? "")) return;
  throw errors.upgradeRefused(`the header Sec-WebSocket-Version must be ${UPGRADE_VERSIONS.join(" or ")}`);
}

export class UpgradeServers {
  /** By the length of their longest message: the ws library refuses a longer one by its header, before its bytes are kept. */
  private readonly servers = new Map<number, WebSocketServer>();
  /** Of answers that upgrade a connection. */
  private readonly answerHeaders = new WeakMap<IncomingMessage, Readonly<Record<string, string>>>();

  constructor(
    private readonly subprotocolOf: (offered: ReadonlySet<string>, request: IncomingMessage) => string | false,
  ) {}

  /**
   * @returns false if the request cannot be upgraded
   */
  upgrade(
    request: IncomingMessage,
    stream: Socket,
    head: Buffer,
    onSocket: (socket: WebSocket) => void,
    { headers = {}, mostBytes = MOST_FRAME_BYTES }: UpgradeOptions,
  ): boolean {
    let isUpgraded = false;
    this.answerHeaders.set(request, headers);
    this.serverFor(mostBytes).handleUpgrade(request, stream, head, (socket) => {
      isUpgraded = true;
      onSocket(socket);
    });
    return isUpgraded;
  }

  private serverFor(mostBytes: number): WebSocketServer {
    const known = this.servers.get(mostBytes);
    if (known) return known;
    const options = {
      noServer: true,
      maxPayload: mostBytes,
      maxBufferedChunks: Math.max(LEAST_CHUNKS, mostBytes / CHUNK_BYTES),
      maxFragments: MOST_FRAGMENTS,
      closeTimeout: DONE_MILLISECONDS,
      handleProtocols: (offered: Set<string>, request: IncomingMessage) => this.subprotocolOf(offered, request),
    };
    const server = new WebSocketServer(options);
    server.on("headers", (lines, request) => {
      for (const [name, value] of Object.entries(this.answerHeaders.get(request) ?? {}))
        lines.push(`${name}: ${value}`);
    });
    server.on("wsClientError", (error, stream) => {
      answerAndDestroy(stream as Socket, errors.upgradeRefused(error.message));
    });
    this.servers.set(mostBytes, server);
    return server;
  }
}
