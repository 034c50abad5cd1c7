// Reads a live stream over SRT (draft-sharabayko-srt-01) as its caller. The server sends an MPEG transport stream, or audio that the decoder
// process reads without one.
import { type SrtOptions, srtOptions } from "../../../../platform/addresses/srt-address.ts";
import type { StreamAddress } from "../../../../platform/addresses/stream-address.ts";
import { errors, type ParlanceError } from "../../../../platform/errors.ts";
import { Waker } from "../../../../platform/process/waker.ts";
import type { MediaPart, ReadParts } from "../packets/media-part.ts";
import { encryptedWithoutPassphrase, KEY_ANSWER, KEY_REQUEST } from "./handshake.ts";
import {
  CONTROL,
  type ControlPacket,
  controlPacket,
  type DataPacket,
  lossList,
  MOST_PAYLOAD_BYTES,
  parsePacket,
  SEQUENCE_MASK,
  Timestamps,
} from "./packets.ts";
import { type Delivered, ReceiveBuffer } from "./receive-buffer.ts";
import { callServer, type SrtConnection, timestampSince } from "./srt-call.ts";

const TICK_MILLISECONDS = 10;
/** A server of SRT sends a keep-alive every second. */
const IDLE_MILLISECONDS = 10_000;
const KEEP_ALIVE_MILLISECONDS = 1_000;
/** An acknowledgment that the server has not confirmed is sent again. */
const REPEAT_MILLISECONDS = 250;
const LEAST_REQUEST_MILLISECONDS = 20;
const [FIRST_ROUND_TRIP, FIRST_VARIATION] = [100, 50];
const MOST_TIMED_ACKNOWLEDGMENTS = 64;
const MOST_RANGES = MOST_PAYLOAD_BYTES / 8;
/** Answers to messages of the server, and packets that it gives up at once, for each tick. What it gives up beyond them ends after the latency. */
const MOST_ANSWERS = 10;
/**
 * The server may send this much at once, and this much a second. A datagram counts as DATAGRAM_BYTES more than it has. Datagrams cannot be left
 * unread, unlike bytes of TCP: a server that sends more is disconnected.
 */
const [BURST_BYTES, BYTES_A_SECOND, DATAGRAM_BYTES] = [8_388_608, 8_388_608, 512];
/** Bytes that wait for the decoder, each packet with DATAGRAM_BYTES more. Packets beyond it are left out as if the network had lost them. */
const MOST_UNREAD_BYTES = 8_388_608;
/** Bytes of a part. */
const PART_BYTES = 32_768;
/** Packets in a row that cannot be decrypted. */
const MOST_UNREADABLE = 1_000;

class SrtReceiver {
  private readonly buffer: ReceiveBuffer;
  private readonly timestamps = new Timestamps();
  private readonly waker = new Waker();
  private readonly ending = new AbortController();
  private ready: Delivered[] = [];
  private unreadBytes = 0;
  private failure: ParlanceError | undefined;
  private ticking: NodeJS.Timeout | undefined;
  private credit = BURST_BYTES;
  private creditedAt = performance.now();
  private answers = 0;
  private receivedAt = performance.now();
  private sentAt = performance.now();
  private roundTrip = FIRST_ROUND_TRIP;
  private variation = FIRST_VARIATION;
  private acknowledged: number | undefined;
  private isConfirmed = false;
  private acknowledgedAt = 0;
  private acknowledgments = 0;
  /** When acknowledgments were sent, by number. */
  private readonly sentTimes = new Map<number, number>();
  private isAfterUnreadable = false;
  private unreadable = 0;

  constructor(private readonly connection: SrtConnection) {
    const { sequence, latencyMilliseconds, socket } = connection;
    this.buffer = new ReceiveBuffer(sequence, latencyMilliseconds, (delivered) => {
      this.ready.push(delivered);
      this.unreadBytes += delivered.payload.length + DATAGRAM_BYTES;
      this.waker.wake();
    });
    socket.on("message", (bytes: Buffer) => this.read(bytes));
    socket.on("error", (error: Error) => this.lost(error));
    this.ticking = setInterval(() => this.tick(performance.now()), TICK_MILLISECONDS);
  }

