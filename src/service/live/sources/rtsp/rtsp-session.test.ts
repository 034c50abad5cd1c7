// Sessions of RTSP with the servers that exist: their deviations, their failures, and what hostile ones send.
import { afterEach, expect, test, vi } from "vitest";
import { readParts, ScriptedServer, type ServedRequest } from "../../../../../test/fixtures/scripted-server.ts";
import { readRtsp } from "./rtsp-session.ts";

const SDP = ["v=0", "m=video 0 RTP/AVP 96", "a=rtpmap:96 H264/90000", "a=control:trackID=0"];
const PCMU = ["m=audio 0 RTP/AVP 0", "a=control:trackID=1"];
const answer = (status: string, headers: readonly string[] = [], body = "") =>
  [`RTSP/1.0 ${status}`, "CSeq: 1", ...headers, ...(body ? [`Content-Length: ${body.length}`] : []), "", body].join(
    "\r\n",
  );
const described = (lines: readonly string[], headers: readonly string[] = []) =>
  answer("200 OK", ["content-type: application/sdp", ...headers], lines.join("\r\n"));

/** A packet of RTP between the messages. */
function interleaved(channel: number, sequence: number, { type = 0, text = "abcd" } = {}): Buffer {
  const header = Buffer.from([0x24, channel, 0, 12 + text.length, 0x80, type]);
  const rest = Buffer.alloc(10);
  rest.writeUInt16BE(sequence, 0);
  rest.writeUInt32BE(160 * sequence, 2);
  rest.writeUInt32BE(5, 6);
  return Buffer.concat([header, rest, Buffer.from(text)]);
}

let server: ScriptedServer | undefined;
afterEach(async () => {
  vi.useRealTimers();
  await server?.stop();
});

type Answers = Partial<Record<string, (request: ServedRequest, server: ScriptedServer) => string | Buffer | undefined>>;
const STANDARD: Answers = {
  OPTIONS: () => answer("200 OK", ["Public: DESCRIBE, SETUP, PLAY"]),
  DESCRIBE: () => described([...SDP, ...PCMU]),
  SETUP: () => answer("200 OK", ["Session: 12345;timeout=60", "Transport: RTP/AVP/TCP;unicast;interleaved=0-1"]),
  PLAY: () => Buffer.concat([Buffer.from(answer("200 OK")), interleaved(0, 1), interleaved(0, 2)]),
};
async function served(answers: Answers): Promise<(path?: string, most?: number) => ReturnType<typeof readParts>> {
  const all: Answers = { ...STANDARD, ...answers };
  const started = await ScriptedServer.rtsp((request, own) => all[request.method]?.(request, own));
  server = started;
  return (path = "/cam", most = 3) => readParts(readRtsp, `rtsp://127.0.0.1:${started.port}${path}`, most);
}
const methods = () => server?.requests.map(({ method }) => method);

test("the audio of a camera: its setup, then its packets; the session is ended", async () => {
  const read = await served({});
  expect(await read()).toEqual([
    { kind: "setup", setup: { codec: "mu-law", sampleRate: 8_000, channels: 1 } },
    { kind: "packet", bytes: Buffer.from("abcd"), seconds: 0, isAfterLoss: false, isBreak: false },
    { kind: "packet", bytes: Buffer.from("abcd"), seconds: 0.02, isAfterLoss: false, isBreak: false },
  ]);
  await expect.poll(methods).toEqual(["OPTIONS", "DESCRIBE", "SETUP", "PLAY", "TEARDOWN"]);
  const base = `rtsp://127.0.0.1:${server?.port}/cam`;
  expect(server?.requests.map(({ url }) => url)).toEqual([base, base, `${base}/trackID=1`, base, base]);
  expect(server?.requests.at(-1)?.headers.get("session")).toBe("12345");
});

test("lower-case headers, a base without scheme, other channels, packets before the answer, and damaged bytes", async () => {
  const read = await served({
    DESCRIBE: () => described([...SDP, ...PCMU], ["content-base: 192.168.1.10:554/stream0/"]),
    SETUP: () =>
      answer("200 OK", ["session:  abc ; timeout = 20 ", "transport: RTP/AVP/TCP;unicast;interleaved=8-9;ssrc=1"]),
    PLAY: () =>
      Buffer.concat([
        ...[interleaved(8, 1), Buffer.from(answer("200 OK")), Buffer.from([0, 1, 2, 255]), Buffer.from("garbage\r\n")],
        ...[interleaved(0, 2), interleaved(8, 3, { type: 96 }), interleaved(8, 4), Buffer.from([0x24, 8, 0, 2, 1, 1])],
        ...[Buffer.from("OPTIONS rtsp://a RTSP/1.0\r\nCSeq: 7\r\n\r\n"), interleaved(8, 5)],
      ]),
  });
  const parts = await read();
  // The packet before the answer to PLAY is left out.
  expect(parts.map((part) => part.kind === "packet" && part.seconds)).toEqual([false, 0, 0.02]);
  expect(server?.requests[2]?.url).toBe(`rtsp://127.0.0.1:${server?.port}/cam/trackID=1`);
  await expect.poll(() => server?.received.toString("latin1")).toMatch(/RTSP\/1\.0 501 Not Implemented\r\nCSeq: 7/);
});

