// Calls a server of SRT: the handshake, on each address of the server at once until one of them answers.
import { randomInt } from "node:crypto";
import type { Socket } from "node:dgram";
import type { SrtOptions } from "../../../../platform/addresses/srt-address.ts";
import { errors, type ParlanceError } from "../../../../platform/errors.ts";
import { StreamKeys } from "./encryption.ts";
import {
  CONCLUSION,
  checkEncryption,
  conclusionBody,
  type Handshake,
  INDUCTION,
  inductionBody,
  latencyOf,
  parseHandshake,
  rejection,
} from "./handshake.ts";
import { CONTROL, controlPacket, parsePacket } from "./packets.ts";

/** Requests are repeated until they are answered. Servers may read a repeated conclusion as another call: it is repeated less often. */
const [INDUCTION_MILLISECONDS, CONCLUSION_MILLISECONDS] = [250, 1_000];
const CALL_MILLISECONDS = 10_000;
const DEFAULT_KEY_BYTES = 16;
/** A server may delay what it sends by this much at most. */
const MOST_LATENCY_MILLISECONDS = 10_000;
/** Datagrams of a server before the connection: a server that sends more is disconnected. */
const MOST_DATAGRAMS = 2_000;

export interface SrtConnection {
  socket: Socket;
  /** Socket ids. */
  own: number;
  peer: number;
  /** First sequence number of the server. */
  sequence: number;
  latencyMilliseconds: number;
  keys: StreamKeys | undefined;
  /** When the clock of the packets of this side began, by performance.now(). */
  begunAt: number;
}

/** Microseconds, which wrap. @param begunAt  by performance.now() */
export const timestampSince = (begunAt: number): number => Math.floor(1000 * (performance.now() - begunAt)) >>> 0;

class Call {
  readonly begunAt = performance.now();
  readonly own = randomInt(1, 2 ** 31);
  private readonly sequence = randomInt(2 ** 31);
  private readonly open: Set<Socket>;
  private keys: StreamKeys | undefined;
  /** The conclusion, once a server has answered. */
  private conclusion: Buffer | undefined;
  private datagrams = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    sockets: readonly Socket[],
    private readonly options: SrtOptions,
    private readonly settle: (result: SrtConnection | ParlanceError) => void,
  ) {
    this.open = new Set(sockets);
  }

  begin(): void {
    for (const socket of this.open) {
      socket.on("message", (bytes: Buffer) => this.read(socket, bytes));
      socket.on("error", (error: Error) => this.lose(socket, error));
    }
    this.send();
  }

  end(): void {
    clearTimeout(this.timer);
    for (const socket of this.open) socket.removeAllListeners("message");
  }

  /** Ends the call. @param used  stays open */
  close(used?: Socket): void {
    this.end();
    for (const socket of this.open) {
      // Errors of the socket then belong to the reader.
      this.open.delete(socket);
      if (socket !== used) socket.close();
    }
  }

  private send(): void {
    const packet = this.packet(this.conclusion ?? inductionBody({ socket: this.own, sequence: this.sequence }));
    for (const socket of this.open) {
      socket.send(packet, (error) => {
        if (error) this.lose(socket, error);
      });
    }
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.send(), this.conclusion ? CONCLUSION_MILLISECONDS : INDUCTION_MILLISECONDS);
  }

  private packet(body: Buffer): Buffer {
    const timestamp = timestampSince(this.begunAt);
    return controlPacket({ type: CONTROL.handshake, timestamp, destination: 0 }, body);
  }

  private lose(socket: Socket, error: Error): void {
    if (!this.open.delete(socket)) return;
    socket.close();
    if (this.open.size === 0) this.settle(errors.liveSourceFailed("its host could not be reached", error));
  }

  private read(socket: Socket, bytes: Buffer) {
    if (++this.datagrams > MOST_DATAGRAMS)
      return this.settle(errors.liveSourceFailed("its server sends other messages in place of the handshake of SRT"));
    const packet = parsePacket(bytes);
    // Data that precedes a lost answer is sent again.
    if (packet?.kind !== "control" || packet.type !== CONTROL.handshake || packet.destination !== this.own) return;
    const handshake = parseHandshake(packet.payload);
    if (!handshake) return;
    if (handshake.type === INDUCTION) this.conclude(socket, handshake);
    else if (handshake.type !== CONCLUSION) this.settle(rejection(handshake.type));
    else if (this.conclusion) this.accept(socket, handshake);
  }

  /** The server has answered the first request. */
  private conclude(socket: Socket, { isModern, cookie, keyBytes }: Handshake) {
    if (this.conclusion) return;
    if (!isModern)
      return this.settle(errors.liveSourceRefused("its server has SRT before version 1.3, which cannot be read"));
    for (const other of this.open) {
      if (other === socket) continue;
      this.open.delete(other);
      other.close();
    }
    const { passphrase, keyBytes: wanted, streamId, latencyMilliseconds } = this.options;
    const length = wanted ?? keyBytes ?? DEFAULT_KEY_BYTES;
    if (passphrase !== undefined) this.keys = new StreamKeys(passphrase, length);
    this.conclusion = conclusionBody({
      ...{ socket: this.own, sequence: this.sequence, cookie, latencyMilliseconds, streamId },
      encryption: this.keys && { keyBytes: length, message: this.keys.message },
    });
    this.send();
  }

  private accept(socket: Socket, handshake: Handshake) {
    try {
      checkEncryption(handshake, this.keys?.message);
    } catch (thrown) {
      this.settle(thrown as ParlanceError);
      return;
    }
    const latency = latencyOf(handshake);
    if (latency === undefined)
      return this.settle(errors.liveSourceFailed("its server did not complete the handshake of SRT"));
    this.settle({
      ...{ socket, own: this.own, peer: handshake.socket, sequence: handshake.sequence },
      ...{ keys: this.keys, begunAt: this.begunAt },
      latencyMilliseconds: Math.min(MOST_LATENCY_MILLISECONDS, Math.max(latency, this.options.latencyMilliseconds)),
    });
  }
}

/**
 * Connects to a server.
 * @param sockets  to its addresses; those that are not used are closed
 * @returns the connection; its socket is the caller's
 * @throws live.source_failed, live.source_refused
 */
export function callServer(
  sockets: readonly Socket[],
  options: SrtOptions,
  signal: AbortSignal,
): Promise<SrtConnection> {
  return new Promise((resolve, reject) => {
    const settle = (result: SrtConnection | ParlanceError) => {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
      if (result instanceof Error) {
        call.close();
        return reject(result);
      }
      call.close(result.socket);
      resolve(result);
    };
    const call = new Call(sockets, options, settle);
    const late = () =>
      settle(errors.liveSourceFailed(`its server did not answer within ${CALL_MILLISECONDS / 1000} s`));
    const onAbort = () => settle(errors.liveSourceFailed("the reading has ended"));
    const timer = setTimeout(late, CALL_MILLISECONDS);
    signal.addEventListener("abort", onAbort, { once: true });
    if (signal.aborted) onAbort();
    else call.begin();
  });
}
