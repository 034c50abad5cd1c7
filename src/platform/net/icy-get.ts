// GET from servers of SHOUTcast 1, which answer `ICY 200 OK` in place of HTTP. Node's parser refuses such answers, so that a second
// connection is read here.
import type { Socket } from "node:net";
import { Readable } from "node:stream";
import { withoutBrackets } from "../addresses/web-url.ts";
import { errors } from "../errors.ts";
import { openJudgedSocket } from "./judged-socket.ts";
import { statusError } from "./remote-status.ts";

const MOST_HEADER_BYTES = 16_384;
const HEADERS_MILLISECONDS = 30_000;
const END = /\r?\n\r?\n/;

/** Whether a request failed because the answer does not begin with HTTP. */
export function isOtherAnswer(thrown: unknown): boolean {
  const { name, message } = thrown as Partial<Error>;
  return name === "HTTPParserError" && message?.includes("does not match the HTTP/1.1 protocol") === true;
}

export interface IcyAnswer {
  /** By name in lower case, the first one of each. */
  headers: ReadonlyMap<string, string>;
  body: Readable;
}

interface IcyOptions {
  tenant: string;
  allowPrivateAddresses: boolean;
  signal: AbortSignal;
  headers: Readonly<Record<string, string>>;
}

/** The bytes up to the end of the headers, and those after it. */
async function headersOf(incoming: AsyncIterator<Buffer>): Promise<{ head: string; rest: Buffer }> {
  let bytes: Buffer = Buffer.alloc(0);
  for (;;) {
    const { done, value } = await incoming.next();
    if (done) throw errors.remoteFailed("its host broke the answer off");
    bytes = Buffer.concat([bytes, value]);
    const text = bytes.toString("latin1", 0, MOST_HEADER_BYTES);
    const end = END.exec(text);
    if (end) return { head: text.slice(0, end.index), rest: bytes.subarray(end.index + end[0].length) };
    if (bytes.length > MOST_HEADER_BYTES)
      throw errors.remoteFailed("its host sent too many headers", undefined, { isPassing: false });
  }
}

function parsed(head: string): ReadonlyMap<string, string> {
  const [first = "", ...lines] = head.split(/\r?\n/);
  const status = /^(?:ICY|HTTP\/\d\.\d) (\d{3})/.exec(first)?.[1];
  if (status === undefined)
    throw errors.remoteFailed("its host answers with something else than HTTP", undefined, { isPassing: false });
  if (status !== "200") throw statusError(Number(status), undefined, new Date());
  const headers = new Map<string, string>();
  for (const line of lines) {
    const colon = line.indexOf(":");
    const name = line.slice(0, Math.max(0, colon)).trim().toLowerCase();
    if (name !== "" && !headers.has(name)) headers.set(name, line.slice(colon + 1).trim());
  }
  return headers;
}

async function* bodyOf(socket: Socket, incoming: AsyncIterator<Buffer>, rest: Buffer): AsyncGenerator<Buffer> {
  try {
    if (rest.length > 0) yield rest;
    for (let next = await incoming.next(); !next.done; next = await incoming.next()) yield next.value;
  } finally {
    socket.destroy();
  }
}

/** @param url  with http or https, judged by its form @throws fetch.address_not_allowed, fetch.failed and others of a status; system errors */
export async function icyGet(url: URL, { headers: given, signal, ...options }: IcyOptions): Promise<IcyAnswer> {
  const isSecure = url.protocol === "https:";
  const port = Number(url.port) || (isSecure ? 443 : 80);
  const host = withoutBrackets(url.hostname);
  const socket = await openJudgedSocket({ host, port, isSecure }, { ...options, signal });
  const end = () => socket.destroy();
  signal.addEventListener("abort", end, { once: true });
  socket.once("close", () => signal.removeEventListener("abort", end));
  const slow = () => socket.destroy(errors.remoteFailed("its host was too slow"));
  const timer = setTimeout(slow, HEADERS_MILLISECONDS).unref();
  try {
    const lines = Object.entries(given).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(`GET ${url.pathname}${url.search} HTTP/1.0\r\nhost: ${url.host}\r\n${lines.join("")}\r\n`);
    const incoming = (socket as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
    const { head, rest } = await headersOf(incoming);
    return { headers: parsed(head), body: Readable.from(bodyOf(socket, incoming, rest), { objectMode: false }) };
  } catch (thrown) {
    socket.destroy();
    throw thrown;
  } finally {
    clearTimeout(timer);
  }
}
