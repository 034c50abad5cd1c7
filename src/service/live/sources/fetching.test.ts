// What a foreign server sends is bounded in size and time, and each address is judged.
import { afterAll, beforeAll, expect, test } from "vitest";
import { SourceServer } from "../../../../test/fixtures/live-source.ts";
import { ScriptedServer } from "../../../../test/fixtures/scripted-server.ts";
import { FetchAddress } from "../../../platform/addresses/fetch-address.ts";
import { Fetching } from "./fetching.ts";
import { HlsReading } from "./hls-reading.ts";
import { parsePlaylist } from "./playlist.ts";

let server: SourceServer;
beforeAll(async () => {
  server = await SourceServer.start();
});
afterAll(() => server.stop());

const fetchingOf = (path: string, { isPrivate = true, stallMilliseconds = 20_000 } = {}) =>
  new Fetching({
    address: FetchAddress.of(server.base + path),
    ...{ accountId: "a", allowPrivateAddresses: isPrivate, signal: new AbortController().signal, stallMilliseconds },
  });

test("an address of a private network is refused before any request", async () => {
  server.text("/playlist", () => "#EXTM3U");
  const fetching = fetchingOf("/playlist", { isPrivate: false });
  await expect(fetching.open(fetching.first, 5_000)).rejects.toMatchObject({
    code: "live.source_refused",
    message: expect.stringContaining("PARLANCE_ALLOW_PRIVATE_ADDRESSES"),
  });
  expect(server.requests).toEqual([]);
});

test.each([
  ["a part", (base: string) => `#EXTINF:1,\n${base}/part.ts`],
  ["a variant", (base: string) => `#EXT-X-STREAM-INF:BANDWIDTH=1\n${base}/variant.m3u8`],
  [
    "the description of the tracks",
    (base: string) => `#EXT-X-MAP:URI="${base}/init"\n#EXTINF:1,\nhttp://1.1.1.1/a.m4s`,
  ],
  ["a key", (base: string) => `#EXT-X-KEY:METHOD=AES-128,URI="${base}/key"\n#EXTINF:1,\nhttp://1.1.1.1/a.ts`],
])("a playlist must not name a private address for %s", async (_, lines) => {
  const before = server.requests.length;
  const fetching = fetchingOf("/", { isPrivate: false });
  const audio = { captions: {}, seconds: 0, hasAudio: false, beginPart: async () => undefined };
  const decoder = { finish: async () => undefined, push: async () => undefined };
  const reading = new HlsReading(fetching, audio as never, decoder as never, () => new Date());
  const text = `#EXTM3U\n#EXT-X-TARGETDURATION:1\n${lines(server.base)}`;
  const base = new URL("http://radio.example/live.m3u8");
  expect(parsePlaylist(text, base)).toBeDefined();
  await expect(reading.read(base, text)).rejects.toMatchObject({ code: "live.source_refused" });
  expect(server.requests).toHaveLength(before);
});

test("a redirect to another scheme is refused", async () => {
  server.paths.set("/moved", (_, response) => response.writeHead(302, { location: "file:///etc/passwd" }).end());
  const fetching = fetchingOf("/moved");
  await expect(fetching.open(fetching.first, 5_000)).rejects.toMatchObject({ code: "live.source_refused" });
});

test("an endless playlist is refused", async () => {
  server.paths.set("/endless", (_, response) => {
    const write = () => {
      while (response.writable && response.write("#EXTINF:1,\na.ts\n".repeat(1_000)));
    };
    response.on("drain", write);
    write();
  });
  const fetching = fetchingOf("/endless");
  await expect(fetching.text(fetching.first, 100_000)).rejects.toMatchObject({
    code: "live.source_refused",
    message: expect.stringContaining("more than 100000 bytes"),
  });
});

test("a server that stalls, and one that breaks off, may be tried again", async () => {
  server.paths.set("/stalled", (_, response) => void response.writeHead(200).write("x"));
  const stalled = fetchingOf("/stalled", { stallMilliseconds: 200 });
  await expect(stalled.text(stalled.first, 100)).rejects.toMatchObject({
    code: "live.source_failed",
    message: expect.stringContaining("sent nothing for 0.2 s"),
  });
  server.paths.set("/broken", (_, response) => {
    response.writeHead(200, { "content-length": 100 }).write("x", () => response.destroy());
  });
  const broken = fetchingOf("/broken");
  await expect(broken.text(broken.first, 1_000)).rejects.toMatchObject({ code: "live.source_failed", retryable: true });
});

test("the password of a source goes to its own origin alone", async () => {
  const other = await SourceServer.start();
  const seen: (string | undefined)[] = [];
  for (const one of [server, other])
    one.paths.set("/part", ({ headers }, response) => {
      seen.push(headers.authorization);
      response.end("x");
    });
  const address = FetchAddress.of(server.base.replace("//", "//user:secret@"));
  const { signal } = new AbortController();
  const fetching = new Fetching({ address, accountId: "a", allowPrivateAddresses: true, signal });
  await fetching.bytes({ url: new URL(`${server.base}/part`) }, 10);
  await fetching.bytes({ url: new URL(`${other.base}/part`) }, 10);
  await other.stop();
  expect(seen).toEqual([`Basic ${Buffer.from("user:secret").toString("base64")}`, undefined]);
});

