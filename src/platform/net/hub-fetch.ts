// GET from the model hub or mirror that the operator configured: it may be in the private network, and may have to be
// reached through a proxy (HTTP_PROXY, HTTPS_PROXY, NO_PROXY).
import type { Readable } from "node:stream";
import { EnvHttpProxyAgent, request } from "undici";
import { parseUrl } from "../addresses/web-url.ts";
import { headerText } from "./connection.ts";

export interface HubAnswer {
  status: number;
  headers: Readonly<Record<string, string | undefined>>;
  body: Readable & { dump(): Promise<void> };
  /** Address of the response, after redirects. */
  url: string;
}

export interface HubRequest {
  /** Sent to the first host only. */
  token?: string;
  /** First byte wanted. */
  from?: number;
  /** Instead of the file. */
  firstByteOnly?: boolean;
  signal?: AbortSignal;
  /** Default true. */
  followRedirects?: boolean;
}

const MOST_REDIRECTS = 5;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/** A host that sends nothing for this long fails the request. */
const SILENCE_MILLISECONDS = 60_000;
const CONNECT_MILLISECONDS = 10_000;

let agent: EnvHttpProxyAgent | undefined;

function dispatcher(): EnvHttpProxyAgent {
  agent ??= new EnvHttpProxyAgent({
    connect: { timeout: CONNECT_MILLISECONDS },
    headersTimeout: SILENCE_MILLISECONDS,
    bodyTimeout: SILENCE_MILLISECONDS,
  });
  return agent;
}

/** @throws whatever undici throws when there is no answer */
export async function getFromHub(
  address: string,
  method: "GET" | "HEAD",
  { token, from, firstByteOnly, signal, followRedirects = true }: HubRequest,
): Promise<HubAnswer> {
  let url = parseUrl(address);
  if (!url) throw new Error(`${address} is not an address`);
  const first = url.origin;
  for (let redirect = 0; ; redirect++) {
    const response = await request(url, {
      method,
      dispatcher: dispatcher(),
      ...(signal ? { signal } : {}),
      headers: {
        "user-agent": "parlance",
        // Sizes and hashes are of the file itself.
        "accept-encoding": "identity",
        ...(token && url.origin === first ? { authorization: `Bearer ${token}` } : {}),
        ...(from ? { range: `bytes=${from}-` } : {}),
        ...(firstByteOnly ? { range: "bytes=0-0" } : {}),
      },
    });
    // The reader gets the error; without a reader it must not end the process.
    response.body.on("error", () => undefined);
    const location = headerText(response.headers["location"]);
    const isLast = redirect === MOST_REDIRECTS || !followRedirects;
    if (!REDIRECTS.has(response.statusCode) || !location || isLast) {
      const headers = Object.fromEntries(
        Object.entries(response.headers).map(([name, value]) => [name, headerText(value)]),
      );
      return { status: response.statusCode, headers, body: response.body, url: url.href };
    }
    await response.body.dump();
    url = parseUrl(location, url);
    if (!url) throw new Error(`${address} redirects to something unreadable`);
  }
}