test("Digest is used for each request after a refusal; the address shows no password", async () => {
  const read = await served({
    DESCRIBE: ({ headers }) => {
      const given = headers.get("authorization") ?? "";
      const challenges = [
        'WWW-Authenticate: Basic realm="a"',
        'www-authenticate: Digest realm="a", nonce="b", qop="auth"',
      ];
      return given.startsWith("Digest") ? described(PCMU) : answer("401 Unauthorized", challenges);
    },
  });
  const credentialed = `rtsp://us%40er:secret@127.0.0.1:${server?.port}/cam`;
  await readParts(readRtsp, credentialed, 2);
  await read("/cam", 2).catch((error: Error) => expect(error.message).toMatch(/user name and a password: write them/));
  expect(server?.requests.map(({ url }) => url).join()).not.toMatch(/secret|us%40er/);
  const authorizations = server?.requests
    .filter(({ method }) => method !== "OPTIONS")
    .map(({ headers }) => headers.get("authorization"));
  expect(authorizations?.slice(0, 4)).toEqual([
    undefined,
    ...Array.from({ length: 3 }, () => expect.stringMatching(/^Digest username="us@er"/)),
  ]);
});

test("a wrong password ends after each challenge was tried", async () => {
  await served({
    DESCRIBE: () => answer("401 Unauthorized", ['WWW-Authenticate: Digest realm="a", nonce="b", stale=true']),
  });
  await expect(readParts(readRtsp, `rtsp://a:b@127.0.0.1:${server?.port}/`, 1)).rejects.toMatchObject({
    code: "live.source_refused",
    message: expect.stringMatching(/refuses the user name or the password/),
  });
  expect(methods()?.filter((one) => one === "DESCRIBE")).toHaveLength(4);
});

test("credentials are sent to their own server alone when it redirects", async () => {
  const other = await ScriptedServer.rtsp(({ method }, own) =>
    STANDARD[method]?.({ method, url: "", headers: new Map() }, own),
  );
  try {
    await served({ DESCRIBE: () => answer("302 Found", [`Location: rtsp://127.0.0.1:${other.port}/moved`]) });
    const parts = await readParts(readRtsp, `rtsp://a:b@127.0.0.1:${server?.port}/`, 2);
    expect(parts).toHaveLength(2);
    expect(other.requests.some(({ headers }) => headers.has("authorization"))).toBe(false);
    expect(other.requests[0]?.url).toBe(`rtsp://127.0.0.1:${other.port}/moved`);
  } finally {
    await other.stop();
  }
});

test.each([
  [
    "a redirect to another protocol",
    { DESCRIBE: () => answer("302 Found", ["Location: file:///etc/passwd"]) },
    /not one of RTSP/,
  ],
  [
    "redirects without end",
    { DESCRIBE: ({ url }: ServedRequest) => answer("302 Found", [`Location: ${url}`]) },
    /redirects more than/,
  ],
  ["no such stream", { DESCRIBE: () => answer("404 Not Found") }, /no such stream/],
  ["no audio", { DESCRIBE: () => described(SDP) }, /offers no audio: its tracks have H264/],
  ["another format", { DESCRIBE: () => described(["m=audio 0 RTP/AVP 9 18"]) }, /its audio is G722, G729; over RTSP/],
  ["packets over UDP", { SETUP: () => answer("461 Unsupported Transport") }, /does not send its packets over TCP/],
  [
    "an impossible length",
    { DESCRIBE: () => "RTSP/1.0 200 OK\r\nContent-Length: -5\r\n\r\n" },
    /impossible length \(-5\)/,
  ],
  ["a huge answer", { DESCRIBE: () => "RTSP/1.0 200 OK\r\nContent-Length: 999999999\r\n\r\n" }, /impossible length/],
  ["endless headers", { OPTIONS: () => `RTSP/1.0 200 OK\r\n${"a: b\r\n".repeat(101)}` }, /more than 100 headers/],
  ["an endless line", { OPTIONS: () => `RTSP/1.0 200 OK\r\na: ${"b".repeat(9_000)}` }, /more than 8192 bytes/],
  ["endless bytes of nothing", { OPTIONS: () => Buffer.alloc(70_000) }, /are no RTSP/],
  ["a server of HTTP", { OPTIONS: () => "HTTP/1.1 400 Bad Request\r\n\r\n" }, /answers with HTTP/],
] as [string, Answers, RegExp][])("%s is refused", async (_, answers, message) => {
  const read = await served(answers);
  await expect(read()).rejects.toMatchObject({ code: "live.source_refused", message: expect.stringMatching(message) });
});

