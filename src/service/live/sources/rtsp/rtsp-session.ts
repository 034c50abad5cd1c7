// Plays the audio of a stream over RTSP (RFC 2326): its packets are interleaved with the answers on one connection, so that no other
// address is involved. Cameras deviate from the standard in many ways; the comments name them.
import { randomInt } from "node:crypto";
import type { Socket } from "node:net";
import { isSameServer, type StreamAddress, streamAddress } from "../../../../platform/addresses/stream-address.ts";
import { errors, type ParlanceError } from "../../../../platform/errors.ts";
import type { MediaPart, ReadParts } from "../packets/media-part.ts";
import { type PacketSession, playThrough } from "../packets/packet-session.ts";
import { ANSWER_BYTES, endSocket, SocketReader } from "../packets/socket-reader.ts";
import { Authorization, type Credentials, challengesOf } from "./authentication.ts";
import { type Answer, headerOf, type Received, RtspMessages, refusalBytes, requestBytes } from "./messages.ts";
import { type Payloads, payloadsOf } from "./payloads.ts";
import { isGoodbye, parseRtp, RtpOrder } from "./rtp.ts";
import { baseUrl, controlUrl, type Description, encodingsOf, parseDescription, type Track } from "./sdp.ts";

/** Requests with other authorizations after the first refusal. */
const MOST_AUTHORIZATIONS = 3;
/** Timeout of a session whose server states none (RFC 2326, 12.37). */
const DEFAULT_TIMEOUT_SECONDS = 60;
const [LEAST_ALIVE_SECONDS, MOST_ALIVE_SECONDS] = [2, 30];
const REPORT_MILLISECONDS = 5_000;
/** A recording counts as complete if less than this is missing at its end. */
const COMPLETE_SECONDS = 2;
/** Statuses after which another attempt may succeed. */
const TEMPORARY = new Set([408, 410, 429, 453, 454]);

interface Chosen {
  track: Track;
  payloadType: number;
  rate: number;
  payloads: Payloads;
}

/** @throws live.source_refused: no track can be decoded */
function choose({ tracks }: Description): Chosen {
  const audio = tracks.filter(({ media }) => media === "audio");
  if (audio.length === 0) {
    const names = encodingsOf(tracks);
    throw errors.liveSourceRefused(`its server offers no audio${names === "" ? "" : `: its tracks have ${names}`}`);
  }
  // Descriptions of sound for a loudspeaker of the camera are marked; some cameras mark their microphone alike.
  for (const track of audio.toSorted((one, other) => Number(one.isSending) - Number(other.isSending))) {
    for (const format of track.formats) {
      const payloads = payloadsOf(format);
      if (payloads) return { track, payloadType: format.payloadType, rate: format.rate, payloads };
    }
  }
  const names = encodingsOf(audio) || "an unknown format";
  throw errors.liveSourceRefused(
    `its audio is ${names}; over RTSP, AAC (MPEG4-GENERIC, MP4A-LATM), Opus, G.711, L16 and MPEG audio can be read`,
  );
}

class RtspSession implements PacketSession {
  private readonly reader: SocketReader;
  private readonly messages: RtspMessages;
  private sequence = 0;
  private authorization: Authorization | undefined;
  private session: string | undefined;
  private timeoutSeconds = DEFAULT_TIMEOUT_SECONDS;
  private aliveMethod = "OPTIONS";
  private aliveUrl: string;
  private readonly timers: NodeJS.Timeout[] = [];
  private readonly own = randomInt(1, 2 ** 32);
  private channels: [packets: number, reports: number] = [0, 1];

  constructor(
    private readonly socket: Socket,
    private readonly address: StreamAddress,
    private readonly credentials: Credentials | undefined,
    signal: AbortSignal,
  ) {
    this.reader = new SocketReader(socket, signal);
    this.messages = new RtspMessages(this.reader);
    this.aliveUrl = address.href;
  }

