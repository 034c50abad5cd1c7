// GET of addresses that clients name. Redirects are followed a few times, each judged as if it were new.
import type { Readable } from "node:stream";
import { request } from "undici";
import { errors, type ParlanceError } from "../errors.ts";
import { refusedUrl } from "./address-rules.ts";
import { agentFor, deadline, headerText, translateNetworkError } from "./connection.ts";

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
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/**
 * GET of a stranger's address.
 * @throws fetch.address_not_allowed, fetch.not_found, fetch.failed
 */
export async function safeGet(address: string, options: SafeFetchOptions): Promise<FetchedBody> {
  const { signal, clear } = deadline(options.timeoutMilliseconds, options.signal);
  try {
    const fetched = await followed(address, signal, options.allowPrivateAddresses);
    fetched.body.once("close", clear);
    return fetched;
  } catch (error) {
    clear();
    throw error;
  }
}

async function followed(address: string, signal: AbortSignal, allowPrivateAddresses: boolean): Promise<FetchedBody> {
  let url = new URL(address);
  for (let redirect = 0; redirect <= MOST_REDIRECTS; redirect++) {
    const refused = refusedUrl(url.href, allowPrivateAddresses);
    if (refused) throw errors.addressNotAllowed(refused);
    const response = await request(url, {
      dispatcher: agentFor(allowPrivateAddresses),
      signal,
      headers: { "user-agent": "parlance", accept: "*/*" },
    }).catch((thrown: unknown) => {
      throw translateNetworkError(thrown);
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

/** What broke while the body of a fetched address was read. */
export function translateBodyError(thrown: unknown): ParlanceError {
  return translateNetworkError(thrown);
}
