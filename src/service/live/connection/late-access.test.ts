// Connections of telephony platforms before they are authenticated, over TCP.
import { createServer, type Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { pino } from "pino";
import { afterEach, expect, test } from "vitest";
import { RawSocket } from "../../../../test/fixtures/raw-socket.ts";
import { errors } from "../../../platform/errors.ts";
import type { AcceptedSockets } from "../../../platform/net/accepted-sockets.ts";
import { DIALECTS } from "../dialects/registry.ts";
import type { SessionAccess } from "./session-access.ts";
import { LiveConnections } from "./socket.ts";

let server: Server;
const opened: RawSocket[] = [];

async function started(): Promise<string> {
  const access = {
    ...{ idleMilliseconds: 30_000, mayRefuse: false, isStorageDown: false },
    targetOf: ({ url }: { url: string }) => url,
    countRequest: async () => undefined,
    of: () => ({
      authenticate: async (key: string | undefined) => {
        if (key !== "key") throw key === undefined ? errors.keyMissing("authorization") : errors.keyUnknown();
        return { account: { id: "an-account" }, keyId: null };
      },
      isToken: async (token: string) => token === "token",
    }),
  } as unknown as SessionAccess;
  const sockets = { upgrade: () => undefined } as unknown as AcceptedSockets;
  const connections = new LiveConnections(access, DIALECTS, sockets, pino({ level: "silent" }));
  server = createServer();
  server.on("upgrade", (request, stream, head) => connections.take(request, stream as Socket, head));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

afterEach(() => {
  for (const { socket } of opened.splice(0)) socket.destroy();
  server.close();
});

async function connected(base: string, path: string, headers: readonly string[] = []): Promise<RawSocket> {
  const raw = await RawSocket.open(base);
  opened.push(raw);
  const lines = [
    ...[`GET ${path} HTTP/1.1`, "host: x", "connection: upgrade", "upgrade: websocket", "sec-websocket-version: 13"],
    ...[`sec-websocket-key: ${Buffer.alloc(16).toString("base64")}`, ...headers, "", ""],
  ];
  raw.send(lines.join("\r\n"));
  await expect.poll(() => raw.text).toContain("\r\n\r\n");
  return raw;
}

/** The header of a masked text frame of so many bytes. */
function frameHeader(bytes: number): Buffer {
  const header = Buffer.alloc(14);
  header.writeUInt16BE(0x81_ff);
  header.writeBigUInt64BE(BigInt(bytes), 2);
  return header;
}

/** Its opcode and code stand behind the answer to the upgrade. */
function closeCode(raw: RawSocket): number | undefined {
  const frames = raw.received.subarray(raw.received.indexOf("\r\n\r\n") + 4);
  return frames[0] === 0x88 ? frames.readUInt16BE(2) : undefined;
}

const LATE_PATHS = ["twilio", "telnyx", "plivo"].map((name) => `/telephony/${name}`);
const PATHS = ["twilio", "telnyx", "plivo", "vapi", "jambonz", "freeswitch"].map((name) => `/telephony/${name}`);

test.each([
  ...LATE_PATHS.map((path) => [path, 131_073] as const),
  ["/telephony/vapi?token=token", 1_048_577] as const,
  ["/telephony/jambonz?token=token", 1_048_577] as const,
  ["/telephony/freeswitch?token=token", 1_048_577] as const,
])("%s: a message of %i bytes is refused by the header of its frame", async (path, bytes) => {
  const raw = await connected(await started(), path);
  expect(raw.status).toBe(101);
  raw.send(frameHeader(bytes));
  await expect.poll(() => closeCode(raw)).toBe(1009);
});

test.each(PATHS)("%s: a wrong key or token of the request is refused before the upgrade", async (path) => {
  const base = await started();
  expect((await connected(base, `${path}?key=wrong`)).status).toBe(401);
  expect((await connected(base, path, ["authorization: Bearer wrong"])).status).toBe(401);
  expect((await connected(base, `${path}?token=wrong`)).status).toBe(401);
  // Where no message can have a key, the request must.
  expect((await connected(base, path)).status).toBe(LATE_PATHS.includes(path) ? 101 : 401);
  expect((await connected(base, `${path}?key=key`)).status).toBe(101);
  expect((await connected(base, `${path}?token=token`)).status).toBe(101);
});

test("one connection without a key too many closes the one that waits longest, and none with a key", async () => {
  const base = await started();
  const withKey = await connected(base, "/telephony/twilio?key=key");
  const first = await connected(base, "/telephony/twilio");
  const second = await connected(base, "/telephony/twilio");
  for (let count = 2; count < 100; count++) await connected(base, "/telephony/twilio");
  expect(closeCode(first)).toBeUndefined();
  expect((await connected(base, "/telephony/twilio")).status).toBe(101);
  await expect.poll(() => closeCode(first)).toBe(1013);
  expect([closeCode(second), closeCode(withKey)]).toEqual([undefined, undefined]);
});
