// Owns every socket that a server of this process accepts, from its connection to its end: each has an error listener, a deadline
// for what it is doing, and is destroyed when the process stops. http-server.ts is the one place that makes servers.
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { errors } from "../errors.ts";
import { mostConnections, slowestSender } from "./crowd.ts";
import { answerAndDestroy } from "./raw-answer.ts";
import { sentBytes, unsentBytes } from "./write-progress.ts";

export interface SocketLimits {
  /** A client that makes no progress for this long, in sending a body or in reading an answer, is disconnected. */
  stallMilliseconds: number;
  /** A connection could not be accepted: no descriptors, no memory. The next one may be. */
  onRefused(error: Error): void;
  /** Connections at once; by default a share of the file descriptors. With more, one is closed. */
  mostConnections?: number;
  /** Connections were closed because there were too many; called once a minute at most. */
  onCrowded?(count: number): void;
}

/**
 * Slowest body: half a kilobyte a second, an eighth of a 1990s modem. A slower one is no upload but a way to hold a socket; this one
 * may last for hours.
 */
const LEAST_BODY_BYTES_A_SECOND = 500;
/** After an answer the rest of a body is read and discarded for this long: many clients read the answer only when they have sent all. */
const LINGER_MILLISECONDS = 30_000;
/**
 * Connections whose request was answered before its body was complete, for example because it has no key. With more, the oldest is
 * destroyed: such requests cost a client nothing.
 */
const MOST_LINGERING = 200;
const CROWDED_REPORT_MILLISECONDS = 60_000;
/** With too many connections, one that has sent no request head for this long is closed for a new one. */
const SILENT_MILLISECONDS = 1_000;
/** Connections that are being closed with an answer, beyond the bound; with more, they are closed without one. */
const MOST_CLOSING = 32;
/** Connections that have not sent a whole request head. With more, the oldest is destroyed: a real client sends its head at once. */
const MOST_SILENT = 1_000;
/**
 * Connections that are kept open after an answer and on which no request is under way, each about 10 kB of memory. With more, the one
 * that has been idle for longest is closed; clients open a new connection for their next request.
 */
const MOST_IDLE = 4_000;
const MOST_SWEEP_MILLISECONDS = 5_000;
/** While the process stops, an upload without data for this long is aborted. */
const STOPPING_STALL_MILLISECONDS = 1_000;
const STOPPING_SWEEP_MILLISECONDS = 250;

interface Mark {
  at: number;
  bytes: number;
}

interface Owned {
  socket: Socket;
  /** Request whose body is not complete. */
  receiving?: IncomingMessage | undefined;
  /** When its body began, and bytes received before it. */
  bodyFrom: Mark;
  acceptedAt: number;
  /** Requests that are not answered. */
  unanswered: number;
  /** When the answer to `receiving` was complete before its body was. */
  lingersFrom?: number | undefined;
  received: Mark;
  sent: Mark;
  unreadMilliseconds: number;
  /** Called when the client of an upgraded connection reads nothing; its owner has deadlines of its own. */
  onUnread?: (() => void) | undefined;
  isUpgraded: boolean;
}

export class AcceptedSockets {
  private readonly owned = new Map<Socket, Owned>();
  /** In the order of their coming. */
  private readonly silent = new Set<Socket>();
  /** Idle connections: answered, and without a further request. The one that has been idle longest is first. */
  private readonly idle = new Set<Socket>();
  /** Connections whose request was answered before its body was complete, in that order. */
  private readonly lingering = new Set<Socket>();
  private timer: NodeJS.Timeout | undefined;
  private isStopping = false;
  private readonly mostConnections: number;
  private crowded = { count: 0, reportedAt: Number.NEGATIVE_INFINITY };

  constructor(private readonly limits: SocketLimits) {
    this.mostConnections = limits.mostConnections ?? mostConnections();
  }

  /** Sockets that are open. */
  get size(): number {
    return this.owned.size;
  }

  /** From now on owns what the server accepts. */
  own(server: Server): void {
    server.on("connection", (socket: Socket) => this.accept(socket));
    server.on("error", (error: Error) => this.limits.onRefused(error));
    // Before any other listener: the request's deadline holds while it is handled.
    server.prependListener("request", (request: IncomingMessage, response: ServerResponse) =>
      this.begin(request, response),
    );
    this.timer ??= this.sweepEvery(Math.min(MOST_SWEEP_MILLISECONDS, this.limits.stallMilliseconds / 4));
  }