test.each([
  [
    "a failure of the server",
    { DESCRIBE: () => answer("503 Service Unavailable") },
    /answered DESCRIBE with status 503/,
  ],
  [
    "the end of the connection",
    { PLAY: (_: ServedRequest, own: ScriptedServer) => void own.sockets[0]?.destroy() },
    /ended the connection/,
  ],
  [
    "the end of the stream",
    { PLAY: () => Buffer.concat([Buffer.from(answer("200 OK")), Buffer.from("2401000881cb000100000001", "hex")]) },
    /ended the stream/,
  ],
  ["a request to end", { PLAY: () => `${answer("200 OK")}TEARDOWN rtsp://a RTSP/1.0\r\nCSeq: 1\r\n\r\n` }, /TEARDOWN/],
  ["no session", { SETUP: () => answer("200 OK") }, /began no session/],
] as [string, Answers, RegExp][])("%s may pass", async (_, answers, message) => {
  const read = await served(answers);
  await expect(read()).rejects.toMatchObject({ code: "live.source_failed", message: expect.stringMatching(message) });
});

test("a recording ends at its end", async () => {
  const read = await served({
    DESCRIBE: () => described(["a=range:npt=0-1.5", ...PCMU]),
    PLAY: () =>
      Buffer.concat([Buffer.from(answer("200 OK")), interleaved(0, 1), Buffer.from("2401000881cb000100000001", "hex")]),
  });
  expect(await read("/file", 100)).toHaveLength(2);
});

test.each([
  ["no length", ["m=video 0 RTP/AVP 96", "a=range:npt=0-0", ...PCMU]],
  ["a range of the video alone", ["m=video 0 RTP/AVP 96", "a=range:npt=0-1.5", ...PCMU]],
])("the end of a stream with %s is no end of a recording", async (_, lines) => {
  const read = await served({
    DESCRIBE: () => described(lines),
    PLAY: () =>
      Buffer.concat([Buffer.from(answer("200 OK")), interleaved(0, 1), Buffer.from("2401000881cb000100000001", "hex")]),
  });
  await expect(read("/cam", 100)).rejects.toMatchObject({ code: "live.source_failed" });
});

test("comfort noise among the packets is no loss", async () => {
  const read = await served({
    PLAY: () =>
      Buffer.concat([
        ...[Buffer.from(answer("200 OK")), interleaved(0, 1), interleaved(0, 2, { type: 13 })],
        ...[interleaved(0, 3), interleaved(0, 5)],
      ]),
  });
  expect((await read("/cam", 4)).slice(1)).toMatchObject([
    { seconds: 0, isAfterLoss: false },
    { seconds: 0.04, isAfterLoss: false },
    { seconds: 0.08, isAfterLoss: true },
  ]);
});

test("the session is kept alive as the server offers, and receives reports", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const read = await served({
    OPTIONS: () => answer("200 OK", ["Public: GET_PARAMETER"]),
    SETUP: () => answer("200 OK", ["Session: 1;timeout=10"]),
    GET_PARAMETER: () => answer("405 Method Not Allowed"),
  });
  const reading = read("/cam", 4);
  await expect.poll(methods, { timeout: 10_000 }).toContain("PLAY");
  await vi.advanceTimersByTimeAsync(5_000);
  await expect.poll(methods).toContain("GET_PARAMETER");
  const [socket] = server?.sockets ?? [];
  await expect.poll(() => server?.received.includes(Buffer.from([0x24, 1, 0, 32, 0x81, 201]))).toBe(true);
  // The refusal of GET_PARAMETER arrived before the third packet.
  socket?.write(interleaved(0, 3));
  await reading;
  const again = read("/cam", 4);
  await expect.poll(() => methods()?.filter((one) => one === "PLAY").length).toBe(2);
  const later = async () => {
    await vi.advanceTimersByTimeAsync(5_000);
    return methods()?.at(-1);
  };
  await expect.poll(later).toBe("OPTIONS");
  server?.sockets.at(-1)?.write(interleaved(0, 3));
  await again;
});
