// The Caddyfile of the layout on many machines: a client waits while no process behind it is ready.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import http from "node:http";
import os from "node:os";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { freePort } from "../fixtures/free-port.ts";
import { findProgram } from "../fixtures/programs.ts";

const CADDY = findProgram("caddy");
/** Longer than several of the proxy's health checks. */
const AWAY_MILLISECONDS = 2_000;

describe.skipIf(!CADDY)("deploy/Caddyfile (skipped without caddy)", () => {
  let caddy: ChildProcess;
  let folder: string;
  let base: string;
  const ports: Record<string, number> = {};

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
      server.on("upgrade", (_, socket) => socket.end(`${head.join("\r\n")}\r\n\r\n`));
      server.listen(ports[name], "127.0.0.1", () => resolve(server));
    });

  const answerTo = (headers: Record<string, string>): Promise<string> =>
    new Promise((resolve, reject) => {
      const request = http.get(`${base}/v2/live?token=1`, { headers, agent: false });
      request.on("error", reject);
      request.on("upgrade", (response, socket) => {
        socket.destroy();
        resolve(String(response.headers["x-process"]));
      });
      request.on("response", async (response) => {
        let text = "";
        for await (const chunk of response) text += chunk;
        resolve(`${response.statusCode} ${text}`);
      });
    });

  beforeAll(async () => {
    folder = mkdtempSync(path.join(os.tmpdir(), "parlance-caddy-"));
    for (const name of ["api-1", "api-2", "live-1", "live-2"]) ports[name] = await freePort();
    const port = await freePort();
    base = `http://127.0.0.1:${port}`;
    const file = readFileSync("deploy/Caddyfile", "utf8")
      .replace(/^:8080/m, base)
      // A busy machine needs longer than a user would wait.
      .replaceAll("lb_try_duration 9s", "lb_try_duration 50s")
      .replaceAll("health_interval 2s", "health_interval 200ms")
      .replace(/\b((?:api|live)-[12]):8080/g, (_, name: string) => `127.0.0.1:${ports[name]}`);
    writeFileSync(path.join(folder, "Caddyfile"), `{\n\tadmin off\n}\n${file}`);
    caddy = spawn(CADDY as string, ["run", "--config", path.join(folder, "Caddyfile"), "--adapter", "caddyfile"], {
      stdio: "ignore",
      env: { HOME: folder, PATH: process.env["PATH"] },
    });
  });
  afterAll(() => {
    caddy?.kill();
    if (folder) rmSync(folder, { recursive: true, force: true });
  });

  test("a request and a live session wait until a process is ready", { timeout: 60_000 }, async () => {
    const upgrade = { connection: "Upgrade", upgrade: "websocket" };
    const first = await Promise.all([start("api-1"), start("live-1")]);
    await expect.poll(() => answerTo({}).catch(() => ""), { timeout: 30_000 }).toBe("200 api-1");
    await expect.poll(() => answerTo(upgrade), { timeout: 30_000 }).toBe("live-1");
    for (const server of first) {
      server.closeAllConnections();
      server.close();
    }
    const answers = Promise.all([answerTo({}), answerTo(upgrade)]);
    await pause(AWAY_MILLISECONDS);
    const later = await Promise.all([start("api-2"), start("live-2")]);
    expect(await answers).toEqual(["200 api-2", "live-2"]);
    for (const server of later) {
      server.closeAllConnections();
      server.close();
    }
  });
});
