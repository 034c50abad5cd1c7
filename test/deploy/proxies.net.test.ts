// The configuration files of deploy/proxies with the real programs in front of the real service, over TLS.
import { readFileSync } from "node:fs";
import http from "node:http";
import https from "node:https";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { freePort } from "../fixtures/free-port.ts";
import { hasProxy, PROXIES, type ProxyName, type RunningProxy, startProxy } from "../fixtures/proxies.ts";
import { HELLO_MP3, silence, wav } from "../fixtures/recordings.ts";
import { finished, type RunningService, ready, startService, TEST_KEY } from "../service.ts";

/** Another address than the proxies have: what the client reports of itself must not count. */
const CLIENT = "127.0.0.2";
const MOST_FILE_BYTES = 20_000_000;
const key = { "x-service-key": TEST_KEY };
/** What a client must not be able to set. */
const FORGED = {
  "x-forwarded-for": "6.6.6.6",
  "x-forwarded-proto": "http",
  "x-forwarded-host": "evil.example",
  "x-forwarded-prefix": "/evil",
};

interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

/** Sends a request on a new connection. */
function ask(
  { certificate }: RunningProxy,
  method: string,
  address: string,
  { headers = {}, body }: { headers?: Record<string, string>; body?: Buffer | string } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const options = { method, ca: certificate, agent: false, localAddress: CLIENT, headers: { ...key, ...headers } };
    const request = https.request(address, options, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: Buffer.concat(chunks).toString(),
        }),
      );
    });
    request.on("error", reject);
    request.end(body);
  });
}

