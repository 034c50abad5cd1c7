// Plays the audio of a stream over RTMP (Adobe, RTMP 1.0), with its simple handshake.
import { randomBytes } from "node:crypto";
import type { Socket } from "node:net";
import { isDeepStrictEqual } from "node:util";
import { type StreamAddress, streamAddress } from "../../../../platform/addresses/stream-address.ts";
import { errors, type ParlanceError } from "../../../../platform/errors.ts";
import type { CodecSetup } from "../../../../speech/audio/streams/demuxer.ts";
import type { MediaPart, ReadParts } from "../packets/media-part.ts";
import { type PacketSession, playThrough } from "../packets/packet-session.ts";
import { endSocket, SocketReader } from "../packets/socket-reader.ts";
import { shownText } from "../packets/source-error.ts";
import { fieldOf, readValues, type Value, writeValues } from "./amf.ts";
import { readAudio } from "./audio-message.ts";
import { Chunks, MESSAGE, type Message, messageBytes } from "./chunks.ts";

const RTMP_VERSION = 3;
const HANDSHAKE_BYTES = 1_536;
const WINDOW_BYTES = 2_500_000;
const LEAST_WINDOW_BYTES = 65_536;
const BUFFER_MILLISECONDS = 1_000;
/** Streams of chunks of a client, by custom. */
const [CONTROL, COMMANDS, STREAM] = [2, 3, 8];
const [BUFFER_LENGTH, PING, PONG, STREAM_END] = [3, 6, 7, 1];
const [CONNECT, CREATE_STREAM] = [1, 2];
/** A live stream, or a recording if there is none. */
const LIVE_OR_RECORDED = -2_000;
/** Before each message within a message of several (FLV): type, length, time, stream. */
const TAG_BYTES = 11;

interface Place {
  application: string;
  /** Name of the stream in it, with the query. */
  stream: string;
}

/**
 * The parts of an address, divided as FFmpeg divides them: the application has the first part of the path, or the first two of three and
 * more.
 */
