// WebSockets of live sessions: accepts upgrades, and connects each to its session in the dialect of its path.
import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { Logger } from "pino";
import type { WebSocket } from "ws";
import { splitTarget } from "../../../platform/addresses/web-url.ts";
import { errors, ParlanceError } from "../../../platform/errors.ts";
import type { AcceptedSockets } from "../../../platform/net/accepted-sockets.ts";
import type { Upgrades } from "../../../platform/net/http-server.ts";
import { answerAndDestroy } from "../../../platform/net/raw-answer.ts";
import { within } from "../../../platform/process/within.ts";
import type { Conversation, Dialect, Handshake, WaitingClient } from "../dialects/dialect.ts";
import type { Closing } from "../events/closing.ts";
import type { TokenOutcome } from "../session/registry.ts";
import type { Session } from "../session/session.ts";
import { CLOSINGS } from "./closings.ts";
import { nextConnectionNumber } from "./connection-numbers.ts";
import { DialectConnection } from "./dialect-connection.ts";
import { LateClients } from "./late-clients.ts";
import { LiveSocket } from "./live-socket.ts";
import { type LookUp, LookUps } from "./look-ups.ts";
import type { SessionAccess } from "./session-access.ts";
import { checkUpgrade, UpgradeServers } from "./upgrade-servers.ts";
import { SocketClient } from "./waiting-client.ts";

/** At shutdown, connections that are still open after this time are destroyed. */
const STOP_MILLISECONDS = 2_000;
/** A client that reads nothing for this long is disconnected; its messages are kept until it reconnects. */
const UNREAD_MILLISECONDS = 30_000;

const FAULT = "a live connection could not be opened";
/** Before the upgrade. */
const NO_CLIENT: WaitingClient = { send: async () => undefined, next: async () => "left" };

export class LiveConnections implements Upgrades {
  private readonly servers = new UpgradeServers((offered, request) => this.subprotocolOf(offered, request));
  private readonly late = new LateClients();
  private readonly open = new Map<LiveSocket, DialectConnection>();
  private readonly lookUps: LookUps;
  private isStopping = false;

  constructor(
    private readonly access: SessionAccess,
    private readonly dialects: readonly Dialect[],
    private readonly sockets: AcceptedSockets,
    private readonly logger: Logger,
  ) {
    this.lookUps = new LookUps(access);
  }

  /** Accepts only WebSockets of live sessions; other upgrades are ignored. */
  accepts(request: IncomingMessage): boolean {
    const isWebSocket = request.headers.upgrade?.trim().toLowerCase() === "websocket";
    if (!isWebSocket || request.httpVersionMinor === 0) return false;
    return this.dialectOf(splitTarget(this.access.targetOf(request) ?? "").path) !== undefined;
  }

  /** Never a subprotocol in which a client sends its key. */
  private subprotocolOf(offered: ReadonlySet<string>, request: IncomingMessage): string | false {
    const { path } = splitTarget(this.access.targetOf(request) ?? "");
    const own = this.dialectOf(path)?.subprotocols;
    if (own) return [...offered].find((one) => own.includes(one.toLowerCase())) ?? false;
    const [first] = offered;
    return first ?? false;
  }

  private dialectOf(path: string): Dialect | undefined {
    return this.dialects.find((dialect) => dialect.accepts(path));
  }

  take(request: IncomingMessage, stream: Socket, head: Buffer): void {
    // Taken before the client receives the answer: any later connection has a later time, whichever node accepts it.
    const at = Date.now();
    const busy = this.isStopping
      ? "this process is about to stop"
      : this.lookUps.areTooMany
        ? "too many connections are being opened"
        : undefined;
    if (busy !== undefined) {
      answerAndDestroy(stream, errors.upgradeUnavailable(busy));
      return;
    }
    const { path, query } = splitTarget(this.access.targetOf(request) ?? "");
    const dialect = this.dialectOf(path);
    const conversation = dialect?.open({ path, query, headers: request.headers, at });
    if (!conversation) {
      answerAndDestroy(stream, errors.upgradeRefused("no live session has this address"));
      return;
    }
    const { handshake } = conversation;
    if (handshake) {
      void this.shakeHands(request, stream, head, conversation, handshake);
      return;
    }
    const mostBytes = dialect?.mostMessageBytes;
    const admit = () => void this.admit(request, stream, head, conversation, mostBytes);
    if (this.access.mayRefuse) this.unlessRefused(query, stream, admit);
    else admit();
  }

