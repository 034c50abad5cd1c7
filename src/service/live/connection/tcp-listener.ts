// Listens for clients of a protocol over TCP that has no keys: the address of a client decides whether it may connect.
import { createServer, type Server, type Socket } from "node:net";
import type { Logger } from "pino";
import { clientsOf } from "../../../platform/config/keyless-listener.ts";
import { listenAddressOf } from "../../../platform/config/listen-address.ts";
import { errors, type ParlanceError } from "../../../platform/errors.ts";
import { within } from "../../../platform/process/within.ts";

/** Connections at once: with more, one without audio is closed. */
const MOST_PEERS = 256;
/** Connections that are being refused with an error; further ones are refused without. */
const MOST_REFUSED = 32;
const REFUSED_MILLISECONDS = 1_000;

export interface TcpListenerOptions {
  /** Of the settings. */
  host: string;
  port: number;
  /** Addresses that may connect, of the settings. */
  clients: string;
  idleMilliseconds: number;
  mostPeers?: number;
}

/** A connection of a client. */
export interface TcpPeer {
  /** Whether audio is being transcribed: such a connection is not closed for another one. */
  readonly isBusy: boolean;
  /** Reads until the client leaves or sends what it must not; never rejects. */
  serve(): Promise<void>;
  /** The process stops: within the time for requests, what the client waits for is finished. */
  stop(error: ParlanceError): Promise<void>;
  /** Ends the connection with an error. */
  close(error: ParlanceError): Promise<void>;
}

export interface TcpProtocol {
  /** Of the settings of its address, such as PARLANCE_WYOMING. */
  variable: string;
  /** They refuse new sessions once the listener stops. */
  sessions: { isStopping: boolean };
  /** @param socket  just accepted, half-open connections allowed */
  peer(socket: Socket): TcpPeer;
  /** Bytes that state an error. */
  refusal(error: ParlanceError): Buffer;
  errors: {
    refused(address: string): ParlanceError;
    tooMany(limit: number): ParlanceError;
    stopped(): ParlanceError;
  };
}

export class TcpListener {
  private server: Server | undefined;
  /** In order of arrival. */
  private readonly peers = new Map<TcpPeer, Socket>();
  private readonly refused = new Set<Socket>();
  private readonly mostPeers: number;
  private readonly mayConnect: (address: string | undefined) => boolean;

  constructor(
    private readonly options: TcpListenerOptions,
    private readonly protocol: TcpProtocol,
    private readonly logger: Logger,
  ) {
    this.mostPeers = options.mostPeers ?? MOST_PEERS;
    this.mayConnect = clientsOf(options.clients);
  }

  /** Number of open connections. */
  get size(): number {
    return this.peers.size + this.refused.size;
  }

  /** @returns the port @throws service.cannot_listen */
  async listen(): Promise<number> {
    const { host, port } = this.options;
    const { variable } = this.protocol;
    const address = listenAddressOf({ host, port });
    const hosts = address.kind === "port" ? address.hosts : [];
    let problem: unknown;
    for (const one of hosts) {
      try {
        return await this.listenOn(one, port);
      } catch (error) {
        problem ??= error;
      }
    }
    const { code, message } = problem as NodeJS.ErrnoException;
    const reason = code === "EADDRINUSE" ? "another program listens there. Stop it, or set another port" : message;
    const place = `port ${port} of ${hosts.join(" or ")} (${variable}_PORT, ${variable}_HOST)`;
    throw errors.cannotListen(place, reason, problem);
  }

  private async listenOn(host: string, port: number): Promise<number> {
    // A client may close its side after its audio and read on.
    const server = createServer({ allowHalfOpen: true }, (socket) => this.accept(socket));
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(port, host, resolve);
    });
    server.on("error", (error) => this.logger.error({ err: error }, "a connection could not be accepted"));
    this.server = server;
    const bound = server.address();
    return typeof bound === "object" && bound !== null ? bound.port : port;
  }

  /** Accepts no further connection; ends the others. @param milliseconds  for transcripts under way */
  async stop(milliseconds: number): Promise<void> {
    this.protocol.sessions.isStopping = true;
    this.server?.close();
    const error = this.protocol.errors.stopped();
    const stopped = Promise.all([...this.peers.keys()].map((peer) => peer.stop(error)));
    await within(milliseconds, stopped).catch(() => undefined);
    for (const peer of this.peers.keys()) void peer.close(error);
    await within(REFUSED_MILLISECONDS, this.closed()).catch(() => undefined);
    for (const socket of [...this.peers.values(), ...this.refused]) socket.destroy();
  }

  private async closed(): Promise<void> {
    const sockets = [...this.peers.values()];
    await Promise.all(sockets.map((socket) => new Promise<void>((resolve) => socket.once("close", () => resolve()))));
  }

  private accept(socket: Socket): void {
    socket.on("error", () => socket.destroy());
    socket.setNoDelay(true);
    const { protocol } = this;
    const address = socket.remoteAddress;
    const isFull = () => this.peers.size >= this.mostPeers && !this.makeRoom();
    const refusal = !this.mayConnect(address)
      ? protocol.errors.refused(address ?? "unknown")
      : isFull()
        ? protocol.errors.tooMany(this.mostPeers)
        : undefined;
    if (refusal) {
      this.refuse(socket, refusal);
      return;
    }
    const peer = protocol.peer(socket);
    this.peers.set(peer, socket);
    socket.once("close", () => this.peers.delete(peer));
    void peer.serve();
  }

  /** Closes the oldest connection without audio. @returns false if there is none */
  private makeRoom(): boolean {
    for (const [peer, socket] of this.peers) {
      if (peer.isBusy) continue;
      this.peers.delete(peer);
      this.refuse(socket, this.protocol.errors.tooMany(this.mostPeers));
      return true;
    }
    return false;
  }

  private refuse(socket: Socket, error: ParlanceError): void {
    if (this.refused.size >= MOST_REFUSED) {
      socket.destroy();
      return;
    }
    this.refused.add(socket);
    const timer = setTimeout(() => socket.destroy(), REFUSED_MILLISECONDS);
    socket.once("close", () => {
      clearTimeout(timer);
      this.refused.delete(socket);
    });
    socket.end(this.protocol.refusal(error));
    socket.resume();
  }
}
