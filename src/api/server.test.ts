// Where the server listens, with a real Fastify and real sockets, but without the service.
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import os from "node:os";
import path from "node:path";
import Fastify from "fastify";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { listenAddressOf, localTargets } from "../platform/config/listen-address.ts";
import { AcceptedSockets } from "../platform/net/accepted-sockets.ts";
import { getLocalJson } from "../platform/net/local-get.ts";
import type { Api } from "./context.ts";
import { ApiServer } from "./server.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "parlance-listen-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

async function listen(host: string, port = 0) {
  const server = new ApiServer(new AcceptedSockets({ stallMilliseconds: 60_000, onRefused: () => undefined }), {});
  const api = Fastify({ serverFactory: server.factory });
  api.get("/health", async ({ socket }) => ({ peer: socket.remoteAddress }));
  await api.ready();
  const address = await server.listen(api as unknown as Api, { host, port, socketMode: "660" });
  stops.push(() => server.stop(api as unknown as Api, 1_000));
  return address;
}

async function peerSeenAt(host: string, address: string): Promise<unknown> {
  const port = Number(/:(\d+)$/.exec(address)?.[1] ?? 0);
  const [target] = localTargets({ host, port });
  const answer = (await getLocalJson(target as { host: string; port: number }, "/health")) as { peer: string };
  return answer?.peer;
}

test.each([
  ["127.0.0.1", /^http:\/\/localhost:\d+$/, /127\.0\.0\.1$/],
  ["0.0.0.0", /^http:\/\/localhost:\d+$/, /127\.0\.0\.1$/],
  ["127.0.0.9", /^http:\/\/127\.0\.0\.9:\d+$/, /^127\./],
  ["localhost", /^http:\/\/localhost:\d+$/, /127\.0\.0\.1|::1/],
  ["*", /^http:\/\/(\[::1\]|localhost):\d+$/, /127\.0\.0\.1|::1/],
  ["[::1]", /^http:\/\/\[::1\]:\d+$/, /^::1$/],
])("%s is listened on, and reached at the address that is shown", async (host, shown, peer) => {
  if (
    host.includes("::") &&
    !Object.values(os.networkInterfaces())
      .flat()
      .some((one) => one?.address === "::1")
  )
    return;
  const address = await listen(host);
  expect(address).toMatch(shown);
  expect(await peerSeenAt(host, address)).toMatch(peer);
});

test("* takes IPv4 and IPv6 connections", async () => {
  const port = Number(/:(\d+)$/.exec(await listen("*"))?.[1]);
  expect(await getLocalJson({ host: "127.0.0.1", port }, "/health")).toBeDefined();
});

test("a Unix socket has its permissions, counts as this machine, and is removed by a stop", async () => {
  const file = path.join(folder, "service.sock");
  expect(await listen(`unix:${file}`)).toBe(`unix:${file}`);
  expect(statSync(file).mode & 0o777).toBe(0o660);
  expect(await getLocalJson({ socketPath: file }, "/health")).toEqual({ peer: "127.0.0.1" });
  await expect(listen(file)).rejects.toThrow(/another program listens there/);
  await stops.pop()?.();
  expect(existsSync(file)).toBe(false);
});

test("a socket that a killed process left behind is replaced; another file is not", async () => {
  const file = path.join(folder, "left.sock");
  const { spawnSync } = await import("node:child_process");
  const script = `require("node:net").createServer().listen(${JSON.stringify(file)}, () => process.kill(process.pid, "SIGKILL"))`;
  spawnSync(process.execPath, ["-e", script]);
  expect(statSync(file).isSocket()).toBe(true);
  await listen(file);
  expect(await getLocalJson({ socketPath: file }, "/health")).toBeDefined();
  const other = path.join(folder, "notes.txt");
  writeFileSync(other, "notes");
  await expect(listen(other)).rejects.toThrow(/not a socket/);
  expect(statSync(other).size).toBe(5);
});

test("an address that cannot be listened on is reported in one sentence with a remedy", async () => {
  const holder: Server = createServer();
  await new Promise<void>((resolve) => holder.listen(0, "127.0.0.1", resolve));
  stops.push(() => holder.close());
  const { port } = holder.address() as { port: number };
  const elsewhere = "203.0.113.1";
  // In the network namespace of CI, every address is local.
  const isLocal = await new Promise<boolean>((resolve) => {
    const probe = createServer().once("error", () => resolve(false));
    probe.listen(0, elsewhere, () => probe.close(() => resolve(true)));
  });
  for (const [host, wanted, problem] of [
    ["127.0.0.1", port, /another program listens there.*PARLANCE_PORT/],
    ...(isLocal ? [] : [[elsewhere, 0, /does not have the address.*PARLANCE_HOST/] as const]),
    ["no-such-host.invalid", 0, /name .*PARLANCE_HOST/],
    [path.join(folder, "missing", "a.sock"), 0, /folder does not exist/],
    [path.join(folder, "notes.txt", "a.sock"), 0, /folder is a file/],
  ] as const) {
    const error = await listen(host, wanted).then(
      () => undefined,
      (thrown: { code: string; message: string }) => thrown,
    );
    expect(error?.code, host).toBe("service.cannot_listen");
    expect(error?.message, host).toMatch(problem);
    expect(error?.message, host).toContain(host);
  }
  expect(listenAddressOf({ host: "*", port })).toMatchObject({ hosts: ["::", "0.0.0.0"] });
});