  /** Judges a key or a token of the request before the upgrade, where the dialect does, and then finds the session. */
  private async admit(
    request: IncomingMessage,
    stream: Socket,
    head: Buffer,
    conversation: Conversation,
    mostBytes: number | undefined,
  ): Promise<void> {
    const lookUp = this.lookUps.of(request);
    let isLate = false;
    if (conversation.authenticate) {
      // A connection that breaks meanwhile cannot be upgraded.
      stream.on("error", () => undefined);
      try {
        checkUpgrade(request);
        isLate = !(await conversation.authenticate(lookUp.sessions));
      } catch (error) {
        lookUp.release();
        return answerAndDestroy(stream, error instanceof ParlanceError ? error : this.unavailable(error));
      }
    }
    const begin = (socket: WebSocket) => this.begin(socket, stream, conversation, lookUp, isLate);
    if (!this.servers.upgrade(request, stream, head, begin, { mostBytes })) lookUp.release();
  }

  private unavailable(error: unknown): ParlanceError {
    this.logger.error({ err: error }, FAULT);
    return errors.upgradeUnavailable("the key cannot be checked at present");
  }

  /** A proxy can send a client to another process only before the upgrade, so that this process refuses it by an HTTP error. */
  private unlessRefused(query: URLSearchParams, stream: Socket, upgrade: () => void): void {
    const discard = () => stream.destroy();
    stream.on("error", discard);
    this.lookUps
      .counted(this.access.refusalOf(query))
      .catch((error: unknown) => {
        this.logger.error({ err: error }, FAULT);
        return errors.notReady("the database does not answer");
      })
      .then((refusal) => {
        stream.off("error", discard);
        if (refusal) answerAndDestroy(stream, errors.upgradeUnavailable(refusal.message));
        else upgrade();
      });
  }

  /** Finds the session, and upgrades the connection only then. */
  private async shakeHands(
    request: IncomingMessage,
    stream: Socket,
    head: Buffer,
    conversation: Conversation,
    handshake: Handshake,
  ): Promise<void> {
    // A connection that breaks meanwhile cannot be upgraded.
    stream.on("error", () => undefined);
    const outcome = await this.outcomeOf(request, conversation);
    if ("closing" in outcome) return answerAndDestroy(stream, handshake.refusal(outcome.closing));
    const { session } = outcome;
    const accept = (socket: WebSocket) => {
      const { client, connection } = this.register(socket, stream, conversation);
      serve(client, connection, conversation, session).catch((error: unknown) => this.fail(connection, error));
    };
    if (this.servers.upgrade(request, stream, head, accept, { headers: handshake.headers() })) return;
    // A session that the client resumes waits for its next connection.
    if (session.isConnected || !handshake.endsWithoutUpgrade()) return;
    await session
      .end("away")
      .catch((error: unknown) => this.logger.error({ err: error }, "a session could not be ended"));
  }

  private async outcomeOf(
    request: IncomingMessage,
    conversation: Conversation,
  ): Promise<{ session: Session } | { closing: Closing }> {
    const { sessions, release } = this.lookUps.of(request);
    try {
      checkUpgrade(request);
      const finding = await conversation.findSession(sessions, NO_CLIENT);
      if (finding === "left") return { closing: { kind: "interrupted" } };
      if ("closing" in finding) return finding;
      if (this.isStopping) return { closing: { kind: "restarting" } };
      const { found } = finding;
      return found.kind === "session" ? { session: found.session } : { closing: CLOSINGS[found.kind] };
    } catch (error) {
      if (error instanceof ParlanceError) return { closing: { kind: "refused", error } };
      return { closing: this.faultOf(error) };
    } finally {
      release();
    }
  }

