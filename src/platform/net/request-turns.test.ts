import http, { type RequestListener, type Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { afterEach, expect, test } from "vitest";
import { inTurn, MOST_WAITING_REQUESTS } from "./request-turns.ts";

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

async function connected(handler: RequestListener): Promise<Socket> {
  server = http.createServer(inTurn(handler));
  await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  socket.on("error", () => undefined);
  return socket;
}
const request = (path: string, more = "") => `GET ${path} HTTP/1.1\r\nhost: x\r\n${more}\r\n`;
const ended = (socket: Socket) => new Promise<void>((resolve) => socket.once("close", () => resolve()));

test("requests that are sent ahead are handled one after another and answered in order", async () => {
  const events: string[] = [];
  const socket = await connected((asked, response) => {
    events.push(`begin ${asked.url}`);
    setTimeout(
      () => {
        events.push(`end ${asked.url}`);
        response.end(asked.url);
      },
      asked.url === "/1" ? 30 : 1,
    );
  });
  let text = "";
  socket.on("data", (bytes) => (text += bytes));
  socket.write(request("/1") + request("/2") + request("/3", "connection: close\r\n"));
  await ended(socket);
  expect(events).toEqual(["begin /1", "end /1", "begin /2", "end /2", "begin /3", "end /3"]);
  expect(text.match(/\/\d$|\/\d(?=HTTP)/gm)).toEqual(["/1", "/2", "/3"]);
});

test("a body that is sent ahead is read when its request's turn comes", async () => {
  const bodies: string[] = [];
  const socket = await connected(async (asked, response) => {
    let body = "";
    for await (const bytes of asked) body += bytes;
    bodies.push(body);
    response.end();
  });
  const post = (body: string, more = "") =>
    `POST / HTTP/1.1\r\nhost: x\r\ncontent-length: ${body.length}\r\n${more}\r\n${body}`;
  socket.resume();
  socket.write(post("a".repeat(100_000)) + post("b".repeat(100_000)) + post("c", "connection: close\r\n"));
  await ended(socket);
  expect(bodies.map((body) => body.slice(0, 1) + body.length)).toEqual(["a100000", "b100000", "c1"]);
});

test("when the client leaves, the request under way ends and those that wait never begin", async () => {
  const begun: string[] = [];
  let onClosed = () => {};
  const closed = new Promise<void>((resolve) => (onClosed = resolve));
  const socket = await connected((asked, response) => {
    begun.push(asked.url ?? "");
    response.once("close", onClosed);
    socket.destroy();
  });
  socket.write(request("/1") + request("/2") + request("/3"));
  await closed;
  await new Promise((resolve) => setImmediate(resolve));
  expect(begun).toEqual(["/1"]);
});

test("a connection that sends more ahead than may wait is destroyed", async () => {
  const socket = await connected(() => undefined);
  socket.resume();
  socket.write(request("/").repeat(MOST_WAITING_REQUESTS + 2));
  await ended(socket);
});