  /** @throws live.source_failed, live.source_refused */
  async *parts(): AsyncGenerator<MediaPart, void> {
    for (;;) {
      const { count } = this.waker;
      const part = this.nextPart();
      if (part) yield part;
      else if (this.failure) throw this.failure;
      else if (this.ending.signal.aborted) return;
      else await this.waker.wait(IDLE_MILLISECONDS, this.ending.signal, count);
    }
  }

  /** Ends the connection. May be called again. */
  end(): void {
    if (this.ending.signal.aborted) return;
    this.ending.abort();
    clearInterval(this.ticking);
    const { socket } = this.connection;
    socket.removeAllListeners("message");
    socket.send(this.packet(CONTROL.shutdown, {}, Buffer.alloc(4)), () => socket.close());
  }

  private packet(type: number, rest: { subtype?: number; specific?: number }, payload: Buffer): Buffer {
    const { begunAt, peer } = this.connection;
    return controlPacket({ type, ...rest, timestamp: timestampSince(begunAt), destination: peer }, payload);
  }

  private send(type: number, rest: { subtype?: number; specific?: number }, payload: Buffer): void {
    if (this.ending.signal.aborted) return;
    this.sentAt = performance.now();
    this.connection.socket.send(this.packet(type, rest, payload), (error) => {
      if (error) this.lost(error);
    });
  }

  private lost(error: Error): void {
    this.fail(errors.liveSourceFailed("its server ended the connection", error));
  }

  /** Ends the connection. The consumer receives the parts so far before the error. */
  private fail(error: ParlanceError): void {
    this.failure ??= error;
    this.end();
    this.waker.wake();
  }

  private read(bytes: Buffer) {
    const now = performance.now();
    if (!this.spend(bytes.length + DATAGRAM_BYTES, now))
      return this.fail(errors.liveSourceFailed(`its server sends more than ${BYTES_A_SECOND} bytes a second`));
    const packet = parsePacket(bytes);
    if (packet?.destination !== this.connection.own) return;
    this.receivedAt = now;
    if (packet.kind === "data") this.readData(packet, now);
    else this.readControl(packet, now);
  }

  private spend(bytes: number, now: number): boolean {
    const earned = ((now - this.creditedAt) / 1000) * BYTES_A_SECOND;
    this.credit = Math.min(BURST_BYTES, this.credit + earned) - bytes;
    this.creditedAt = now;
    return this.credit >= 0;
  }

  private readData({ sequence, timestamp, key, payload }: DataPacket, now: number) {
    if (key !== 0 && !this.connection.keys) return this.fail(encryptedWithoutPassphrase());
    if (this.unreadBytes + payload.length > MOST_UNREAD_BYTES) return;
    this.buffer.add({ sequence, timestamp, key, payload }, now);
  }

  private readControl({ type, subtype, specific, payload }: ControlPacket, now: number) {
    if (type === CONTROL.shutdown) return this.fail(errors.liveSourceFailed("its server ended the connection"));
    if (type === CONTROL.acknowledged) return this.measureRoundTrip(specific, now);
    if (this.answers >= MOST_ANSWERS) return;
    if (type === CONTROL.dropRequest && payload.length >= 8) {
      this.answers++;
      return this.buffer.giveUp(payload.readUInt32BE(0) & SEQUENCE_MASK, payload.readUInt32BE(4) & SEQUENCE_MASK, now);
    }
    // A light acknowledgment has no number.
    if (type === CONTROL.acknowledgment && specific !== 0)
      this.answer(CONTROL.acknowledged, { specific }, Buffer.alloc(4));
    const isKey = type === CONTROL.extension && subtype === KEY_REQUEST;
    if (isKey && this.connection.keys?.accept(payload, now))
      this.answer(CONTROL.extension, { subtype: KEY_ANSWER }, payload);
  }

  private answer(type: number, rest: { subtype?: number; specific?: number }, payload: Buffer): void {
    this.answers++;
    this.send(type, rest, payload);
  }

  /** The server has confirmed an acknowledgment. */
  private measureRoundTrip(number: number, now: number): void {
    const sentAt = this.sentTimes.get(number);
    if (sentAt === undefined) return;
    this.sentTimes.delete(number);
    this.isConfirmed ||= number === this.acknowledgments;
    const sample = now - sentAt;
    this.variation = (3 * this.variation + Math.abs(sample - this.roundTrip)) / 4;
    this.roundTrip = (7 * this.roundTrip + sample) / 8;
  }

