// Requests to a source. Addresses of redirects and of playlists are judged like the requested one.
import type { Socket as DatagramSocket } from "node:dgram";
import type { Socket } from "node:net";
import type { Readable } from "node:stream";
import { FetchAddress } from "../../../platform/addresses/fetch-address.ts";
import { type StreamAddress, streamAddress } from "../../../platform/addresses/stream-address.ts";
import { parseUrl } from "../../../platform/addresses/web-url.ts";
import { errors } from "../../../platform/errors.ts";
import { limitedText } from "../../../platform/net/connection.ts";
import { openJudgedDatagrams } from "../../../platform/net/judged-datagrams.ts";
import { openJudgedSocket } from "../../../platform/net/judged-socket.ts";
import { type ByteRange, safeGet } from "../../../platform/net/safe-fetch.ts";
import { within } from "../../../platform/process/within.ts";
import { asSourceError } from "./packets/source-error.ts";

const STALL_MILLISECONDS = 20_000;
const PLAYLIST_MILLISECONDS = 30_000;
/** Time limit of an endless answer: the longest that timers accept. */
export const MOST_MILLISECONDS = 2 ** 31 - 1;
/** A slower answer cannot be audio: the lowest rate of Opus is 750 bytes (6,000 bits) a second. */
const LEAST_BYTES_PER_SECOND = 500;

export interface Answer {
  body: Readable;
  /** Ends the connection. */
  close(): void;
  /** After redirects. */
  url: URL;
  contentType: string;
  contentLength: number | undefined;
  /** Place of the first byte in the file of the server. */
  from: number;
  /** Audio bytes between two blocks of metadata (Icecast); undefined without them. */
  metadataEvery: number | undefined;
}

/** A file, or a range of it. */
export interface Place {
  url: URL;
  range?: ByteRange | undefined;
}

export interface FetchingOptions {
  address: FetchAddress;
  accountId: string;
  allowPrivateAddresses: boolean;
  signal: AbortSignal;
  /** A server that sends nothing for this long is disconnected. */
  stallMilliseconds?: number;
}

export class Fetching {
  constructor(private readonly options: FetchingOptions) {}

  get signal(): AbortSignal {
    return this.options.signal;
  }

  /** The requested address, without its credentials. @throws live.source_refused */
  get first(): URL {
    const url = parseUrl(this.options.address.shown);
    if (!url) throw errors.liveSourceRefused("its address cannot be read");
    return url;
  }

  /** The requested address of RTSP, RTMP or SRT; undefined for one of HTTP. */
  get stream(): StreamAddress | undefined {
    return streamAddress(this.options.address.forStorage());
  }

  /** Opens a connection. @param signal  ends the attempt @throws live.source_failed, live.source_refused */
  async connect(server: StreamAddress, signal: AbortSignal): Promise<Socket> {
    const { accountId: tenant, allowPrivateAddresses } = this.options;
    return openJudgedSocket(server, { tenant, allowPrivateAddresses, signal }).catch((thrown: unknown) => {
      throw asSourceError(thrown);
    });
  }

  /** Opens sockets of UDP to a server. @param signal  ends the attempt @throws live.source_failed, live.source_refused */
  async openDatagrams(server: StreamAddress, signal: AbortSignal): Promise<DatagramSocket[]> {
    const { accountId: tenant, allowPrivateAddresses } = this.options;
    return openJudgedDatagrams(server, { tenant, allowPrivateAddresses, signal }).catch((thrown: unknown) => {
      throw asSourceError(thrown);
    });
  }

