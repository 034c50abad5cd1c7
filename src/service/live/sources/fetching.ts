// Requests to a source. Addresses of redirects and of playlists are judged like the requested one.
import type { Readable } from "node:stream";
import { FetchAddress } from "../../../platform/addresses/fetch-address.ts";
import { parseUrl } from "../../../platform/addresses/web-url.ts";
import { errors, ParlanceError } from "../../../platform/errors.ts";
import { limitedText } from "../../../platform/net/connection.ts";
import { safeGet, translateBodyError } from "../../../platform/net/safe-fetch.ts";
import { within } from "../../../platform/process/within.ts";

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
  /** Audio bytes between two blocks of metadata (Icecast); undefined without them. */
  metadataEvery: number | undefined;
}

export interface FetchingOptions {
  address: FetchAddress;
  accountId: string;
  allowPrivateAddresses: boolean;
  signal: AbortSignal;
  /** A server that sends nothing for this long is disconnected. */
  stallMilliseconds?: number;
}

/** Translates the errors of `safeGet`, whose messages are about `audio_url`. */
function asSourceError(thrown: unknown): ParlanceError {
  const { code, message, retryable } = translateBodyError(thrown);
  const reason = message.replace(/^audio_url could not be fetched: /, "").replace(/audio_url/g, "its address");
  if (code === "fetch.address_not_allowed") return errors.liveSourceRefused(reason);
  return retryable || code === "fetch.failed"
    ? errors.liveSourceFailed(reason, thrown)
    : errors.liveSourceRefused(reason);
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

  /**
   * @param milliseconds  for the whole answer
   * @throws live.source_failed, live.source_refused
   */
  async open(url: URL, milliseconds: number): Promise<Answer> {
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
      });
      return {
        body: fetched.body,
        close,
        url: fetched.url,
        contentType: (fetched.contentType ?? "").split(";")[0]?.trim().toLowerCase() ?? "",
        contentLength: fetched.contentLength,
        metadataEvery: fetched.metadataEvery,
      };
    } catch (thrown) {
      close();
      throw asSourceError(thrown);
    }
  }

  /** @throws live.source_failed, live.source_refused */
  async bytes(url: URL, most: number): Promise<Buffer> {
    const answer = await this.open(url, PLAYLIST_MILLISECONDS);
    const pieces: Buffer[] = [];
    let length = 0;
    for await (const piece of this.pieces(answer, most)) {
      pieces.push(piece);
      length += piece.length;
    }
    return Buffer.concat(pieces, length);
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
      if (thrown instanceof ParlanceError && thrown.code.startsWith("live.source")) throw thrown;
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