  private tick(now: number): void {
    this.answers = 0;
    this.buffer.deliver(now);
    const interval = Math.max(LEAST_REQUEST_MILLISECONDS, this.roundTrip + 4 * this.variation);
    const ranges = this.buffer.toRequest(now, interval, MOST_RANGES);
    if (ranges.length > 0) this.send(CONTROL.lossReport, {}, lossList(ranges));
    this.acknowledge(now);
    if (now - this.sentAt >= KEEP_ALIVE_MILLISECONDS) this.send(CONTROL.keepAlive, {}, Buffer.alloc(4));
    if (now - this.receivedAt >= IDLE_MILLISECONDS)
      this.fail(errors.liveSourceFailed(`its server sent nothing for ${IDLE_MILLISECONDS / 1000} s`));
  }

  private acknowledge(now: number): void {
    const { awaited, room } = this.buffer;
    const isRepeated = awaited === this.acknowledged;
    if (isRepeated && (this.isConfirmed || now - this.acknowledgedAt < REPEAT_MILLISECONDS)) return;
    this.acknowledged = awaited;
    this.isConfirmed = false;
    this.acknowledgedAt = now;
    this.acknowledgments = (this.acknowledgments % 0xffff_ffff) + 1;
    this.sentTimes.set(this.acknowledgments, now);
    const [oldest] = this.sentTimes.keys();
    if (this.sentTimes.size > MOST_TIMED_ACKNOWLEDGMENTS && oldest !== undefined) this.sentTimes.delete(oldest);
    const content = Buffer.alloc(28);
    content.writeUInt32BE(awaited, 0);
    content.writeUInt32BE(Math.round(1000 * this.roundTrip) >>> 0, 4);
    content.writeUInt32BE(Math.round(1000 * this.variation) >>> 0, 8);
    content.writeUInt32BE(room, 12);
    // Rates are for the control of files. Servers of live streams do not use them.
    this.send(CONTROL.acknowledgment, { specific: this.acknowledgments }, content);
  }

  /** What is ready to be read, up to a loss or PART_BYTES. */
  private nextPart(): MediaPart | undefined {
    let first: Delivered | undefined;
    const pieces: Buffer[] = [];
    let [count, bytes] = [0, 0];
    for (const delivered of this.ready) {
      if (bytes >= PART_BYTES || (first && delivered.isAfterLoss)) break;
      count++;
      this.unreadBytes -= delivered.payload.length + DATAGRAM_BYTES;
      const payload = this.readable(delivered);
      if (!payload) {
        this.isAfterUnreadable = true;
        if (++this.unreadable >= MOST_UNREADABLE)
          this.fail(errors.liveSourceFailed("its packets cannot be decrypted by the key that it confirmed"));
        if (first) break;
        continue;
      }
      this.unreadable = 0;
      first ??= { ...delivered, isAfterLoss: delivered.isAfterLoss || this.isAfterUnreadable };
      this.isAfterUnreadable = false;
      pieces.push(payload);
      bytes += payload.length;
    }
    this.ready = this.ready.slice(count);
    if (!first) return undefined;
    const seconds = this.timestamps.seconds(first.timestamp);
    return {
      kind: "bytes",
      bytes: Buffer.concat(pieces, bytes),
      seconds,
      isAfterLoss: first.isAfterLoss,
      isBreak: false,
    };
  }

  private readable({ payload, key, sequence }: Delivered): Buffer | undefined {
    const { keys } = this.connection;
    return keys ? keys.decrypt(payload, key, sequence) : payload;
  }
}

/** The query of an address; with secrets, it is in the place of the user name (FetchAddress). */
function optionsOf({ href, credentials }: StreamAddress): SrtOptions {
  const options = srtOptions(credentials?.user ?? href.replace(/^[^?]*\??/, ""));
  if ("problem" in options) throw errors.liveSourceRefused(`its address ${options.problem}`);
  return options;
}

/** @throws live.source_failed, live.source_refused */
export const readSrt: ReadParts = async function* ({ address, openDatagrams, signal }) {
  const options = optionsOf(address);
  const receiver = new SrtReceiver(await callServer(await openDatagrams(address), options, signal));
  const end = () => receiver.end();
  signal.addEventListener("abort", end, { once: true });
  if (signal.aborted) end();
  try {
    yield* receiver.parts();
  } finally {
    signal.removeEventListener("abort", end);
    end();
  }
};
