// The Caddyfile of the layout on many machines: WebSockets go to the processes for live sessions, and a client waits while no process
// behind it is ready.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import http from "node:http";
import os from "node:os";
import path from "node:path";
import type { Duplex } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { freePort } from "../fixtures/free-port.ts";
import { findProgram } from "../fixtures/programs.ts";
import { WEBSOCKET_PATHS } from "../fixtures/wires.ts";

const CADDY = findProgram("caddy");
/** Longer than several of the proxy's health checks. */
const AWAY_MILLISECONDS = 2_000;

describe.skipIf(!CADDY)("deploy/Caddyfile (skipped without caddy)", () => {
  const caddies: ChildProcess[] = [];
  let folder: string;
  let base: string;
  const ports: Record<string, number> = {};
  /** Upgraded connections. */
  const held: Duplex[] = [];
  const clients: Duplex[] = [];

  /** Takes the place of a process of the service: it is ready, and answers every request with its name. */
  const start = (name: string): Promise<http.Server> =>
    new Promise((resolve) => {
      const server = http.createServer((_, response) => response.end(name));
      const head = [
        "HTTP/1.1 101 Switching Protocols",
        "connection: Upgrade",
        "upgrade: websocket",
        `x-process: ${name}`,
      ];
      server.on("upgrade", (_, socket) => {
        held.push(socket);
        socket.write(`${head.join("\r\n")}\r\n\r\n`);
        // A client that left is no failure.
        socket.on("error", () => undefined);
      });
      server.listen(ports[name], "127.0.0.1", () => resolve(server));
    });

  const stop = async (servers: readonly http.Server[]) => {
    for (const socket of [...held.splice(0), ...clients.splice(0)]) socket.destroy();
    await Promise.all(
      servers.map((server) => {
        server.closeAllConnections();
        return new Promise((resolve) => server.close(resolve));
      }),
    );
  };

  const answerTo = (headers: Record<string, string>, target = "/v2/live?token=1", proxy = base): Promise<string> =>
    new Promise((resolve, reject) => {
      const request = http.get(`${proxy}${target}`, { headers, agent: false });
      request.on("error", reject);
      request.on("upgrade", (response, socket) => {
        clients.push(socket);
        resolve(String(response.headers["x-process"]));
      });
      request.on("response", async (response) => {
        let text = "";
        for await (const chunk of response) text += chunk;
        resolve(`${response.statusCode} ${text}`);
      });
    });

  /** @param waits  whether clients wait for a process that is not ready @returns its address */
  async function runCaddy(text: string, waits = true): Promise<string> {
    const port = await freePort();
    const address = `http://127.0.0.1:${port}`;
    const site = text
      .replace(/^:8080/m, address)
      // A busy machine needs longer than a user would wait.
      .replaceAll("lb_try_duration 9s", `lb_try_duration ${waits ? "50s" : "0s"}`)
      .replace(/\b((?:api|live)-[12]):8080/g, (_, name: string) => `127.0.0.1:${ports[name]}`)
      .replace(/\bparlance-(api|live):8080/g, (_, name: string) => `127.0.0.1:${ports[`${name}-1`]}`);
    const file = path.join(folder, `Caddyfile-${port}`);
    writeFileSync(file, /^\{/m.test(site) ? site : `{\n\tadmin off\n}\n${site}`);
    caddies.push(
      spawn(CADDY as string, ["run", "--config", file, "--adapter", "caddyfile"], {
        stdio: "ignore",
        env: { HOME: folder, PATH: process.env["PATH"] },
      }),
    );
    return address;
  }

  beforeAll(async () => {
    folder = mkdtempSync(path.join(os.tmpdir(), "parlance-caddy-"));
    for (const name of ["api-1", "api-2", "live-1", "live-2"]) ports[name] = await freePort();
    base = await runCaddy(
      readFileSync("deploy/Caddyfile", "utf8").replaceAll("health_interval 2s", "health_interval 200ms"),
    );
  });
  afterAll(() => {
    for (const caddy of caddies) caddy.kill();
    if (folder) rmSync(folder, { recursive: true, force: true });
  });

  test("a request and a live session wait until a process is ready", { timeout: 60_000 }, async () => {
    const upgrade = { connection: "Upgrade", upgrade: "websocket" };
    const first = await Promise.all([start("api-1"), start("live-1")]);
    await expect.poll(() => answerTo({}).catch(() => ""), { timeout: 30_000 }).toBe("200 api-1");
    await expect.poll(() => answerTo(upgrade), { timeout: 30_000 }).toBe("live-1");
    await stop(first);
    const answers = Promise.all([answerTo({}), answerTo(upgrade)]);
    await pause(AWAY_MILLISECONDS);
    const later = await Promise.all([start("api-2"), start("live-2")]);
    expect(await answers).toEqual(["200 api-2", "live-2"]);
    await stop(later);
  });

  test.each(["deploy/Caddyfile", "deploy/kubernetes/components/ingress/Caddyfile", "deploy/proxies/Caddyfile"])(
    "%s: where no process is ready in time, the answer has a message",
    { timeout: 60_000 },
    async (name) => {
      const text = readFileSync(name, "utf8").replace(/^transcripts\.example\.org/m, ":8080");
      const proxy = await runCaddy(text.replace(/127\.0\.0\.1:8080/g, `127.0.0.1:${ports["api-1"]}`), false);
      const answer = () => fetch(`${proxy}/v2/transcription`);
      const status = () =>
        answer()
          .then((response) => response.status)
          .catch(() => undefined);
      await expect.poll(status, { timeout: 30_000 }).toBe(503);
      const refused = await answer();
      expect(refused.headers.get("retry-after")).toBe("2");
      expect(refused.headers.get("content-type")).toBe("application/json");
      const { message, error } = (await refused.json()) as { message: string; error: { code: number } };
      expect([message, error.code]).toEqual([expect.stringMatching(/Try again/), 503]);
    },
  );

  test("the WebSockets of every protocol go to the processes for live sessions", { timeout: 60_000 }, async () => {
    const servers = await Promise.all(["api-1", "api-2", "live-1", "live-2"].map(start));
    const upgrade = { connection: "keep-alive, Upgrade", upgrade: "WebSocket" };
    const isThere = async (headers: Record<string, string>, names: string[]) => {
      const answer = await answerTo(headers, "/v1/listen").catch(() => "");
      return names.some((name) => answer.endsWith(name));
    };
    await expect.poll(() => isThere({}, ["api-1", "api-2"]), { timeout: 30_000 }).toBe(true);
    await expect.poll(() => isThere(upgrade, ["live-1", "live-2"]), { timeout: 30_000 }).toBe(true);
    for (const target of WEBSOCKET_PATHS) {
      expect(await answerTo(upgrade, `${target}?a=b`), target).toMatch(/^live-[12]$/);
      expect(await answerTo({}, `${target}?a=b`), target).toMatch(/^200 api-[12]$/);
    }
    // Sessions without a token in their address have equal addresses; they are distributed over the processes.
    const met = new Set<string>();
    const meet = async () => met.add(await answerTo(upgrade, "/v1/listen?model=nova-3")).size;
    await expect.poll(meet, { timeout: 30_000 }).toBe(2);
    // A client that reconnects to a session meets the process that has it.
    const again = await Promise.all(Array.from({ length: 8 }, () => answerTo(upgrade)));
    expect(new Set(again).size).toBe(1);
    await stop(servers);
  });

  test("the proxy of deploy/kubernetes divides WebSockets from requests", { timeout: 60_000 }, async () => {
    const servers = await Promise.all(["api-1", "live-1"].map(start));
    const proxy = await runCaddy(readFileSync("deploy/kubernetes/components/ingress/Caddyfile", "utf8"));
    const upgrade = { connection: "Upgrade", upgrade: "websocket" };
    const isUp = () => answerTo({}, "/", proxy).catch(() => "");
    await expect.poll(isUp, { timeout: 30_000 }).toBe("200 api-1");
    for (const target of WEBSOCKET_PATHS) {
      expect(await answerTo(upgrade, target, proxy), target).toBe("live-1");
      expect(await answerTo({}, target, proxy), target).toBe("200 api-1");
    }
    await stop(servers);
  });
});