  /** @returns the address to which the server redirects; undefined when a recording has ended */
  async *play(): AsyncGenerator<MediaPart, StreamAddress | undefined> {
    const { href } = this.address;
    const offered = await this.request("OPTIONS", href);
    const methods = (headerOf(offered, "public") ?? "").toUpperCase();
    if (/\bGET_PARAMETER\b/.test(methods)) this.aliveMethod = "GET_PARAMETER";
    const described = await this.request("DESCRIBE", href, { Accept: "application/sdp" });
    const location = headerOf(described, "location");
    if (described.status >= 300 && described.status < 400 && location !== undefined) {
      const next = streamAddress(location, href);
      if (next?.protocol === "rtsp") return next;
      throw errors.liveSourceRefused("its server redirects to an address that is not one of RTSP");
    }
    this.mustSucceed(described, "DESCRIBE");
    const description = parseDescription(described.body);
    const base = baseUrl(headerOf(described, "content-base") ?? headerOf(described, "content-location"), href);
    const { track, payloadType, rate, payloads } = choose(description);
    await this.setUp(controlUrl(base, track.control));
    this.aliveUrl = controlUrl(base, description.control);
    this.mustSucceed(await this.request("PLAY", this.aliveUrl, { Range: "npt=0.000-" }), "PLAY");
    yield { kind: "setup", setup: payloads.setup };
    const order = new RtpOrder(rate);
    this.keepAlive(order);
    const length = description.seconds ?? track.seconds;
    const isOver = (seconds: number) => length !== undefined && seconds >= length - COMPLETE_SECONDS;
    yield* this.packets(order, payloadType, payloads, isOver);
    return undefined;
  }

  /** Ends the session of the server. */
  end(): void {
    for (const timer of this.timers) clearInterval(timer);
    const farewell = this.session === undefined ? undefined : this.bytesOf("TEARDOWN", this.aliveUrl, {});
    endSocket(this.socket, farewell);
  }

  private async *packets(
    order: RtpOrder,
    payloadType: number,
    payloads: Payloads,
    isOver: (seconds: number) => boolean,
  ): AsyncGenerator<MediaPart, void> {
    let reached = 0;
    for (;;) {
      let received: Received;
      try {
        received = await this.receive();
      } catch (thrown) {
        if (isOver(reached)) return;
        throw thrown;
      }
      if (received.kind === "answer" && received.status === 401) this.authorize(received, 0);
      // The server announced a method that it does not support.
      else if (received.kind === "answer" && received.status >= 400) this.aliveMethod = "OPTIONS";
      if (received.kind !== "interleaved") continue;
      if (received.channel === this.channels[1] && isGoodbye(received.bytes)) {
        if (isOver(reached)) return;
        throw errors.liveSourceFailed("its server ended the stream");
      }
      const packet = received.channel === this.channels[0] ? parseRtp(received.bytes) : undefined;
      // Comfort noise and tones have other payload types, and share the numbers of the packets of audio (RFC 3550, 5.1).
      const arrival = packet && order.accept(packet, packet.payloadType === payloadType);
      if (!packet || !arrival) continue;
      reached = arrival.seconds;
      for (const [at, { bytes, seconds }] of payloads.frames(packet, arrival.isAfterLoss || arrival.isBreak).entries())
        yield {
          ...{ kind: "packet", bytes, seconds: arrival.seconds + seconds },
          ...{ isAfterLoss: arrival.isAfterLoss && at === 0, isBreak: arrival.isBreak && at === 0 },
        };
    }
  }

  private async setUp(url: string): Promise<void> {
    const answer = await this.request("SETUP", url, { Transport: "RTP/AVP/TCP;unicast;interleaved=0-1" });
    if (answer.status === 461) throw errors.liveSourceRefused("its server does not send its packets over TCP");
    this.mustSucceed(answer, "SETUP");
    // Servers may choose other channels.
    const chosen = /interleaved=(\d{1,3})(?:-(\d{1,3}))?/i.exec(headerOf(answer, "transport") ?? "");
    if (chosen) this.channels = [Number(chosen[1]), Number(chosen[2] ?? Number(chosen[1]) + 1)];
    const [session = "", ...parameters] = (headerOf(answer, "session") ?? "").split(";", 8);
    if (!/^[\x21-\x7e]{1,512}$/.test(session.trim()))
      throw errors.liveSourceFailed("its server began no session (the header Session is missing)");
    this.session = session.trim();
    const timeout = parameters.map((one) => /^\s{0,4}timeout\s{0,4}=\s{0,4}(\d{1,6})/i.exec(one)?.[1]).find(Boolean);
    if (timeout !== undefined) this.timeoutSeconds = Number(timeout);
  }

