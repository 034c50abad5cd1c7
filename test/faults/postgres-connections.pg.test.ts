// Addresses of PostgreSQL servers: Unix sockets, several hosts, schemas, TLS with private certificates, servers without a connection
// left; and one sentence for each reason for which a start is refused.
import { execFileSync } from "node:child_process";
import { chmodSync, chownSync, mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Database, openDatabase } from "../../src/platform/storage/db/database.ts";
import { Disk } from "../../src/platform/storage/disk/disk.ts";
import { freePort } from "../fixtures/free-port.ts";
import { parlanceWith } from "../fixtures/parlance.ts";
import { hasPostgres, type PostgresServer, startPostgres } from "../fixtures/postgres.ts";

const CONNECTIONS = 14;

/** A certificate for localhost that signs itself, readable by the server. */
function makeCertificate(folder: string): { certificate: string; key: string } {
  const [certificate, key] = [path.join(folder, "server.crt"), path.join(folder, "server.key")];
  const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"];
  execFileSync(
    "openssl",
    ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", ...subject, "-keyout", key, "-out", certificate],
    {
      stdio: "ignore",
    },
  );
  chmodSync(folder, 0o755);
  chmodSync(key, 0o600);
  if (process.getuid?.() === 0) {
    const id = (flag: string) => Number(execFileSync("id", [flag, "postgres"]).toString());
    chownSync(key, id("-u"), id("-g"));
  }
  return { certificate, key };
}

