// Fetches against a real server: which failures are tried again, how often, and what is read of coded bodies.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import zlib from "node:zlib";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { FetchAddress } from "../addresses/fetch-address.ts";
import { type FailedAttempt, fetchWithRetries, type RetriedFetchOptions } from "./retried-fetch.ts";

type Answer = (response: ServerResponse, request: IncomingMessage) => void;

let server: Server;
let base: string;
/** One for each request; the last one stays. */
let answers: Answer[] = [];
let requests: IncomingMessage[] = [];
beforeAll(async () => {
  server = createServer((request, response) => {
    requests.push(request);
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    answer?.(response, request);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
});
beforeEach(() => {
  requests = [];
});

const CONTENT = Buffer.from("RIFF and so on, many times over. ".repeat(1_000));
const whole: Answer = (response) => response.end(CONTENT);
const status =
  (code: number, headers: Record<string, string> = {}): Answer =>
  (response) =>
    response.writeHead(code, headers).end();

interface Outcome {
  content: Buffer;
  failed: FailedAttempt[];
}

async function fetched(
  given: Answer[],
  more: Partial<RetriedFetchOptions> = {},
  path = "/recording.wav",
): Promise<Outcome> {
  answers = [...given];
  const failed: FailedAttempt[] = [];
  const options: RetriedFetchOptions = {
    tenant: "a",
    allowPrivateAddresses: true,
    timeoutMilliseconds: 20_000,
    minimumBytesPerSecond: 0,
    retries: { most: 4, spanSeconds: 10 },
    firstPauseMilliseconds: 5,
    random: () => 0.5,
    onFailed: async (one) => void failed.push(one),
    ...more,
  };
  const content = await fetchWithRetries(FetchAddress.of(base + path), options, ({ body }) => buffer(body));
  return { content, failed };
}

describe("failures that may pass", () => {
  test.each([408, 425, 429, 500, 502, 503, 504])("%d is tried again", async (code) => {
    const { content, failed } = await fetched([status(code), status(code), whole]);
    expect(content.equals(CONTENT)).toBe(true);
    expect(failed.map(({ attempts }) => attempts)).toEqual([1, 2]);
    expect(failed[0]?.failure).toContain(String(code));
  });

  test("so are answers that break off, with and without a stated length, and connections that are closed", async () => {
    const short: Answer = (response) => {
      response.writeHead(200, { "content-length": String(CONTENT.length) });
      response.write(CONTENT.subarray(0, 100), () => response.destroy());
    };
    const chunked: Answer = (response) => {
      response.write(CONTENT.subarray(0, 100), () => response.destroy());
    };
    const closed: Answer = (response) => response.destroy();
    const { content, failed } = await fetched([short, chunked, closed, whole]);
    expect(content.equals(CONTENT)).toBe(true);
    expect(failed).toHaveLength(3);
  });

  test("the error after the last attempt has the number of attempts", async () => {
    await expect(fetched([status(503)])).rejects.toMatchObject({
      code: "fetch.failed",
      status: 424,
      retryable: false,
      message: expect.stringMatching(/its host answered 503 \(given up after 4 attempts\)/),
    });
    expect(requests).toHaveLength(4);
  });

  test("pauses double, and are as long as the host requests", async () => {
    const { failed } = await fetched([status(500), status(500), status(500), whole], { firstPauseMilliseconds: 40 });
    expect(failed).toHaveLength(3);
    const asked = await fetched([status(429, { "retry-after": "1" }), whole]);
    expect(asked.failed[0]?.pauseMilliseconds).toBeGreaterThanOrEqual(1_000);
    const date = new Date(Date.now() + 1_500).toUTCString();
    const dated = await fetched([status(503, { "retry-after": date }), whole]);
    expect(dated.content.equals(CONTENT)).toBe(true);
  });

  test("a longer pause than the bound is not waited for", async () => {
    await expect(fetched([status(429, { "retry-after": "3600" })])).rejects.toMatchObject({
      code: "fetch.rate_limited",
      status: 429,
      message: expect.stringMatching(/answered 429.*after 1 attempt; the pause of 3600 s/),
    });
    expect(requests).toHaveLength(1);
  });

  test("an abort ends the pause", async () => {
    const abort = new AbortController();
    const asked = fetched([status(503, { "retry-after": "5" })], {
      signal: abort.signal,
      onFailed: async () => abort.abort(),
    });
    await expect(asked).rejects.toMatchObject({ code: "work.aborted" });
  });
});

describe("failures that stay", () => {
  test.each([
    [400, 424, "fetch.failed", /answered 400/],
    [401, 401, "fetch.unauthorized", /answered 401/],
    [403, 403, "fetch.forbidden", /answered 403/],
    [404, 404, "fetch.not_found", /answered 404/],
    [410, 410, "fetch.gone", /answered 410/],
    [451, 424, "fetch.failed", /answered 451/],
  ])("%d has an error of its own and is not tried again", async (code, jobCode, name, message) => {
    await expect(fetched([status(code)])).rejects.toMatchObject({
      status: jobCode,
      code: name,
      message: expect.stringMatching(message),
    });
    expect(requests).toHaveLength(1);
  });

  test("a name that does not exist, and a forbidden address behind a redirect", async () => {
    answers = [status(302, { location: "http://169.254.169.254/latest" })];
    const closed = { allowPrivateAddresses: false };
    await expect(fetched(answers, closed)).rejects.toMatchObject({ code: "fetch.address_not_allowed" });
    await expect(fetched([status(302, { location: "file:///etc/passwd" })])).rejects.toMatchObject({
      code: "fetch.address_not_allowed",
    });
    expect(requests).toHaveLength(1);
  });
});

describe("redirects", () => {
  const hop: Answer = (response, request) => {
    const left = Number(/left=(\d+)/.exec(request.url ?? "")?.[1]);
    if (left === 0) response.end(CONTENT);
    else response.writeHead(307, { location: `/hop?left=${left - 1}` }).end("not read");
  };

  test("20 are followed, 21 are not", async () => {
    expect((await fetched([hop], {}, "/hop?left=20")).content.equals(CONTENT)).toBe(true);
    requests = [];
    await expect(fetched([hop], {}, "/hop?left=21")).rejects.toMatchObject({
      message: expect.stringMatching(/more than 20 times/),
    });
    expect(requests).toHaveLength(21);
  });
});

describe("content codings", () => {
  const coded =
    (encoding: string, body: Uint8Array): Answer =>
    (response) =>
      response.writeHead(200, { "content-encoding": encoding }).end(body);

  test("identity is requested", async () => {
    await fetched([whole]);
    expect(requests[0]?.headers["accept-encoding"]).toBe("identity");
  });

  test.each([
    ["gzip", zlib.gzipSync(CONTENT)],
    ["X-GZIP", zlib.gzipSync(CONTENT)],
    ["deflate", zlib.deflateSync(CONTENT)],
    ["deflate", zlib.deflateRawSync(CONTENT)],
    ["br", zlib.brotliCompressSync(CONTENT)],
    ["gzip, br", zlib.brotliCompressSync(zlib.gzipSync(CONTENT))],
    ["identity", CONTENT],
    ["aws-chunked", CONTENT],
    ["gzip", CONTENT],
  ])("%s is decoded", async (encoding, body) => {
    expect((await fetched([coded(encoding, body)])).content.equals(CONTENT)).toBe(true);
  });

  test("a coding that breaks off is tried again; an unknown one is named", async () => {
    const cut = coded("gzip", zlib.gzipSync(CONTENT).subarray(0, 50));
    const brokenBr = coded("br", zlib.brotliCompressSync(CONTENT).subarray(0, 20));
    const { content, failed } = await fetched([cut, brokenBr, whole]);
    expect(content.equals(CONTENT)).toBe(true);
    expect(failed[0]?.failure).toMatch(/content coding gzip is damaged/);
    expect(failed[1]?.failure).toMatch(/content coding br is damaged/);
    await expect(fetched([coded("zstd", CONTENT)])).rejects.toMatchObject({
      message: expect.stringMatching(/content coding zstd, which is not read here/),
    });
  });

  test("what a few bytes become is read no further than its reader does", async () => {
    const bomb = zlib.gzipSync(Buffer.alloc(50_000_000));
    answers = [coded("gzip", bomb)];
    const read = async (body: AsyncIterable<Buffer>) => {
      let bytes = 0;
      for await (const chunk of body) {
        bytes += chunk.length;
        if (bytes > 1_000_000) break;
      }
      return bytes;
    };
    const options = { tenant: "a", allowPrivateAddresses: true, timeoutMilliseconds: 5_000, minimumBytesPerSecond: 0 };
    const retries = { most: 1, spanSeconds: 0 };
    const bytes = await fetchWithRetries(FetchAddress.of(base), { ...options, retries }, ({ body }) => read(body));
    expect(bytes).toBeLessThan(2_000_000);
  });
});