  /** Servers end a session that sends no requests. Some end a session that sends no reports of RTCP. */
  private keepAlive(order: RtpOrder): void {
    const seconds = Math.min(Math.max(this.timeoutSeconds / 2, LEAST_ALIVE_SECONDS), MOST_ALIVE_SECONDS);
    const alive = () => this.send(this.aliveMethod, this.aliveUrl, {});
    const report = () => {
      const bytes = order.report(this.own);
      if (!bytes) return;
      const header = Buffer.from([0x24, this.channels[1] & 255, bytes.length >> 8, bytes.length & 255]);
      this.reader.send(Buffer.concat([header, bytes]));
    };
    this.timers.push(setInterval(alive, 1000 * seconds).unref(), setInterval(report, REPORT_MILLISECONDS).unref());
  }

  /** @returns the answer, authorized if the server requires it and the address has credentials */
  private async request(method: string, url: string, headers: Record<string, string> = {}): Promise<Answer> {
    for (let attempt = 0; ; attempt++) {
      this.send(method, url, headers);
      let received = await this.receive();
      while (received.kind !== "answer") received = await this.receive();
      if (received.status !== 401) return received;
      if (attempt === MOST_AUTHORIZATIONS || !this.authorize(received, attempt))
        throw errors.liveSourceRefused("its server refuses the user name or the password of the address");
    }
  }

  /**
   * Authorizes the requests that follow. @param attempt  of the same request: each has the next challenge of the server
   * @returns whether there is another attempt @throws live.source_refused
   */
  private authorize({ headers }: Answer, attempt: number): boolean {
    this.reader.owe(ANSWER_BYTES);
    if (!this.credentials)
      throw errors.liveSourceRefused("its server requires a user name and a password: write them into the address");
    const texts = headers.get("www-authenticate") ?? [];
    const challenges = challengesOf(texts);
    const isStale = texts.some((text) => /\bstale\s{0,4}=\s{0,4}"?true/i.test(text));
    const challenge = challenges[attempt] ?? (isStale ? challenges[0] : undefined);
    if (challenges.length === 0)
      throw errors.liveSourceRefused("its server requires an authorization other than Basic and Digest");
    if (challenge) this.authorization = new Authorization(this.credentials, challenge);
    return challenge !== undefined;
  }

  /** The next answer or packet; requests of the server are refused. */
  private async receive(): Promise<Received> {
    for (;;) {
      const received = await this.messages.next();
      if (received.kind !== "request") return received;
      if (received.method === "REDIRECT" || received.method === "TEARDOWN")
        throw errors.liveSourceFailed(`its server ended the session with ${received.method}`);
      this.reader.send(refusalBytes(received.sequence));
    }
  }

  private bytesOf(method: string, url: string, headers: Record<string, string>): Buffer {
    const all = {
      ...headers,
      ...(this.session === undefined ? {} : { Session: this.session }),
      ...(this.authorization ? { Authorization: this.authorization.header(method, url) } : {}),
    };
    return requestBytes({ method, url, sequence: ++this.sequence, headers: all });
  }

  private send(method: string, url: string, headers: Record<string, string>): void {
    this.reader.send(this.bytesOf(method, url, headers));
  }

  private mustSucceed({ status }: Answer, method: string): void {
    if (status >= 200 && status < 300) return;
    throw failureOf(status, method);
  }
}

function failureOf(status: number, method: string): ParlanceError {
  const reason =
    status === 404 ? "its server has no such stream (404)" : `its server answered ${method} with status ${status}`;
  return status >= 500 || TEMPORARY.has(status) ? errors.liveSourceFailed(reason) : errors.liveSourceRefused(reason);
}

/** The audio of a stream until a recording ends. @throws live.source_failed, live.source_refused */
export const readRtsp: ReadParts = (source) =>
  playThrough(source, (socket, address) => {
    const { credentials = isSameServer(address, source.address) ? source.address.credentials : undefined } = address;
    return new RtspSession(socket, address, credentials, source.signal);
  });