describe.skipIf(!hasPostgres)("addresses of PostgreSQL (skipped without PostgreSQL)", () => {
  let postgres: PostgresServer;
  let folder: string;
  let certificate: string;
  let client: pg.Client;
  const opened: Database[] = [];
  const open = async (address: string, connections = 4) => {
    const database = await openDatabase(address, "", new Disk(true), { connections });
    opened.push(database);
    return database;
  };
  const failure = async (address: string): Promise<Error> => {
    const error = await open(address).then(
      () => new Error("it was opened"),
      (thrown: Error) => thrown,
    );
    return error;
  };
  const local = (rest: string) => `postgres://parlance@localhost:${postgres.port}/${rest}`;

  beforeAll(async () => {
    folder = mkdtempSync(path.join(os.tmpdir(), "parlance-tls-"));
    const made = makeCertificate(folder);
    certificate = made.certificate;
    postgres = await startPostgres({
      settings: {
        ssl: "on",
        ssl_cert_file: certificate,
        ssl_key_file: made.key,
        max_connections: String(CONNECTIONS),
        listen_addresses: "localhost",
      },
    });
    client = new pg.Client(postgres.url);
    await client.connect();
  });
  afterAll(async () => {
    await client?.end();
    for (const database of opened) await database.destroy();
    postgres?.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  const closeAll = async () => {
    for (const database of opened.splice(0)) await database.destroy();
  };

  test("a Unix socket, in both ways to write it, and by the command line with DATABASE_URL_FILE", async () => {
    const { socketFolder, port } = postgres;
    await open(`postgres://parlance@${encodeURIComponent(socketFolder)}:${port}/postgres`);
    await open(`postgres://parlance@/postgres?host=${socketFolder}&port=${port}`);
    await closeAll();
    const gone = await failure(`postgres:///postgres?host=${folder}&user=parlance`);
    expect(gone).toMatchObject({ code: "database.unavailable" });
    expect(gone.message).toMatch(/PostgreSQL at .*\.s\.PGSQL\.5432 does not answer: .*Check DATABASE_URL/);
    const data = path.join(folder, "data");
    const missing = await parlanceWith(
      { DATABASE_URL_FILE: path.join(folder, "none"), PARLANCE_DATA_DIR: data },
      "accounts",
      "list",
    ).catch((error: { stderr: string }) => error.stderr);
    expect(missing).toMatch(/DATABASE_URL_FILE is .*none, which cannot be read/);
  });

  test("the first of several hosts is away", async () => {
    const dead = await freePort();
    const database = await open(`postgres://parlance@127.0.0.1:${dead},localhost:${postgres.port}/postgres`);
    expect(await database.selectFrom("jobs").select("id").execute()).toEqual([]);
    await closeAll();
  });

  test("a schema of its own, beside another program's tables in public", async () => {
    await client.query("create database shared");
    const other = new pg.Client(local("shared"));
    await other.connect();
    await other.query("create table jobs (id int)");
    expect((await failure(local("shared"))).message).toMatch(
      /schema public has tables of another program \(jobs\).*\?schema=NAME/,
    );
    const address = local("shared?schema=speech%20texts");
    await open(address);
    await closeAll();
    const again = await open(address);
    expect(await again.selectFrom("jobs").select("id").execute()).toEqual([]);
    const { rows } = await other.query("select count(*) from pg_tables where schemaname = 'speech texts'");
    expect(Number(rows[0].count)).toBeGreaterThan(10);
    await closeAll();
    await other.query(
      "create schema other; create table other.kysely_migration (name text primary key, timestamp text)",
    );
    await other.query("insert into other.kysely_migration values ('their first', 'now')");
    expect((await failure(local("shared?schema=other"))).message).toMatch(
      /newer version of Parlance, or by another program/,
    );
    await other.end();
  });

  test("sslmode with a private certificate", async () => {
    const tls = async (query: string) => {
      const database = await open(local(`postgres?${query}`));
      const { rows } = await (await import("kysely")).sql<{ ssl: boolean }>`
        select ssl from pg_stat_ssl where pid = pg_backend_pid()`.execute(database);
      await closeAll();
      return rows[0]?.ssl;
    };
    expect(await tls("sslmode=disable")).toBe(false);
    for (const mode of ["prefer", "require", "no-verify"]) expect(await tls(`sslmode=${mode}`)).toBe(true);
    for (const mode of ["require", "verify-ca", "verify-full"]) {
      expect(await tls(`sslmode=${mode}&sslrootcert=${certificate}`)).toBe(true);
    }
    expect((await failure(local("postgres?sslmode=verify-full"))).message).toMatch(
      /certificate is not accepted.*sslrootcert=FILE/,
    );
    const byNumber = `postgres://parlance@127.0.0.1:${postgres.port}/postgres?sslrootcert=${certificate}&sslmode=`;
    expect((await failure(`${byNumber}verify-full`)).message).toMatch(/certificate is not accepted/);
    await open(`${byNumber}verify-ca`);
    await closeAll();
  });

  test("one sentence for a missing database, role and permission", async () => {
    expect((await failure(local("none"))).message).toMatch(
      /has no database "none".*create database "none" encoding 'UTF8'/,
    );
    const stranger = `postgres://stranger@localhost:${postgres.port}/postgres`;
    expect((await failure(stranger)).message).toMatch(/refused the role "stranger": .*does not exist/);
    for (const statement of ["create role reader login", "create database empty"]) await client.query(statement);
    const reader = await failure(`postgres://reader@localhost:${postgres.port}/empty`);
    expect(reader.message).toMatch(/the role "reader" lacks a permission: .*Give it the database/);
    expect(reader).toMatchObject({ code: "database.refused" });
  });

  test("a server without a connection left: queries wait for one", async () => {
    const database = await open(local("postgres"), 4);
    const others: pg.Client[] = [];
    for (;;) {
      const other = new pg.Client(postgres.url);
      try {
        await other.connect();
        others.push(other);
      } catch {
        break;
      }
    }
    const queries = Promise.all(Array.from({ length: 12 }, () => database.selectFrom("jobs").select("id").execute()));
    // Another pool, which has no connection at all, waits until one is closed.
    const late = openDatabase(local("postgres"), "", new Disk(true), { migrates: false, connections: 2 });
    for (const other of others) await other.end();
    expect((await queries).flat()).toEqual([]);
    opened.push(await late);
    await closeAll();
  });
});
