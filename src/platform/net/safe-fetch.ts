// GET of addresses that clients name. Redirects are followed, each judged as if it were a first address.
import type { Readable } from "node:stream";
import { request } from "undici";
import { FetchAddress } from "../addresses/fetch-address.ts";
import { parseUrl } from "../addresses/web-url.ts";
import { errors } from "../errors.ts";
import { refusedUrl } from "./address-rules.ts";
import { agentFor, deadline, headerText, translateNetworkError } from "./connection.ts";
import { codingsOf, withoutCodings } from "./content-codings.ts";
import { asUtf8 } from "./content-disposition.ts";
import { FetchCookies } from "./fetch-cookies.ts";
import { type IcyAnswer, icyGet, isOtherAnswer } from "./icy-get.ts";
import { withMinimumRate } from "./minimum-rate.ts";
import { lookUpInTurn } from "./name-lookup.ts";
import { statusError } from "./remote-status.ts";

export interface ByteRange {
  from: number;
  length: number;
}

export interface SafeFetchOptions {
  /** Account on whose behalf it is fetched. */
  tenant: string;
  allowPrivateAddresses: boolean;
  /** For the whole exchange, body included. */
  timeoutMilliseconds: number;
  /** Least mean rate of the body over half a minute; 0 is no limit. */
  minimumBytesPerSecond: number;
  /** Bytes of the answer that are requested; the server may send all of them. */
  range?: ByteRange;
  /** Whether an endless stream of SHOUTcast 1, which is no HTTP, may be the answer. */
  acceptsIcy?: boolean;
  signal?: AbortSignal;
}

export interface FetchedBody {
  body: Readable;
  /** Address after redirects. */
  url: URL;
  contentLength?: number;
  contentType?: string;
  contentDisposition?: string;
  /** Place of the first byte, if the server sends a part of its file. */
  from?: number;
  /** Bytes between two blocks of metadata in an endless stream of audio (the header icy-metaint). */
  metadataEvery?: number;
}

/** As browsers, curl and the reference client follow. */
const MOST_REDIRECTS = 20;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/**
 * GET of an address that a client named. Its user name and password go to its own origin alone; cookies are kept from one
 * redirect to the next.
 * @returns the body without content codings; its reader bounds its size
 * @throws fetch.address_not_allowed, fetch.unauthorized, fetch.forbidden, fetch.not_found, fetch.gone, fetch.rate_limited,
 *   fetch.failed (retryable where the failure may pass)
 */
export async function safeGet(address: FetchAddress, options: SafeFetchOptions): Promise<FetchedBody> {
  const { signal, clear } = deadline(options.timeoutMilliseconds, options.signal);
  try {
    const { codings, ...fetched } = await followed(address, signal, options);
    const rated = withMinimumRate(fetched.body, options.minimumBytesPerSecond);
    rated.once("close", clear);
    return { ...fetched, body: codings.length > 0 ? await withoutCodings(rated, codings) : rated };
  } catch (error) {
    clear();
    throw error;
  }
}

/**
 * @param address  the current one of the chain; its host may have given credentials of its own
 * @param first  the requested one
 */
function headersFor(url: URL, address: FetchAddress, first: FetchAddress, cookies: FetchCookies) {
  const authorization = address.authorizationFor(url.origin) ?? first.authorizationFor(url.origin);
  const cookie = cookies.headerFor(url);
  return {
    ...(authorization === undefined ? {} : { authorization }),
    ...(cookie === undefined ? {} : { cookie }),
  };
}

function fromIcy(url: URL, { headers, body }: IcyAnswer): FetchedBody & { codings: string[] } {
  const contentType = headers.get("content-type");
  const metadataEvery = metadataOf(headers.get("icy-metaint"));
  return { body, url, codings: [], ...(contentType === undefined ? {} : { contentType }), ...metadataEvery };
}

function metadataOf(header: string | undefined): Pick<FetchedBody, "metadataEvery"> {
  const metadataEvery = Number(header);
  return Number.isSafeInteger(metadataEvery) && metadataEvery > 0 ? { metadataEvery } : {};
}

async function followed(
  given: FetchAddress,
  signal: AbortSignal,
  { tenant, allowPrivateAddresses, range, acceptsIcy = false }: SafeFetchOptions,
): Promise<FetchedBody & { codings: string[] }> {
  const cookies = new FetchCookies();
  let address = given;
  let url = parseUrl(address.shown);
  for (let redirect = 0; redirect <= MOST_REDIRECTS; redirect++) {
    const refused = refusedUrl(url?.href ?? "", allowPrivateAddresses);
    if (refused || !url) throw errors.addressNotAllowed(refused ?? "it cannot be read");
    const options = {
      dispatcher: agentFor(allowPrivateAddresses),
      signal,
      // Recordings are compressed already; a coding would only hide the size.
      headers: {
        "user-agent": "parlance",
        accept: "*/*",
        "accept-encoding": "identity",
        ...(range ? { range: `bytes=${range.from}-${range.from + range.length - 1}` } : {}),
        ...headersFor(url, address, given, cookies),
      },
    };
    const target = url;
    const asked = lookUpInTurn(target.hostname, tenant, signal).then(() => request(target, options));
    const { headers: sent } = options;
    const response = await asked.catch((thrown: unknown) => {
      if (acceptsIcy && isOtherAnswer(thrown)) return undefined;
      throw translateNetworkError(thrown);
    });
    if (!response)
      return fromIcy(target, await icyGet(target, { tenant, allowPrivateAddresses, signal, headers: sent }));
    const { statusCode, headers, body } = response;
    body.on("error", () => undefined);
    try {
      cookies.keep(headers["set-cookie"], target);
    } catch (error) {
      body.destroy();
      throw error;
    }
    const location = headerText(headers["location"]);
    if (REDIRECTS.has(statusCode) && location) {
      // The body of a redirect or a failure is not needed, and its host may send it slowly.
      body.destroy();
      const next = parseUrl(asUtf8(location), target);
      if (!next)
        throw errors.remoteFailed("its host redirects to something unreadable", undefined, { isPassing: false });
      address = FetchAddress.of(next.href);
      url = parseUrl(address.shown);
      continue;
    }
    if (statusCode < 200 || statusCode > 299) {
      body.destroy();
      throw statusError(statusCode, headerText(headers["retry-after"]), new Date());
    }
    const codings = codingsOf(headerText(headers["content-encoding"]));
    // The header states the compressed length.
    const length = codings.length > 0 ? Number.NaN : Number(headerText(headers["content-length"]));
    const contentType = headerText(headers["content-type"]);
    const contentDisposition = headerText(headers["content-disposition"]);
    const from = /^bytes (\d{1,15})-/.exec(headerText(headers["content-range"]) ?? "")?.[1];
    return {
      body,
      url,
      codings,
      ...metadataOf(headerText(headers["icy-metaint"])),
      ...(statusCode === 206 && from !== undefined ? { from: Number(from) } : {}),
      ...(Number.isFinite(length) && length > 0 ? { contentLength: length } : {}),
      ...(contentType ? { contentType } : {}),
      ...(contentDisposition ? { contentDisposition } : {}),
    };
  }
  throw errors.remoteFailed(`its host redirects more than ${MOST_REDIRECTS} times`, undefined, { isPassing: false });
}
