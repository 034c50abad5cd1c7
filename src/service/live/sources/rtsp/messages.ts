// Requests and answers of RTSP (RFC 2326) on one connection, between which packets are interleaved (10.12).
import { errors } from "../../../../platform/errors.ts";
import { MESSAGE_BYTES, type SocketReader } from "../packets/socket-reader.ts";

const INTERLEAVED = 0x24;
const MOST_LINE_BYTES = 8_192;
const MOST_HEADERS = 100;
const MOST_BODY_BYTES = 65_536;
/** Bytes between messages that are passed over: cameras send damaged packets. */
const MOST_STRAY_BYTES = 65_536;

export interface Answer {
  kind: "answer";
  status: number;
  /** By name in lower case. */
  headers: ReadonlyMap<string, readonly string[]>;
  body: string;
}

export type Received =
  | { kind: "interleaved"; channel: number; bytes: Buffer }
  | Answer
  /** Of the server. */
  | { kind: "request"; method: string; sequence: string };

export interface RtspRequest {
  method: string;
  url: string;
  sequence: number;
  headers: Readonly<Record<string, string>>;
}

export function requestBytes({ method, url, sequence, headers }: RtspRequest): Buffer {
  const lines = [
    `${method} ${url} RTSP/1.0`,
    `CSeq: ${sequence}`,
    "User-Agent: parlance",
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ];
  return Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1");
}

/** Requests of the server are not supported: it must continue without them. */
export const refusalBytes = (sequence: string): Buffer =>
  Buffer.from(`RTSP/1.0 501 Not Implemented\r\nCSeq: ${sequence.replace(/\D/g, "") || "0"}\r\n\r\n`, "latin1");

/** Headers of an answer, of which the first one counts. */
export const headerOf = ({ headers }: Pick<Answer, "headers">, name: string): string | undefined =>
  headers.get(name)?.[0];

export class RtspMessages {
  private strayBytes = 0;

  constructor(private readonly reader: SocketReader) {}

  /** @throws live.source_failed: the connection ended; live.source_refused: it is no RTSP */
  async next(): Promise<Received> {
    this.reader.owe(MESSAGE_BYTES);
    for (;;) {
      const [first] = await this.reader.peek(1);
      if (first === INTERLEAVED) {
        const header = await this.reader.take(4);
        const bytes = await this.reader.take(header.readUInt16BE(2));
        return { kind: "interleaved", channel: header[1] as number, bytes };
      }
      // Lines begin with a letter.
      if (first === undefined || !/[A-Za-z]/.test(String.fromCharCode(first))) {
        await this.stray(1);
        continue;
      }
      const line = await this.reader.line(MOST_LINE_BYTES);
      const status = /^RTSP\/\d\.\d (\d{3})(?: |$)/.exec(line)?.[1];
      if (status !== undefined) {
        const { headers, body } = await this.rest();
        return { kind: "answer", status: Number(status), headers, body };
      }
      const method = /^([A-Z_]{3,20}) \S+ RTSP\/\d\.\d$/.exec(line)?.[1];
      if (method !== undefined) {
        const { headers } = await this.rest();
        return { kind: "request", method, sequence: headerOf({ headers }, "cseq") ?? "" };
      }
      if (/^HTTP\//.test(line)) throw errors.liveSourceRefused("its server answers with HTTP, not with RTSP");
      await this.stray(line.length, false);
    }
  }

  private async stray(bytes: number, isUnread = true): Promise<void> {
    this.strayBytes += bytes;
    if (this.strayBytes > MOST_STRAY_BYTES)
      throw errors.liveSourceRefused(`its server sent ${MOST_STRAY_BYTES} bytes that are no RTSP`);
    if (isUnread) await this.reader.skip(bytes);
  }

  private async rest(): Promise<{ headers: Map<string, string[]>; body: string }> {
    const headers = new Map<string, string[]>();
    for (let count = 0; ; count++) {
      const line = await this.reader.line(MOST_LINE_BYTES);
      if (line === "") break;
      if (count === MOST_HEADERS) throw errors.liveSourceRefused(`its server sent more than ${MOST_HEADERS} headers`);
      const colon = line.indexOf(":");
      if (colon < 0) continue;
      const name = line.slice(0, colon).trim().toLowerCase();
      headers.set(name, [...(headers.get(name) ?? []), line.slice(colon + 1).trim()]);
    }
    const length = headers.get("content-length")?.[0] ?? "0";
    if (!/^\d{1,9}$/.test(length) || Number(length) > MOST_BODY_BYTES)
      throw errors.liveSourceRefused(`its server sent an answer of an impossible length (${length.slice(0, 20)})`);
    return { headers, body: (await this.reader.take(Number(length))).toString("utf8") };
  }
}