  /**
   * Hands a connection to who upgrades it.
   * @param onUnread  called when the client has read nothing of what waits for it for `unreadMilliseconds`
   */
  upgrade(socket: Socket, unreadMilliseconds: number, onUnread: () => void): void {
    const owned = this.owned.get(socket);
    this.silent.delete(socket);
    this.idle.delete(socket);
    if (!owned) return;
    owned.isUpgraded = true;
    owned.unreadMilliseconds = unreadMilliseconds;
    owned.onUnread = onUnread;
  }

  /**
   * The process stops: destroys connections that no request is under way on now, uploads that bring nothing shortly, and every other
   * one when its answer is complete.
   */
  stop(): void {
    if (this.isStopping) return;
    this.isStopping = true;
    clearInterval(this.timer);
    this.timer = this.sweepEvery(STOPPING_SWEEP_MILLISECONDS);
    this.sweep();
  }

  destroyAll(): void {
    clearInterval(this.timer);
    for (const socket of this.owned.keys()) socket.destroy();
  }

  // --- inside ---

  private sweepEvery(milliseconds: number): NodeJS.Timeout {
    return setInterval(() => this.sweep(), milliseconds).unref();
  }

  private accept(socket: Socket): void {
    // Stays for the socket's whole life: HTTP's own listener goes away with an upgrade.
    socket.on("error", () => socket.destroy());
    const at = performance.now();
    const owned: Owned = {
      socket,
      unanswered: 0,
      received: { at, bytes: 0 },
      bodyFrom: { at, bytes: 0 },
      acceptedAt: at,
      sent: { at, bytes: 0 },
      unreadMilliseconds: this.limits.stallMilliseconds,
      isUpgraded: false,
    };
    this.owned.set(socket, owned);
    this.silent.add(socket);
    socket.on("close", () => {
      this.owned.delete(socket);
      this.silent.delete(socket);
      this.idle.delete(socket);
      this.lingering.delete(socket);
    });
    if (this.isStopping) socket.destroy();
    else if (this.silent.size > MOST_SILENT) {
      const [oldest] = this.silent;
      oldest?.destroy();
    }
    if (this.owned.size > this.mostConnections) this.makeRoom(owned, at);
  }

  /**
   * Closes one connection, in this order: one that was answered and still sends, one that sends no request, an idle one, the one
   * with the slowest body. Without any of these, the new connection is closed.
   */
  private makeRoom(newest: Owned, now: number): void {
    const [oldestSilent] = this.silent;
    const [lingering] = this.lingering;
    const [idle] = this.idle;
    const silent = oldestSilent && this.owned.get(oldestSilent);
    const isLongSilent = silent !== undefined && now - silent.acceptedAt >= SILENT_MILLISECONDS;
    const socket = lingering ?? (isLongSilent ? oldestSilent : undefined) ?? idle;
    if (socket) {
      for (const set of [this.lingering, this.idle, this.silent]) set.delete(socket);
      socket.destroy();
    } else {
      const { socket: slowest, leastBytes } = this.slowest(now) ?? { socket: newest.socket, leastBytes: 0 };
      const isAnswered = leastBytes > 0 && this.owned.size <= this.mostConnections + MOST_CLOSING;
      if (isAnswered) answerAndDestroy(slowest, errors.bodyTooSlow(leastBytes, 1));
      else slowest.destroy();
    }
    this.reportCrowd(now);
  }

  /** @returns the slowest sender, and twice its rate in bytes a second */
  private slowest(now: number): { socket: Socket; leastBytes: number } | undefined {
    const senders = [...this.owned.values()].flatMap(({ socket, receiving, bodyFrom, isUpgraded }) => {
      if (!receiving || isUpgraded || socket.destroyed || !socket.writable) return [];
      const isHeldBack = receiving.readableLength >= receiving.readableHighWaterMark;
      return [{ socket, isHeldBack, body: { at: bodyFrom.at, bytes: socket.bytesRead - bodyFrom.bytes } }];
    });
    const found = slowestSender(senders, now);
    if (!found) return undefined;
    return { socket: found.socket, leastBytes: Math.ceil((2_000 * found.body.bytes) / (now - found.body.at)) + 1 };
  }

