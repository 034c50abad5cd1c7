// One TCP connection of Asterisk: the id of a call, its audio until it ends. Nothing is sent but the hangup or an error at the end.
import type { Socket } from "node:net";
import type { Logger } from "pino";
import { errors, ParlanceError } from "../../../../platform/errors.ts";
import { errorBytes, errorOf } from "../../dialects/audiosocket/errors.ts";
import { idIn, type Packet, PacketReader, packetBytes, rateOf, TYPE } from "../../dialects/audiosocket/packets.ts";
import { SentOnce } from "../../dialects/sent-once.ts";
import { keptWarning } from "../../events/client-command.ts";
import type { Session } from "../../session/session.ts";
import { ChunkReader } from "../chunk-reader.ts";
import { nextConnectionNumber } from "../connection-numbers.ts";
import { TcpConnection } from "../tcp-connection.ts";
import type { TcpPeer } from "../tcp-listener.ts";
import type { AudioSocketSessions } from "./sessions.ts";

/** The connection of a session whose client reads no transcripts. */
class Call extends TcpConnection {
  readonly lastEvent = "recordingEnded";

  /** Callbacks and the result have the events. */
  async send(): Promise<void> {}
}

/** A connection without audio for this long is closed. */
const FIRST_AUDIO_MILLISECONDS = 60_000;
/** The client has this long to read the last packet. */
const CLOSING_MILLISECONDS = 2_000;
const SAMPLE_BYTES = 2;

interface Running {
  session: Session;
  call: Call;
  type: number;
}

export class AudioSocketPeer implements TcpPeer {
  private readonly reader = new PacketReader();
  private readonly chunks: ChunkReader;
  private readonly warned = new SentOnce();
  /** Warnings before the audio. */
  private readonly early: string[] = [];
  private id: string | undefined;
  private running: Running | undefined;
  /** Nothing further is read. */
  private hasEnded = false;
  private error: ParlanceError | undefined;

  constructor(
    private readonly socket: Socket,
    private readonly sessions: AudioSocketSessions,
    private readonly idleMilliseconds: number,
    private readonly logger: Logger,
  ) {
    this.chunks = new ChunkReader(socket);
    // A session that accepts no audio at present must not delay the end of the connection.
    socket.once("close", () => {
      this.hasEnded = true;
      this.running?.call.resume();
    });
  }

  get isBusy(): boolean {
    return this.running !== undefined;
  }

  async serve(): Promise<void> {
    try {
      await this.readAll();
    } catch (error) {
      this.error ??= error instanceof ParlanceError ? error : errors.liveSessionFailed();
      if (!(error instanceof ParlanceError)) this.logger.error({ err: error }, "a connection of AudioSocket failed");
    }
    this.hasEnded = true;
    const ended = this.running ? await this.complete(this.running) : undefined;
    this.finish(this.error ?? ended);
  }

  async stop(error: ParlanceError): Promise<void> {
    await this.close(error);
  }

  async close(error: ParlanceError): Promise<void> {
    this.error ??= error;
    this.hasEnded = true;
    this.chunks.stop();
    this.running?.call.resume();
  }

  private async readAll(): Promise<void> {
    let since = performance.now();
    while (!this.hasEnded) {
      const isBusy = this.running !== undefined;
      const chunk = await this.chunks.next(isBusy ? undefined : this.idleMilliseconds);
      if (chunk === "ended" || this.hasEnded) return;
      if (chunk === "idle")
        throw errors.audioSocketTimeout(`nothing was received for ${this.idleMilliseconds / 1000} s`);
      for (const packet of this.reader.push(chunk)) {
        if (this.hasEnded) return;
        await this.take(packet);
        await this.running?.call.ready;
      }
      if (this.running) since = performance.now();
      if (performance.now() - since > FIRST_AUDIO_MILLISECONDS) {
        throw errors.audioSocketTimeout(`no audio was received for ${FIRST_AUDIO_MILLISECONDS / 1000} s`);
      }
    }
  }

  /** @throws live.audiosocket_packet, and why there is no session */
  private async take({ type, payload }: Packet): Promise<void> {
    if (type === TYPE.hangup) {
      this.hasEnded = true;
    } else if (type === TYPE.id) {
      this.takeId(payload);
    } else if (rateOf(type) !== undefined) {
      await this.takeAudio(type, payload);
    } else if (type === TYPE.dtmf) {
      this.warn("dtmf has no effect: digits are no part of a transcript");
    } else if (type === TYPE.error) {
      this.warn(`Asterisk reported the error ${payload.toString("hex").slice(0, 8) || "without a code"}`);
      this.hasEnded = true;
    } else {
      // The first bytes decide whether the connection uses this protocol.
      if (this.id === undefined) throw errors.audioSocketPacket(`the first packet has the unknown type ${type}`);
      this.warn(`packets of the type ${type} have no effect`);
    }
  }

  private takeId(payload: Buffer): void {
    if (this.id !== undefined) throw errors.audioSocketPacket("the id of the call came twice");
    this.id = idIn(payload);
    if (this.id === undefined) throw errors.audioSocketPacket(`an id must have 16 bytes; it has ${payload.length}`);
  }

  private async takeAudio(type: number, bytes: Buffer): Promise<void> {
    if (this.id === undefined) throw errors.audioSocketPacket("audio came before the id of the call");
    if (bytes.length % SAMPLE_BYTES !== 0) {
      throw errors.audioSocketPacket(`audio must have whole samples of 2 bytes; a packet has ${bytes.length} bytes`);
    }
    this.running ??= await this.begin(this.id, type);
    const { session, call } = this.running;
    if (type !== this.running.type) throw errors.audioSocketPacket("the sampling rate of a call must not change");
    if (bytes.length > 0) session.receive(call, { kind: "audio", bytes, continues: true });
  }

  private async begin(id: string, type: number): Promise<Running> {
    const session = await this.sessions.open(id, rateOf(type) as number);
    const call = new Call(nextConnectionNumber());
    void call.closed.then(() => {
      this.hasEnded = true;
      this.chunks.stop();
    });
    await session.attach(call);
    keep(this.early, session, call);
    return { session, call, type };
  }

  /** Stands once among the warnings of the result. */
  private warn(warning: string): void {
    const fresh = this.warned.fresh([warning]);
    if (this.running) keep(fresh, this.running.session, this.running.call);
    else this.early.push(...fresh);
  }

  /** Ends the session with what was received. @returns why it ended otherwise than by its client */
  private async complete({ session, call }: Running): Promise<ParlanceError | undefined> {
    if (this.socket.destroyed || this.error) {
      session.detach(call, "finished");
      return this.error;
    }
    session.receive(call, { kind: "stop" });
    const gone = new Promise<"gone">((resolve) => this.socket.once("close", () => resolve("gone")));
    const closing = await Promise.race([call.closed, gone]);
    session.detach(call, "finished");
    return closing === "gone" ? undefined : errorOf(closing);
  }

  /** Reads and discards further bytes of the client, so that a reset does not lose the last packet. */
  private finish(error: ParlanceError | undefined): void {
    const { socket } = this;
    if (error)
      this.logger.warn({ code: error.code, reason: error.message, call: this.id }, "a call of AudioSocket ended");
    if (socket.destroyed) return;
    const timer = setTimeout(() => socket.destroy(), CLOSING_MILLISECONDS);
    socket.once("close", () => clearTimeout(timer));
    socket.end(error ? errorBytes(error) : packetBytes(TYPE.hangup));
    this.chunks.discard();
  }
}

function keep(warnings: readonly string[], session: Session, call: Call): void {
  for (const reason of warnings) session.receive(call, keptWarning(reason));
}
