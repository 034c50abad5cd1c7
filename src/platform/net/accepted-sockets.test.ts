// A server with more connections than it may hold: those of least use are closed, and others are answered.
import { once } from "node:events";
import type { Server } from "node:http";
import net, { type AddressInfo, type Socket } from "node:net";
import { afterEach, expect, test } from "vitest";
import { AcceptedSockets } from "./accepted-sockets.ts";
import { mostConnections, slowestSender } from "./crowd.ts";
import { createHttpServer } from "./http-server.ts";

const MOST = 20;
const opened: Socket[] = [];
let server: Server;
let crowded = 0;
afterEach(() => {
  for (const socket of opened.splice(0)) socket.destroy();
  server.close();
});

/** A body is read where the request has a key; without one it is refused before. */
async function listen(): Promise<number> {
  crowded = 0;
  const sockets = new AcceptedSockets({
    ...{ stallMilliseconds: 60_000, mostConnections: MOST, onRefused: () => undefined },
    onCrowded: () => crowded++,
  });
  server = createHttpServer((request, response) => {
    if (request.method === "GET") response.end("alive");
    else if (request.headers["x-key"] === undefined) response.writeHead(401).end();
    else request.resume().once("end", () => response.end("stored"));
  }, sockets);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

interface Client {
  socket: Socket;
  text: () => string;
  until(pattern: RegExp): Promise<void>;
}

async function connect(port: number): Promise<Client> {
  const socket = net.connect(port, "127.0.0.1");
  opened.push(socket);
  let text = "";
  socket.on("data", (chunk) => {
    text += chunk;
  });
  socket.on("error", () => undefined);
  await once(socket, "connect");
  const until = async (pattern: RegExp) => {
    while (!pattern.test(text)) {
      if (socket.destroyed) throw new Error(`closed after ${JSON.stringify(text)}`);
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  return { socket, text: () => text, until };
}

const head = (...lines: string[]) =>
  `${["POST / HTTP/1.1", "host: x", "content-length: 1000000", ...lines].join("\r\n")}\r\n\r\n`;

async function isAlive(port: number): Promise<void> {
  const client = await connect(port);
  client.socket.write("GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n");
  await client.until(/alive/);
}

test("clients without a key that send slowly lock nobody out", async () => {
  const port = await listen();
  for (let count = 0; count < 3 * MOST; count++) {
    const client = await connect(port);
    client.socket.write(head());
    client.socket.write("x".repeat(600));
    await client.until(/401/);
  }
  for (let count = 0; count < 5; count++) await isAlive(port);
  expect(crowded).toBe(1);
});

test("idle connections, and after them the slowest upload, give way; a faster upload is completed", async () => {
  const port = await listen();
  const uploads: Client[] = [];
  for (let count = 0; count < MOST; count++) {
    const client = await connect(port);
    client.socket.write(head("x-key: k"));
    client.socket.write("x".repeat(count === 7 ? 10 : 100_000));
    uploads.push(client);
  }
  // A connection younger than a second is not judged.
  await new Promise((resolve) => setTimeout(resolve, 1_100));
  await isAlive(port);
  await uploads[7]?.until(/too slowly/);
  for (const [at, { socket }] of uploads.entries()) if (at !== 7) socket.write("x".repeat(900_000));
  await Promise.all(uploads.map((client, at) => (at === 7 ? undefined : client.until(/stored/))));
});

test("the bound leaves descriptors for everything else", () => {
  expect(mostConnections(1_024)).toBe(640);
  expect(mostConnections(20)).toBe(16);
});

test("the slowest body is that with the lowest rate, not one that has just begun or that the service holds back", () => {
  const now = 10_000;
  const sender = (at: number, bytes: number, isHeldBack = false) => ({ body: { at, bytes }, isHeldBack });
  const slow = sender(5_000, 600);
  const all = [sender(0, 60_000), slow, sender(9_500, 0), sender(0, 0, true), { body: undefined, isHeldBack: false }];
  expect(slowestSender(all, now)).toBe(slow);
  expect(slowestSender(all.slice(2), now)).toBeUndefined();
});