function form(content: Buffer, fields: Record<string, string> = {}) {
  const parts = Object.entries(fields).map(
    ([name, value]) => `--part\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const head = `${parts.join("")}--part\r\ncontent-disposition: form-data; name="file"; filename="a.bin"\r\n\r\n`;
  const body = Buffer.concat([Buffer.from(head), content, Buffer.from("\r\n--part--\r\n")]);
  return { body, headers: { "content-type": "multipart/form-data; boundary=part" } };
}

const RECORDING = wav([silence(1)]);
const LARGE = wav([silence(560)]);

let service: RunningService;
beforeAll(async () => {
  service = await startService({
    environment: { PARLANCE_TRUST_PROXY: "127.0.0.1", PARLANCE_MAX_FILE_BYTES: String(MOST_FILE_BYTES) },
  });
  await ready(service);
});
afterAll(() => service?.remove());

const addressesInAudit = () =>
  [...service.log().matchAll(/^.*"audit":true.*$/gm)].map(
    ([line]) => (JSON.parse(line) as { address: string }).address,
  );

describe.each(PROXIES.filter((name) => name !== "traefik" || hasProxy(name)))("%s", (name: ProxyName) => {
  describe.skipIf(!hasProxy(name))(`(skipped without ${name} and openssl)`, () => {
    let proxy: RunningProxy;
    beforeAll(async () => {
      proxy = await startProxy(name, new URL(service.base).host);
    });
    afterAll(() => proxy?.stop());

    describe.each(["", "/transcripts"])("at %j", (prefix) => {
      const at = (path: string) => `${proxy.base}${prefix}${path}`;

      test("a large recording is uploaded and transcribed; headers of clients do not count", async () => {
        expect(LARGE.length).toBeGreaterThan(0.85 * MOST_FILE_BYTES);
        const large = form(LARGE);
        const before = addressesInAudit().length;
        const headers = { ...FORGED, ...large.headers };
        const uploaded = await ask(proxy, "POST", at("/v2/upload"), { ...large, headers });
        expect(uploaded.status, uploaded.text).toBe(200);
        const { audio_url } = JSON.parse(uploaded.text);
        expect(audio_url).toMatch(new RegExp(`^${at("/file/")}`));
        await expect.poll(() => addressesInAudit().length).toBeGreaterThan(before);
        expect(addressesInAudit().at(-1)).toBe(CLIENT);
        const small = JSON.parse((await ask(proxy, "POST", at("/v2/upload"), form(RECORDING))).text);
        const body = JSON.stringify({ audio_url: small.audio_url });
        const created = await ask(proxy, "POST", at("/v2/pre-recorded"), {
          headers: { "content-type": "application/json" },
          body,
        });
        expect(created.status, created.text).toBe(201);
        const { id, result_url } = JSON.parse(created.text);
        expect((await finished(service, id)).status).toBe("done");
        expect(JSON.parse((await ask(proxy, "GET", result_url)).text).status).toBe("done");
        const listed = JSON.parse((await ask(proxy, "GET", at("/v2/transcription?limit=1"))).text);
        expect((await ask(proxy, "GET", listed.current)).status).toBe(200);
      });

      test("a file over the limit is answered 413 with a message", async () => {
        const { status, text } = await ask(proxy, "POST", at("/v2/upload"), form(Buffer.alloc(MOST_FILE_BYTES + 1)));
        expect(status).toBe(413);
        expect(JSON.parse(text).message).toMatch(/20000000|20 MB|bytes/);
      });

      test("a live session runs over the proxy", async () => {
        const created = await ask(proxy, "POST", at("/v2/live"), {
          headers: { ...FORGED, "content-type": "application/json" },
          body: JSON.stringify({ encoding: "wav/pcm", sample_rate: 16_000, bit_depth: 16, channels: 1 }),
        });
        const { url } = JSON.parse(created.text);
        expect(url).toMatch(new RegExp(`^${at("/v2/live").replace("https", "wss")}\\?token=`));
        const socket = new WebSocket(url, { ca: proxy.certificate });
        const types: string[] = [];
        socket.on("message", (data) => types.push(JSON.parse(data.toString()).type));
        socket.once("open", () => {
          socket.send(Buffer.alloc(32_000));
          socket.send('{"type":"stop_recording"}');
        });
        const code = await new Promise((resolve, reject) => {
          socket.once("close", resolve);
          socket.once("error", reject);
        });
        expect(code).toBe(1000);
        expect(types).toContain("audio_chunk");
        expect(types.at(-1)).toBe("post_final_transcript");
      });

      test("events of a stream arrive", async () => {
        const fields = { model: "whisper-1", stream: "true" };
        const streamed = await ask(
          proxy,
          "POST",
          at("/v1/audio/transcriptions"),
          form(readFileSync(HELLO_MP3), fields),
        );
        expect(streamed.status, streamed.text).toBe(200);
        expect(streamed.headers["content-type"]).toMatch(/^text\/event-stream/);
        expect(streamed.text).toMatch(/transcript\.text\.delta[\s\S]*transcript\.text\.done/);
      });

      test("changes of jobs arrive when they happen", async () => {
        const request = https.get(at("/v2/events"), { ca: proxy.certificate, agent: false, headers: key });
        try {
          const text = await new Promise<string>((resolve, reject) => {
            request.on("error", reject);
            request.on("response", (response) => response.once("data", (piece: Buffer) => resolve(String(piece))));
          });
          expect(text).toMatch(/^retry: /);
        } finally {
          request.destroy();
        }
      });

      test("the console and the documentation find their files", async () => {
        for (const page of ["/", "/jobs", "/docs/quick-start"]) {
          const { status, text } = await ask(proxy, "GET", at(page));
          expect(status, page).toBe(200);
          const links = [...text.matchAll(/(?:src|href)="(\/[^"]+\.(?:js|css|svg))"/g)].map(
            ([, link]) => link as string,
          );
          expect(links.length, page).toBeGreaterThan(0);
          for (const link of links) {
            expect(link).toMatch(new RegExp(`^${prefix}/(assets|docs)/`));
            expect((await ask(proxy, "GET", proxy.base + link)).status, link).toBe(200);
          }
        }
        if (prefix === "") return;
        const { status, headers } = await ask(proxy, "GET", `${proxy.base}${prefix}`);
        expect([301, 302, 307, 308, 200]).toContain(status);
        if (status !== 200) expect(new URL(String(headers["location"]), proxy.base).href).toBe(at("/"));
      });
    });
  });
});

test("a request while the service restarts waits for it; nginx, which cannot hold requests, answers with a message", async () => {
  for (const name of (["haproxy", "caddy", "nginx"] as const).filter(hasProxy)) {
    const port = await freePort();
    const upstream = http.createServer((_, response) => response.end("here"));
    const listen = () => new Promise<void>((resolve) => upstream.listen(port, "127.0.0.1", resolve));
    const close = async () => {
      upstream.closeAllConnections();
      await new Promise((resolve) => upstream.close(resolve));
    };
    await listen();
    const proxy = await startProxy(name, `127.0.0.1:${port}`);
    try {
      await close();
      // Its health check has failed, too.
      if (name === "haproxy") await expect.poll(() => proxy.output()).toMatch(/is DOWN/);
      // Caddy 2.6 cannot send a body a second time.
      const asked =
        name === "caddy"
          ? ask(proxy, "GET", `${proxy.base}/v2/transcription`)
          : ask(proxy, "POST", `${proxy.base}/v2/pre-recorded`, { body: "{}" });
      if (name === "nginx") {
        const { status, headers, text } = await asked;
        expect(status).toBe(503);
        expect(headers["retry-after"]).toBe("2");
        expect(JSON.parse(text).message).toMatch(/Try again/);
        continue;
      }
      // The proxy has accepted it, and finds nothing there.
      await new Promise((resolve) => setTimeout(resolve, 1_500));
      await listen();
      expect(await asked, name).toMatchObject({ status: 200, text: "here" });
    } finally {
      await close();
      await proxy.stop();
    }
  }
});

test("while the disk is full, uploads are answered 507 behind each proxy, and /ready keeps the process in use", async () => {
  const full = await startService({
    environment: {
      PARLANCE_TRUST_PROXY: "127.0.0.1",
      PARLANCE_RESERVE_BYTES: "1000000000000000",
      PARLANCE_WORKERS: "1",
    },
  });
  try {
    await ready(full);
    for (const name of PROXIES.filter(hasProxy)) {
      const proxy = await startProxy(name, new URL(full.base).host);
      try {
        const refused = await ask(proxy, "POST", `${proxy.base}/v2/upload`, form(Buffer.alloc(5_000_000)));
        expect(refused.status, name).toBe(507);
        expect(JSON.parse(refused.text).message, name).toMatch(/space|room|disk/i);
        for (const path of ["/ready", "/v2/transcription"]) {
          expect((await ask(proxy, "GET", proxy.base + path)).status, `${name} ${path}`).toBe(200);
        }
      } finally {
        await proxy.stop();
      }
    }
  } finally {
    await full.remove();
  }
});