export function placeOf(href: string): Place {
  const [path = ""] = href.replace(/^rtmps?:\/\/[^/?#]*\/?/, "").split("#", 1);
  const end = path.search(/\?|$/);
  const parts = path.slice(0, end).split("/");
  const query = path.slice(end);
  if (parts.length === 1) return { application: path, stream: "" };
  const count = parts.length === 2 ? 1 : 2;
  return { application: parts.slice(0, count).join("/"), stream: parts.slice(count).join("/") + query };
}

/** 32 bits, which begin again at 0. */
class Clock {
  private last: number | undefined;
  private milliseconds = 0;

  seconds(timestamp: number): number {
    if (this.last !== undefined) this.milliseconds += (timestamp - this.last) | 0;
    this.last = timestamp;
    return this.milliseconds / 1000;
  }
}

class RtmpSession implements PacketSession {
  private readonly reader: SocketReader;
  private readonly chunks: Chunks;
  private readonly place: Place;
  private readonly clock = new Clock();
  private window = WINDOW_BYTES;
  private acknowledged = 0;
  private stream = 0;
  private setup: CodecSetup | undefined;
  private hasAudio = false;

  constructor(
    private readonly socket: Socket,
    private readonly address: StreamAddress,
    signal: AbortSignal,
  ) {
    this.reader = new SocketReader(socket, signal);
    this.chunks = new Chunks(this.reader);
    this.place = placeOf(address.href);
  }

  /** @returns the address to which the server redirects; undefined when a recording has ended */
  async *play(): AsyncGenerator<MediaPart, StreamAddress | undefined> {
    await this.shakeHands();
    this.connect();
    for (;;) {
      const message = await this.next();
      const { type, bytes } = message;
      if (type === MESSAGE.audio) yield* this.audio(bytes, message.timestamp);
      else if (type === MESSAGE.aggregate) yield* this.several(message);
      else if (type === MESSAGE.command || type === MESSAGE.extendedCommand) {
        const next = this.command(readValues(bytes.subarray(type === MESSAGE.command ? 0 : 1)));
        if (next) return next;
      } else if (type === MESSAGE.data) {
        const values = readValues(bytes);
        const info = values.find((value) => value instanceof Map);
        if (values[0] === "onPlayStatus" && fieldOf(info, "code") === "NetStream.Play.Complete") return undefined;
      } else this.control(type, bytes);
    }
  }

  end(): void {
    const farewell =
      this.stream > 0 ? this.commandBytes(COMMANDS, 0, ["deleteStream", 0, null, this.stream]) : undefined;
    endSocket(this.socket, farewell);
  }

  /** Simple handshake (5.2). */
  private async shakeHands(): Promise<void> {
    const own = Buffer.concat([Buffer.alloc(8), randomBytes(HANDSHAKE_BYTES - 8)]);
    this.reader.send(Buffer.concat([Buffer.of(RTMP_VERSION), own]));
    const [version] = await this.reader.take(1);
    if (version !== RTMP_VERSION)
      throw errors.liveSourceRefused("its server does not answer with RTMP (version 3 is expected)");
    // A copy: the memory of the connection is used again.
    this.reader.send(Buffer.from(await this.reader.take(HANDSHAKE_BYTES)));
    await this.reader.skip(HANDSHAKE_BYTES);
  }

  private connect(): void {
    const { isSecure, host, port } = this.address;
    const { application } = this.place;
    const server = `${host.includes(":") ? `[${host}]` : host}:${port}`;
    const description = new Map<string, Value>([
      ["app", application],
      ["flashVer", "LNX 9,0,124,2"],
      ["tcUrl", `${isSecure ? "rtmps" : "rtmp"}://${server}/${application}`],
      ["fpad", false],
      ["capabilities", 15],
      ["audioCodecs", 4_071],
      ["videoCodecs", 252],
      ["videoFunction", 1],
      ["fourCcList", ["mp4a", "Opus", ".mp3"]],
    ]);
    this.sendCommand(COMMANDS, 0, ["connect", CONNECT, description]);
  }

  private async next(): Promise<Message> {
    try {
      const message = await this.chunks.next();
      if (this.reader.received - this.acknowledged >= this.window) this.acknowledge();
      return message;
    } catch (thrown) {
      if (this.hasAudio || this.stream === 0 || this.socket.readableAborted) throw thrown;
      const { code, message } = thrown as ParlanceError;
      if (code !== "live.source_failed") throw thrown;
      throw errors.liveSourceAbsent(
        `${message.replace(/^.*?: /, "")} before it sent audio; it may have no such stream, or no audio that RTMP can have`,
        thrown,
      );
    }
  }

  private *audio(bytes: Buffer, timestamp: number): Generator<MediaPart> {
    const { setup, packet } = readAudio(bytes);
    const seconds = this.clock.seconds(timestamp);
    // Servers repeat the format.
    if (setup && !isDeepStrictEqual(setup, this.setup)) {
      this.setup = setup;
      yield { kind: "setup", setup };
    }
    // Frames before the description of their format cannot be decoded.
    if (!packet || !this.setup) return;
    this.hasAudio = true;
    yield { kind: "packet", bytes: packet, seconds, isAfterLoss: false, isBreak: false };
  }

  /** Messages within a message, whose times begin with that of the message. */
  private *several({ bytes, timestamp }: Message): Generator<MediaPart> {
    let begun: number | undefined;
    for (let at = 0; at + TAG_BYTES <= bytes.length; ) {
      const length = bytes.readUIntBE(at + 1, 3);
      const time = bytes.readUIntBE(at + 4, 3) + (bytes[at + 7] as number) * 2 ** 24;
      begun ??= time;
      const body = bytes.subarray(at + TAG_BYTES, at + TAG_BYTES + length);
      if (bytes[at] === MESSAGE.audio && body.length === length)
        yield* this.audio(body, (timestamp + time - begun) >>> 0);
      at += TAG_BYTES + length + 4;
    }
  }

  /** @returns the address to which the server redirects @throws live.source_refused, live.source_failed */
  private command([name, transaction, ...rest]: Value[]): StreamAddress | undefined {
    const info = rest.find((value, at) => at > 0 && value instanceof Map) ?? rest[0];
    if (name === "_result" && transaction === CONNECT) {
      this.sendControl(MESSAGE.windowSize, [WINDOW_BYTES]);
      this.sendCommand(COMMANDS, 0, ["createStream", CREATE_STREAM, null]);
    } else if (name === "_result" && transaction === CREATE_STREAM) {
      const id = rest.find((value) => typeof value === "number");
      if (!Number.isInteger(id) || (id as number) < 0 || (id as number) >= 2 ** 32)
        throw errors.liveSourceFailed("its server created no stream");
      this.stream = id as number;
      this.sendCommand(STREAM, this.stream, ["play", 0, null, this.place.stream, LIVE_OR_RECORDED]);
      const event = Buffer.alloc(10);
      event.writeUInt16BE(BUFFER_LENGTH, 0);
      event.writeUInt32BE(this.stream, 2);
      event.writeUInt32BE(BUFFER_MILLISECONDS, 6);
      this.reader.send(messageBytes(CONTROL, { type: MESSAGE.userControl, stream: 0, bytes: event }));
    } else if (name === "_error") return this.redirectOf(info);
    else if (name === "close") throw errors.liveSourceFailed("its server closed the connection");
    else if (name === "onStatus") this.status(info);
    return undefined;
  }

  /** @returns the address that the refusal of a connection names @throws live.source_refused */
  private redirectOf(info: Value | undefined): StreamAddress {
    const redirect = fieldOf(fieldOf(info, "ex"), "redirect");
    const next = typeof redirect === "string" ? streamAddress(redirect) : undefined;
    if (next?.protocol !== "rtmp")
      throw errors.liveSourceRefused(`its server refuses the connection${this.reasonOf(info)}`);
    const { stream } = this.place;
    return stream === "" ? next : { ...next, href: `${next.href.replace(/\/$/, "")}/${stream}` };
  }

  private reasonOf(info: Value | undefined): string {
    const texts = ["code", "description"].map((name) => fieldOf(info, name));
    const shown = texts.filter((text) => typeof text === "string" && text !== "").map((text) => shownText(`${text}`));
    return shown.length > 0 ? ` (${shown.join(": ")})` : "";
  }

  /** @throws live.source_refused, live.source_failed: the stream does not exist, or has ended */
  private status(info: Value | undefined): void {
    const code = String(fieldOf(info, "code") ?? "");
    const reason = this.reasonOf(info);
    if (/StreamNotFound|FileNotFound/i.test(code))
      throw errors.liveSourceRefused(`its server has no such stream${reason}`);
    if (fieldOf(info, "level") === "error" || /Failed|Rejected/.test(code))
      throw errors.liveSourceRefused(`its server does not play the stream${reason}`);
    if (/^NetStream\.Play\.(?:Stop|UnpublishNotify|Complete)$/.test(code))
      throw errors.liveSourceFailed(`its server ended the stream${reason}`);
  }

  private control(type: number, bytes: Buffer): void {
    if (type === MESSAGE.windowSize && bytes.length >= 4)
      this.window = Math.max(LEAST_WINDOW_BYTES, Math.floor(bytes.readUInt32BE(0) / 2));
    else if (type === MESSAGE.peerBandwidth) this.sendControl(MESSAGE.windowSize, [WINDOW_BYTES]);
    else if (type === MESSAGE.userControl && bytes.length >= 6) {
      const event = bytes.readUInt16BE(0);
      if (event === STREAM_END && this.hasAudio) throw errors.liveSourceFailed("its server ended the stream");
      if (event !== PING) return;
      const answer = Buffer.concat([Buffer.of(0, PONG), bytes.subarray(2, 6)]);
      this.reader.send(messageBytes(CONTROL, { type: MESSAGE.userControl, stream: 0, bytes: answer }));
    }
  }

  private acknowledge(): void {
    this.acknowledged = this.reader.received;
    this.sendControl(MESSAGE.acknowledgement, [this.acknowledged]);
  }

  private sendControl(type: number, values: readonly number[]): void {
    const bytes = Buffer.alloc(4 * values.length);
    for (const [at, value] of values.entries()) bytes.writeUInt32BE(value % 2 ** 32, 4 * at);
    this.reader.send(messageBytes(CONTROL, { type, stream: 0, bytes }));
  }

  private commandBytes(chunkStream: number, stream: number, values: readonly Value[]): Buffer {
    return messageBytes(chunkStream, { type: MESSAGE.command, stream, bytes: writeValues(values) });
  }

  private sendCommand(chunkStream: number, stream: number, values: readonly Value[]): void {
    this.reader.send(this.commandBytes(chunkStream, stream, values));
  }
}

/** The audio of a stream until a recording ends. @throws live.source_failed, live.source_refused */
export const readRtmp: ReadParts = (source) =>
  playThrough(source, (socket, address) => new RtmpSession(socket, address, source.signal));