test.each([
  ["sends the range", true, (bytes: Buffer, from: number, end: number) => bytes.subarray(from, end)],
  ["sends more than the range", true, (bytes: Buffer, from: number) => bytes.subarray(from)],
  ["sends the whole file", false, (bytes: Buffer) => bytes],
])("a range of a file, from a server that %s", async (_, isPartial, answerOf) => {
  const file = Buffer.from(Array.from({ length: 1_000 }, (_value, at) => at % 251));
  const asked: (string | undefined)[] = [];
  server.paths.set("/file", ({ headers }, response) => {
    asked.push(headers.range);
    const [, from = 0, last = 0] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? "")?.map(Number) ?? [];
    const range = { "content-range": `bytes ${from}-${last}/${file.length}` };
    response.writeHead(isPartial ? 206 : 200, isPartial ? range : {}).end(answerOf(file, from, last + 1));
  });
  const fetching = fetchingOf("/file");
  const range = { from: 300, length: 400 };
  expect(await fetching.bytes({ url: fetching.first, range }, 10_000)).toEqual(file.subarray(300, 700));
  expect(asked).toEqual(["bytes=300-699"]);
});

test.each([
  ["another range", { "content-range": "bytes 400-500/1000" }, /another range/],
  ["less than the range", { "content-range": "bytes 300-350/1000" }, /shorter than the range/],
])("a server that sends %s fails", async (_, headers, message) => {
  server.paths.set("/file", (_request, response) => response.writeHead(206, headers).end(Buffer.alloc(51)));
  const fetching = fetchingOf("/file");
  await expect(
    fetching.bytes({ url: fetching.first, range: { from: 300, length: 400 } }, 10_000),
  ).rejects.toMatchObject({ code: "live.source_failed", message: expect.stringMatching(message) });
});

/** A server of SHOUTcast 1. */
async function icy(answer: string): Promise<ScriptedServer> {
  const started = await ScriptedServer.start((socket) => void socket.once("data", () => socket.write(answer)));
  closing.push(() => started.stop());
  return started;
}
const closing: (() => Promise<void>)[] = [];
afterAll(async () => {
  await Promise.all(closing.map((close) => close()));
});
const openIcy = ({ port }: ScriptedServer, isPrivate = true) => {
  const address = FetchAddress.of(`http://us:er@127.0.0.1:${port}/;?a=b`);
  const { signal } = new AbortController();
  const fetching = new Fetching({
    address,
    accountId: "a",
    allowPrivateAddresses: isPrivate,
    signal,
    stallMilliseconds: 200,
  });
  return { fetching, answer: fetching.open(fetching.first, 5_000) };
};

test("an answer of SHOUTcast 1, which is no HTTP, is read", async () => {
  const shoutcast = await icy(
    "ICY 200 OK\r\nicy-name: A\r\nContent-Type:audio/mpeg\r\nicy-metaint:8192\r\nno header\r\n\r\nabc",
  );
  const { fetching, answer } = openIcy(shoutcast);
  const opened = await answer;
  expect(opened).toMatchObject({ contentType: "audio/mpeg", metadataEvery: 8_192, contentLength: undefined });
  const pieces: Buffer[] = [];
  await expect(
    (async () => {
      for await (const piece of fetching.pieces(opened)) pieces.push(piece);
    })(),
  ).rejects.toMatchObject({ code: "live.source_failed", message: expect.stringContaining("sent nothing for 0.2 s") });
  expect(Buffer.concat(pieces).toString()).toBe("abc");
  await expect.poll(() => shoutcast.sockets[1]?.destroyed).toBe(true);
  expect(shoutcast.received.toString()).toMatch(/GET \/;\?a=b HTTP\/1\.0\r\nhost: 127\.0\.0\.1:\d+\r\n/);
  expect(shoutcast.received.toString()).toContain(`authorization: Basic ${Buffer.from("us:er").toString("base64")}`);
});

test.each([
  ["a status of an error", "ICY 404 Not Found\r\n\r\n", /answered 404/],
  ["another protocol", "SSH-2.0-OpenSSH_9.2\r\n\r\n", /something else than HTTP/],
  ["endless headers", `ICY 200 OK\r\n${"a: b\r\n".repeat(4_000)}`, /too many headers/],
])("%s of such a server is refused", async (_, text, message) => {
  await expect(openIcy(await icy(text)).answer).rejects.toThrow(message);
});

test("its address is judged", async () => {
  const shoutcast = await icy("ICY 200 OK\r\n\r\n");
  await expect(openIcy(shoutcast, false).answer).rejects.toMatchObject({ code: "live.source_refused" });
  expect(shoutcast.sockets).toHaveLength(0);
});
