// Requests to servers that the operator configured: they may be in the private network.
import { request } from "undici";
import { deadline, headerText, limitedText } from "./connection.ts";

export interface ProviderAnswer {
  status: number;
  text: string;
  retryAfterSeconds?: number;
}

const MOST_ANSWER_BYTES = 4_000_000;

/** POST of JSON. @throws Error when there is no whole answer in time */
export async function postToProvider(
  url: string,
  body: object,
  options: { headers?: Record<string, string>; timeoutMilliseconds: number; signal?: AbortSignal },
): Promise<ProviderAnswer> {
  const { signal, clear } = deadline(options.timeoutMilliseconds, options.signal);
  try {
    const response = await request(url, {
      method: "POST",
      headers: { "content-type": "application/json", ...options.headers },
      body: JSON.stringify(body),
      signal,
      headersTimeout: options.timeoutMilliseconds,
      bodyTimeout: options.timeoutMilliseconds,
    });
    response.body.on("error", () => undefined);
    const text = await limitedText(response.body as AsyncIterable<Uint8Array>, MOST_ANSWER_BYTES);
    const retryAfter = Number(headerText(response.headers["retry-after"]));
    return {
      status: response.statusCode,
      text,
      ...(Number.isFinite(retryAfter) ? { retryAfterSeconds: retryAfter } : {}),
    };
  } finally {
    clear();
  }
}
