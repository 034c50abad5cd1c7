// The layout of deploy/compose.many.yaml as processes on one machine: two of each role behind a real Caddy with the deployment's own
// Caddyfile, PostgreSQL, an S3 server, three NATS servers. Clients know the proxy alone.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { freePort } from "../fixtures/free-port.ts";
import { createSession } from "../fixtures/live-client.ts";
import { checkSession, undisturbed } from "../fixtures/live-invariants.ts";
import { hasNats, type NatsServers, startNats } from "../fixtures/nats.ts";
import { hasPostgres, startPostgres } from "../fixtures/postgres.ts";
import { findProgram } from "../fixtures/programs.ts";
import { HELLO_MP3 } from "../fixtures/recordings.ts";
import { type S3Server, startS3, VERSITYGW } from "../fixtures/s3.ts";
import { Speaker } from "../fixtures/speaker.ts";
import { finished, type RunningService, ready, startService, submit } from "../service.ts";

const CADDY = findProgram("caddy");
const isThere = hasPostgres && hasNats && VERSITYGW !== undefined && CADDY !== undefined;

describe.skipIf(!isThere)("the whole layout (skipped without PostgreSQL, nats-server, versitygw and caddy)", () => {
  let postgres: Awaited<ReturnType<typeof startPostgres>>;
  let s3: S3Server;
  let nats: NatsServers;
  let caddy: ChildProcess;
  let folder: string;
  let proxy: { base: string };
  const services: Record<string, RunningService> = {};

  const environmentOf = (role: string) => ({
    DATABASE_URL: postgres.url,
    PARLANCE_NATS_URL: nats.url,
    ...s3.environment,
    PARLANCE_ROLES: role,
    PARLANCE_WORKERS: "1",
    PARLANCE_DRAIN_SECONDS: "3",
    // The speaker sends nothing during most of the restarts.
    PARLANCE_LIVE_IDLE_SECONDS: "600",
  });

  beforeAll(async () => {
    [postgres, s3, nats] = [await startPostgres(), await startS3(), await startNats(3)];
    for (const role of ["api", "live", "worker"]) {
      for (const number of [1, 2]) {
        services[`${role}-${number}`] = await startService({
          environment: environmentOf(role),
        });
      }
    }
    for (const service of Object.values(services)) await ready(service);
    folder = mkdtempSync(path.join(os.tmpdir(), "parlance-layout-"));
    const port = await freePort();
    const file = readFileSync("deploy/Caddyfile", "utf8")
      .replace(/^:8080/m, `http://127.0.0.1:${port}`)
      .replace(
        /\b((?:api|live)-[12]):8080/g,
        (_, name: string) => new URL((services[name] as RunningService).base).host,
      );
    writeFileSync(path.join(folder, "Caddyfile"), `{\n\tadmin off\n}\n${file}`);
    caddy = spawn(CADDY as string, ["run", "--config", path.join(folder, "Caddyfile"), "--adapter", "caddyfile"], {
      stdio: "ignore",
      env: { HOME: folder, PATH: process.env["PATH"] },
    });
    proxy = { base: `http://127.0.0.1:${port}` };
    for (let tries = 0; tries < 100; tries++) {
      if ((await fetch(`${proxy.base}/health`).catch(() => undefined))?.status === 200) return;
      await pause(200);
    }
    throw new Error("nothing answers behind the proxy");
  }, 180_000);
  afterAll(async () => {
    caddy?.kill();
    for (const service of Object.values(services)) await service.remove();
    await Promise.all([s3?.remove(), nats?.remove()]);
    postgres?.stop();
    if (folder) rmSync(folder, { recursive: true, force: true });
  });

  test("a recording is transcribed", async () => {
    const id = await submit(proxy, readFileSync(HELLO_MP3));
    expect((await finished(proxy, id)).result.transcription.full_transcript).toMatch(/hello/i);
  });

  test("a rolling restart of everything: a live session and jobs continue", { timeout: 300_000 }, async () => {
    const { audio, words } = await undisturbed(proxy, 3);
    const { id, url } = await createSession(proxy, { endpointing: 0.3 });
    expect(new URL(url).host).toBe(new URL(proxy.base).host);
    const speaker = await Speaker.begin(audio, id, url);
    const jobs: string[] = [];
    let sends = 0;
    const keepBusy = async () => {
      jobs.push(await submit(proxy, readFileSync(HELLO_MP3)));
      // Whole sentences: the restarts between them are longer than the silence that ends a turn.
      if (sends++ < 2) speaker.send(audio.length / 3, false);
    };
    for (const name of Object.keys(services)) {
      await keepBusy();
      const service = services[name] as RunningService;
      const port = new URL(service.base).port;
      const stopping = service.stop();
      await speaker.rejoinIfAsked(stopping);
      await keepBusy();
      const role = name.split("-")[0] as string;
      services[name] = await startService({
        folder: service.folder,
        environment: { ...environmentOf(role), PARLANCE_PORT: port },
      });
      await ready(services[name] as RunningService);
      // The proxy looks every two seconds.
      await pause(2_500);
    }
    await speaker.finish();
    await checkSession(proxy, id, speaker.messages, { audio, words });
    for (const job of jobs) expect((await finished(proxy, job)).status).toBe("done");
  });
});
