// The service behind pgbouncer, in session mode and in transaction mode, where the server has other defaults than the service needs.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { freePort } from "../fixtures/free-port.ts";
import { hasPostgres, type PostgresServer, startPostgres } from "../fixtures/postgres.ts";
import { HELLO_MP3 } from "../fixtures/recordings.ts";
import { call, finished, startService, submit } from "../service.ts";

/** Debian keeps it where the path of a user does not lead. */
const PROGRAM = ["/usr/sbin/pgbouncer", "pgbouncer"].find((file) => spawnSync(file, ["--version"]).status === 0);
const JOBS = 8;

/** It refuses to run as root. */
function unprivileged(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const id = (flag: string) => Number(spawnSync("id", [flag, "postgres"], { encoding: "utf8" }).stdout);
  return { uid: id("-u"), gid: id("-g") };
}

const answers = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = net.connect(port, "127.0.0.1", () => resolve(true));
    socket.on("error", () => resolve(false));
    socket.on("connect", () => socket.destroy());
  });

describe.skipIf(!hasPostgres || PROGRAM === undefined)("pgbouncer (skipped without it or PostgreSQL)", () => {
  let postgres: PostgresServer;
  const folder = mkdtempSync(path.join(os.tmpdir(), "parlance-pgbouncer-"));
  beforeAll(async () => {
    chmodSync(folder, 0o777);
    postgres = await startPostgres({
      settings: {
        DateStyle: "German, DMY",
        default_transaction_isolation: "repeatable read",
        TimeZone: "Asia/Kolkata",
      },
    });
  });
  afterAll(() => {
    postgres?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  test.each(["session", "transaction"])("pool_mode = %s: jobs at once are done and listed", async (mode) => {
    const client = new pg.Client(postgres.url);
    await client.connect();
    await client.query(`create database ${mode} encoding 'UTF8' template template0`);
    await client.end();
    const port = await freePort();
    const file = path.join(folder, `${mode}.ini`);
    writeFileSync(path.join(folder, "users"), '"parlance" ""\n');
    writeFileSync(
      file,
      `[databases]
${mode} = user=parlance host=127.0.0.1 port=${postgres.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
auth_file = ${folder}/users
pool_mode = ${mode}
default_pool_size = 12
`,
    );
    chmodSync(file, 0o644);
    const child: ChildProcess = spawn(PROGRAM as string, [file], {
      ...unprivileged(),
      cwd: folder,
      stdio: ["ignore", "ignore", "pipe"],
    });
    let output = "";
    child.stderr?.on("data", (chunk) => {
      output += chunk;
    });
    const exited = new Promise((resolve) => child.once("exit", resolve));
    try {
      await expect.poll(() => answers(port), { timeout: 10_000, message: output }).toBe(true);
      const service = await startService({
        environment: { DATABASE_URL: `postgres://parlance@127.0.0.1:${port}/${mode}`, PARLANCE_WORKERS: "1" },
      });
      try {
        const hello = readFileSync(HELLO_MP3);
        const ids = await Promise.all(Array.from({ length: JOBS }, () => submit(service, hello)));
        for (const id of ids) expect((await finished(service, id)).status).toBe("done");
        const { status, json } = await call(service, "GET", "/v2/transcription?limit=100");
        expect(status).toBe(200);
        expect(json.items.map(({ id }: { id: string }) => id)).toEqual(expect.arrayContaining(ids));
        for (const item of json.items) expect(Math.abs(Date.parse(item.created_at) - Date.now())).toBeLessThan(600_000);
        // In transaction mode LISTEN succeeds, but pgbouncer delivers no notifications.
        const polls = /"level":"warn".*notifications of PostgreSQL do not reach/;
        if (mode === "transaction") await expect.poll(() => service.log()).toMatch(polls);
        expect(await service.stop()).toBe(0);
        const others = service
          .log()
          .split("\n")
          .filter((line) => mode === "session" || !polls.test(line));
        expect(others.join("\n")).not.toMatch(/"level":"(warn|error)"/);
      } finally {
        await service.remove();
      }
    } finally {
      child.kill();
      await exited;
    }
  });
});