  /** Refuses new connections. */
  stopAccepting(): void {
    this.isStopping = true;
  }

  /** Closes the remaining connections; resolves when all are closed. */
  async stop(): Promise<void> {
    this.stopAccepting();
    for (const connection of this.open.values()) connection.close({ kind: "restarting" });
    const gone = [...this.open.keys()].map((live) => new Promise<void>((resolve) => live.whenClosed(resolve)));
    await within(STOP_MILLISECONDS, Promise.all(gone)).catch(() => undefined);
    for (const live of this.open.keys()) live.terminate();
  }

  private register(socket: WebSocket, stream: Socket, conversation: Conversation) {
    const live = new LiveSocket(nextConnectionNumber(), socket, stream);
    const connection = new DialectConnection(live, conversation, this.logger);
    this.open.set(live, connection);
    live.whenClosed(() => this.open.delete(live));
    this.sockets.upgrade(stream, UNREAD_MILLISECONDS, () => connection.close({ kind: "unread" }));
    return { live, client: new SocketClient(live, this.access.idleMilliseconds), connection };
  }

  private fail(connection: DialectConnection, error: unknown): void {
    connection.close(this.faultOf(error));
  }

  private faultOf(error: unknown): Closing {
    this.logger.error({ err: error }, FAULT);
    return this.access.isStorageDown ? { kind: "restarting", why: "storage" } : { kind: "interrupted" };
  }

  /** @param isLate  whether the client is authenticated by a message only */
  private begin(
    socket: WebSocket,
    stream: Socket,
    conversation: Conversation,
    { sessions, release }: LookUp,
    isLate: boolean,
  ): void {
    const { live, client, connection } = this.register(socket, stream, conversation);
    const leave = isLate ? this.awaitKey(live, connection) : () => undefined;
    conversation
      .findSession(sessions, client)
      .finally(() => {
        leave();
        release();
      })
      .then((finding) => {
        if (finding === "left") return;
        if ("closing" in finding) return connection.close(finding.closing);
        return this.assign(client, connection, conversation, finding.found);
      })
      .catch((error: unknown) => this.fail(connection, error));
  }

  private awaitKey(live: LiveSocket, connection: DialectConnection): () => void {
    const leave = this.late.add({
      expire: () => connection.close({ kind: "idle" }),
      displace: () => {
        connection.close({ kind: "restarting", why: "capacity" });
        // A client that does not answer the close frame would hold what it has sent.
        live.terminate();
      },
    });
    live.whenClosed(leave);
    return leave;
  }

  /** A bad token is reported by a close code, not by a refused upgrade: clients do not reconnect after 44xx. */
  private assign(
    client: SocketClient,
    connection: DialectConnection,
    conversation: Conversation,
    outcome: TokenOutcome,
  ): void | Promise<void> {
    if (this.isStopping) return connection.close({ kind: "restarting" });
    if (outcome.kind === "session") return serve(client, connection, conversation, outcome.session);
    connection.close(CLOSINGS[outcome.kind]);
  }
}

async function serve(
  client: SocketClient,
  connection: DialectConnection,
  conversation: Conversation,
  session: Session,
): Promise<void> {
  await session.attach(connection);
  for (const command of conversation.openingCommands) session.receive(connection, command);
  client.handOver(
    ({ bytes, isBinary }) => {
      for (const command of connection.commandsOf(bytes, isBinary)) session.receive(connection, command);
    },
    (code) => {
      for (const command of conversation.rest?.() ?? []) session.receive(connection, command);
      session.detach(connection, conversation.departureOf(code));
    },
  );
}