  /**
   * @param milliseconds  for the whole answer @param range  of the file; the server may send all of it
   * @throws live.source_failed, live.source_refused
   */
  async open(url: URL, milliseconds: number, range?: ByteRange): Promise<Answer> {
    const { accountId: tenant, allowPrivateAddresses, signal } = this.options;
    const ending = new AbortController();
    const close = () => {
      signal.removeEventListener("abort", close);
      ending.abort();
    };
    signal.addEventListener("abort", close);
    if (signal.aborted) close();
    try {
      const fetched = await safeGet(this.addressOf(url), {
        ...{ tenant, allowPrivateAddresses, signal: ending.signal },
        timeoutMilliseconds: milliseconds,
        minimumBytesPerSecond: LEAST_BYTES_PER_SECOND,
        acceptsIcy: true,
        ...(range ? { range } : {}),
      });
      return {
        body: fetched.body,
        close,
        url: fetched.url,
        contentType: (fetched.contentType ?? "").split(";")[0]?.trim().toLowerCase() ?? "",
        contentLength: fetched.contentLength,
        from: fetched.from ?? 0,
        metadataEvery: fetched.metadataEvery,
      };
    } catch (thrown) {
      close();
      throw asSourceError(thrown);
    }
  }

  /** @throws live.source_failed, live.source_refused */
  async bytes({ url, range }: Place, most: number): Promise<Buffer> {
    const pieces: Buffer[] = [];
    let length = 0;
    for await (const piece of this.at({ url, range }, PLAYLIST_MILLISECONDS, most)) {
      pieces.push(piece);
      length += piece.length;
    }
    return Buffer.concat(pieces, length);
  }

  /**
   * The bytes at a place, as they arrive. @param milliseconds  for all of them @param most  of the answer
   * @throws live.source_failed, live.source_refused
   */
  async *at({ url, range }: Place, milliseconds: number, most: number): AsyncGenerator<Buffer> {
    const answer = await this.open(url, milliseconds, range);
    if (!range) return yield* this.pieces(answer, most);
    // A server that does not support ranges sends the whole file.
    let at = answer.from - range.from;
    if (at > 0) {
      answer.close();
      throw errors.liveSourceFailed("its server sent another range of a file than the requested one");
    }
    for await (const piece of this.pieces(answer, most)) {
      const wanted = piece.subarray(Math.max(0, -at), Math.max(0, range.length - at));
      at += piece.length;
      if (wanted.length > 0) yield wanted;
      if (at >= range.length) return;
    }
    throw errors.liveSourceFailed("a file of its playlist is shorter than the range in the playlist");
  }

  /** The playlist, and the address that it came from. @throws live.source_failed, live.source_refused */
  async text(url: URL, most: number): Promise<{ text: string; url: URL }> {
    const answer = await this.open(url, PLAYLIST_MILLISECONDS);
    return { text: await this.rest(answer, most), url: answer.url };
  }

  /** The text of an answer. @throws live.source_failed, live.source_refused */
  rest(answer: Answer, most: number): Promise<string> {
    return limitedText(this.pieces(answer, most), most);
  }

  /**
   * The bytes of an answer, as they arrive.
   * @param most  of them @throws live.source_failed: the server broke off, or sent nothing for too long; live.source_refused
   */
  async *pieces({ body, close }: Answer, most = Number.POSITIVE_INFINITY): AsyncGenerator<Buffer> {
    const { stallMilliseconds = STALL_MILLISECONDS } = this.options;
    const stalled = () => errors.liveSourceFailed(`its server sent nothing for ${stallMilliseconds / 1000} s`);
    const iterator = (body as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
    let length = 0;
    try {
      for (;;) {
        const next = await within(stallMilliseconds, iterator.next(), stalled);
        if (next.done) return;
        length += next.value.length;
        if (length > most) throw errors.liveSourceRefused(`its server sent more than ${most} bytes for one address`);
        yield next.value;
      }
    } catch (thrown) {
      throw asSourceError(thrown);
    } finally {
      body.on("error", () => undefined);
      close();
      body.destroy();
    }
  }

  /** Credentials of the source go to its own origin alone. */
  private addressOf(url: URL): FetchAddress {
    const { address } = this.options;
    const first = parseUrl(address.forStorage());
    const own = parseUrl(url.href);
    if (!own || url.origin !== first?.origin || url.username !== "" || first.username === "")
      return FetchAddress.of(url.href);
    own.username = first.username;
    own.password = first.password;
    return FetchAddress.of(own.href);
  }
}
