// The only outgoing HTTP of the service. Names are resolved once, every resolved address is judged, and the
// connection goes to the address that was judged, so that a second look-up cannot lead elsewhere (DNS rebinding).
import { lookup as systemLookup } from "node:dns";
import type { LookupFunction } from "node:net";
import type { Readable } from "node:stream";
import { Agent, request } from "undici";
import { errors, ParlanceError } from "../errors.ts";
import { refusedAddress, refusedUrl } from "./address-rules.ts";

export interface SafeFetchOptions {
  allowPrivateAddresses: boolean;
  /** For the whole exchange, body included. */
  timeoutMilliseconds: number;
  signal?: AbortSignal;
}

export interface FetchedBody {
  body: Readable;
  /** Address after redirects. */
  url: URL;
  contentLength?: number;
  contentType?: string;
  contentDisposition?: string;
}

const MOST_REDIRECTS = 5;
const CONNECT_TIMEOUT_MILLISECONDS = 10_000;
const HEADERS_TIMEOUT_MILLISECONDS = 30_000;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

function judgingLookup(allowPrivate: boolean): LookupFunction {
  return (hostname, options, callback) => {
    systemLookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, "", 0);
      const refused = allowPrivate ? undefined : addresses.find(({ address }) => refusedAddress(address));
      if (refused) return callback(errors.addressNotAllowed("its host lies in a private network"), "", 0);
      const first = addresses[0];
      if (!first) return callback(errors.remoteFailed("its host has no address"), "", 0);
      if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}

const agents = new Map<boolean, Agent>();

function agentFor(allowPrivate: boolean): Agent {
  let agent = agents.get(allowPrivate);
  if (!agent) {
    agent = new Agent({
      connect: { lookup: judgingLookup(allowPrivate), timeout: CONNECT_TIMEOUT_MILLISECONDS },
      headersTimeout: HEADERS_TIMEOUT_MILLISECONDS,
    });
    agents.set(allowPrivate, agent);
  }
  return agent;
}

function translated(thrown: unknown): ParlanceError {
  if (thrown instanceof ParlanceError) return thrown;
  const { name, code, cause } = thrown as { name?: string; code?: string; cause?: unknown };
  if (cause instanceof ParlanceError) return cause;
  if (name === "TimeoutError" || code === "UND_ERR_HEADERS_TIMEOUT" || code === "UND_ERR_BODY_TIMEOUT") {
    return errors.remoteFailed("its host was too slow", thrown);
  }
  // Which of refused, unreachable or unknown it was stays in the log: it would tell of our network.
  return errors.remoteFailed("its host could not be reached", thrown);
}

/**
 * GET of a stranger's address.
 * @throws fetch.address_not_allowed, fetch.not_found, fetch.failed
 */
export async function safeGet(address: string, options: SafeFetchOptions): Promise<FetchedBody> {
  const timeout = AbortSignal.timeout(options.timeoutMilliseconds);
  const signal = options.signal ? AbortSignal.any([timeout, options.signal]) : timeout;
  let url = new URL(address);
  for (let redirect = 0; redirect <= MOST_REDIRECTS; redirect++) {
    const refused = refusedUrl(url.href, options.allowPrivateAddresses);
    if (refused) throw errors.addressNotAllowed(refused);
    const response = await request(url, {
      dispatcher: agentFor(options.allowPrivateAddresses),
      signal,
      headers: { "user-agent": "parlance", accept: "*/*" },
    }).catch((thrown: unknown) => {
      throw translated(thrown);
    });
    const { statusCode, headers, body } = response;
    body.on("error", () => undefined);
    const location = headerText(headers["location"]);
    if (REDIRECTS.has(statusCode) && location) {
      await body.dump();
      if (!URL.canParse(location, url.href)) throw errors.remoteFailed("its host redirects to something unreadable");
      url = new URL(location, url);
      continue;
    }
    if (statusCode < 200 || statusCode > 299) {
      await body.dump();
      throw statusCode < 500
        ? errors.remoteNotFound(statusCode)
        : errors.remoteFailed(`its host answered ${statusCode}`);
    }
    const length = Number(headerText(headers["content-length"]));
    const contentType = headerText(headers["content-type"]);
    const contentDisposition = headerText(headers["content-disposition"]);
    return {
      body,
      url,
      ...(Number.isFinite(length) && length > 0 ? { contentLength: length } : {}),
      ...(contentType ? { contentType } : {}),
      ...(contentDisposition ? { contentDisposition } : {}),
    };
  }
  throw errors.remoteFailed(`its host redirects more than ${MOST_REDIRECTS} times`);
}

function headerText(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}

/** What broke while the body of a fetched address was read. */
export function translateBodyError(thrown: unknown): ParlanceError {
  return translated(thrown);
}
