// POST and PUT to addresses that clients name. Redirects are not followed.
import { request } from "undici";
import { parseUrl } from "../addresses/web-url.ts";
import { errors } from "../errors.ts";
import { storableText } from "../storable.ts";
import { refusedUrl } from "./address-rules.ts";
import { agentFor, deadline, headerText, translateNetworkError } from "./connection.ts";
import { lookUpInTurn } from "./name-lookup.ts";

export interface SafeSendOptions {
  /** Account on whose behalf it is sent. */
  tenant: string;
  method: "POST" | "PUT";
  body: string;
  headers: Record<string, string>;
  allowPrivateAddresses: boolean;
  /** For the whole exchange. */
  timeoutMilliseconds: number;
  signal: AbortSignal;
}

export interface SentAnswer {
  /** HTTP status; null when there was no answer. */
  status: number | null;
  /** First bytes of the answer, or why there was none. */
  detail: string;
  retryAfter?: string;
}

const SHOWN_BYTES = 500;

/** Begin of a body as text; the rest is not waited for. */
async function beginning(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= SHOWN_BYTES) break;
  }
  return storableText(Buffer.concat(chunks).subarray(0, SHOWN_BYTES).toString("utf8"));
}

/** @throws fetch.address_not_allowed, fetch.failed */
export async function safeSend(address: string, options: SafeSendOptions): Promise<SentAnswer> {
  const { method, body, headers, allowPrivateAddresses, timeoutMilliseconds } = options;
  const url = parseUrl(address);
  const refused = refusedUrl(address, allowPrivateAddresses);
  if (refused || !url) throw errors.addressNotAllowed(refused ?? "it cannot be read");
  const { signal, clear } = deadline(timeoutMilliseconds, options.signal);
  try {
    await lookUpInTurn(url.hostname, options.tenant, signal);
    const response = await request(address, {
      method,
      body,
      headers: { "user-agent": "parlance", ...headers },
      dispatcher: agentFor(allowPrivateAddresses),
      signal,
      headersTimeout: timeoutMilliseconds,
    });
    response.body.on("error", () => undefined);
    const retryAfter = headerText(response.headers["retry-after"]);
    // A status is an answer, even when the text behind it never ends.
    const detail = await beginning(response.body).catch(() => "");
    return { status: response.statusCode, detail, ...(retryAfter ? { retryAfter } : {}) };
  } catch (thrown) {
    throw translateNetworkError(thrown, errors.receiverFailed);
  } finally {
    clear();
  }
}