  private reportCrowd(now: number): void {
    this.crowded.count++;
    if (now - this.crowded.reportedAt < CROWDED_REPORT_MILLISECONDS) return;
    this.limits.onCrowded?.(this.crowded.count);
    this.crowded = { count: 0, reportedAt: now };
  }

  private begin(request: IncomingMessage, response: ServerResponse): void {
    const owned = this.owned.get(request.socket);
    if (!owned) return;
    this.silent.delete(owned.socket);
    this.idle.delete(owned.socket);
    this.lingering.delete(owned.socket);
    owned.unanswered++;
    owned.lingersFrom = undefined;
    if (!request.complete) {
      owned.receiving = request;
      owned.received = { at: performance.now(), bytes: owned.socket.bytesRead };
      owned.bodyFrom = owned.received;
    }
    response.once("close", () => {
      owned.unanswered--;
      if (owned.receiving === request && !request.complete) this.linger(owned);
      if (this.isStopping) this.judge(owned, performance.now());
      else if (owned.unanswered === 0) this.keepIdle(owned);
    });
  }

  private linger(owned: Owned): void {
    owned.lingersFrom = performance.now();
    if (owned.socket.destroyed) return;
    this.lingering.add(owned.socket);
    const [oldest] = this.lingering;
    if (this.lingering.size > MOST_LINGERING && oldest && this.lingering.delete(oldest)) oldest.destroy();
  }

  private keepIdle({ socket, isUpgraded }: Owned): void {
    if (isUpgraded || socket.destroyed) return;
    this.idle.add(socket);
    const [oldest] = this.idle;
    // It leaves the set at once: those that become idle before it is closed close the next ones.
    if (this.idle.size > MOST_IDLE && oldest && this.idle.delete(oldest)) oldest.destroy();
  }

  private sweep(): void {
    const now = performance.now();
    for (const owned of this.owned.values()) this.judge(owned, now);
  }

  private judge(owned: Owned, now: number): void {
    if (owned.receiving?.complete || owned.receiving?.destroyed) {
      owned.receiving = undefined;
      this.lingering.delete(owned.socket);
    }
    if (this.isUnread(owned, now)) {
      if (owned.onUnread) owned.onUnread();
      else owned.socket.destroy();
    } else if (owned.receiving && !owned.isUpgraded) {
      this.judgeBody(owned, owned.receiving, now);
    } else if (this.isStopping && !owned.isUpgraded && owned.unanswered === 0 && unsentBytes(owned.socket) === 0) {
      owned.socket.destroy();
    }
  }

  private isUnread({ socket, sent, unreadMilliseconds }: Owned, now: number): boolean {
    const bytes = sentBytes(socket);
    if (unsentBytes(socket) === 0 || bytes !== sent.bytes) {
      sent.at = now;
      sent.bytes = bytes;
      return false;
    }
    return now - sent.at >= unreadMilliseconds;
  }

  private judgeBody(owned: Owned, request: IncomingMessage, now: number): void {
    const { socket, received, lingersFrom } = owned;
    const { stallMilliseconds } = this.limits;
    const bytes = socket.bytesRead - received.bytes;
    const elapsed = now - received.at;
    const leastBytes = (LEAST_BODY_BYTES_A_SECOND * stallMilliseconds) / 1000;
    // A full buffer says that the service is the slow one.
    const isHeldBack = request.readableLength >= request.readableHighWaterMark;
    const isSlow = !isHeldBack && elapsed >= stallMilliseconds && bytes < leastBytes;
    const isStalled = !isHeldBack && elapsed >= STOPPING_STALL_MILLISECONDS && bytes === 0;
    const hasLingered = lingersFrom !== undefined && now - lingersFrom >= LINGER_MILLISECONDS;
    if (hasLingered || (this.isStopping && (isStalled || lingersFrom !== undefined))) socket.destroy();
    else if (isSlow) answerAndDestroy(socket, errors.bodyTooSlow(leastBytes, stallMilliseconds / 1000));
    else if (isHeldBack || elapsed >= stallMilliseconds || (this.isStopping && bytes > 0)) {
      owned.received = { at: now, bytes: socket.bytesRead };
    }
  }
}
