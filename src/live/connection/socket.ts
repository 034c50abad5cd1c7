// WebSockets of live sessions; the only file that knows the library.
import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";
import type { Logger } from "pino";
import { type RawData, type WebSocket, WebSocketServer } from "ws";
import type { LiveRegistry } from "../session/registry.ts";
import type { Session } from "../session/session.ts";
import { CLOSE, type Connection } from "../session/session-contract.ts";
import { parseTextFrame } from "./protocol.ts";

/** One known client resends its whole backlog in one frame. */
const MOST_FRAME_BYTES = 32 * 1024 * 1024;
const PING_MILLISECONDS = 25_000;
const LIVE_PATH = /^\/v2\/live\/?$/;

/** A client's answer to a ping says that it has read all that was sent before: a write that succeeded says nothing. */
function arrivalsOf(socket: WebSocket): () => Promise<void> {
  let marks = 0;
  let waiting: { mark: number; resolve: () => void; reject: (error: Error) => void }[] = [];
  socket.on("pong", (data) => {
    const reached = Number(data.toString());
    for (const { mark, resolve } of waiting) if (mark <= reached) resolve();
    waiting = waiting.filter(({ mark }) => mark > reached);
  });
  socket.on("close", () => {
    for (const { reject } of waiting) reject(new Error("the connection is closed"));
    waiting = [];
  });
  return () =>
    new Promise((resolve, reject) => {
      if (socket.readyState !== socket.OPEN) return reject(new Error("the connection is closed"));
      const mark = ++marks;
      waiting.push({ mark, resolve, reject });
      socket.ping(String(mark));
    });
}

function connectionOf(socket: WebSocket, number: number): Connection {
  return {
    number,
    send: (text) =>
      new Promise((resolve, reject) => {
        if (socket.readyState !== socket.OPEN) return reject(new Error("the connection is closed"));
        socket.send(text, (error) => (error ? reject(error) : resolve()));
      }),
    arrival: arrivalsOf(socket),
    close: (code, reason) => socket.close(code, reason),
    pause: () => socket.pause(),
    resume: () => socket.resume(),
  };
}

function bytesOf(data: RawData): Buffer {
  if (Array.isArray(data)) return Buffer.concat(data);
  return data instanceof ArrayBuffer ? Buffer.from(data) : data;
}

/** A client that vanished without a word is found out by its missing answers. */
function keepAlive(socket: WebSocket): void {
  let isAlive = true;
  socket.on("pong", () => {
    isAlive = true;
  });
  const timer = setInterval(() => {
    if (socket.isPaused) return;
    if (!isAlive) return socket.terminate();
    isAlive = false;
    socket.ping();
  }, PING_MILLISECONDS);
  timer.unref();
  socket.on("close", () => clearInterval(timer));
}

/** What came before its session was found: clients begin to send at once. */
interface Early {
  /** Connections are numbered as they come; their sessions may be found in another order. */
  number: number;
  frames: [RawData, boolean][];
  /** The client has left already. */
  closedAs?: number;
}

async function serve(socket: WebSocket, session: Session, early: Early): Promise<void> {
  const connection = connectionOf(socket, early.number);
  const take = (data: RawData, isBinary: boolean) => {
    const bytes = bytesOf(data);
    session.receive(connection, isBinary ? { kind: "audio", bytes } : parseTextFrame(bytes.toString("utf8")));
  };
  await session.attach(connection);
  for (const [data, isBinary] of early.frames) take(data, isBinary);
  if (early.closedAs !== undefined) return session.detach(connection, early.closedAs);
  socket.removeAllListeners("message");
  socket.on("message", take);
  socket.on("close", (code) => session.detach(connection, code));
  keepAlive(socket);
}

/**
 * Answers upgrades of GET /v2/live?token=…. A bad token is told by a close code, not by a refused upgrade: clients
 * that see 44xx do not try again.
 */
export function acceptLiveConnections(server: Server, registry: LiveRegistry, logger: Logger): () => void {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MOST_FRAME_BYTES });

  let connections = 0;

  /** @param at  when the client asked, milliseconds */
  const open = async (socket: WebSocket, token: string, at: number) => {
    const early: Early = { number: ++connections, frames: [] };
    socket.on("message", (data, isBinary) => early.frames.push([data, isBinary]));
    socket.on("close", (code) => {
      early.closedAs = code;
    });
    socket.on("error", (error) => logger.debug({ err: error }, "a live connection broke"));
    const outcome = await registry.byToken(token, at);
    switch (outcome.kind) {
      case "session":
        return serve(socket, outcome.session, early);
      case "elsewhere":
        return socket.close(CLOSE.restart, "another machine has this session; reconnect to go on");
      case "unknown":
        return socket.close(CLOSE.badToken, "invalid token");
      case "expired":
        return socket.close(CLOSE.idle, "the session was never used and has expired");
      case "over-limit":
        return socket.close(CLOSE.overLimit, "too many live sessions of this account");
      case "ended":
        return socket.close(CLOSE.ended, "session ended");
    }
  };

  const onUpgrade = (request: IncomingMessage, stream: Duplex, head: Buffer) => {
    // Before the client can know: its next connection, wherever it goes, is later.
    const at = Date.now();
    const url = new URL(request.url ?? "/", "http://localhost");
    if (!LIVE_PATH.test(url.pathname)) {
      stream.end("HTTP/1.1 404 Not Found\r\nconnection: close\r\n\r\n");
      return;
    }
    sockets.handleUpgrade(request, stream, head, (socket) => {
      open(socket, url.searchParams.get("token") ?? "", at).catch((error: unknown) => {
        logger.error({ err: error }, "a live connection could not be opened");
        socket.close(CLOSE.internal, "internal fault; reconnect to go on");
      });
    });
  };
  server.on("upgrade", onUpgrade);
  return () => {
    server.off("upgrade", onUpgrade);
    for (const socket of sockets.clients) socket.terminate();
  };
}
