import { describe, expect, test } from "vitest";
import { type PostgresAddress, parsePostgresAddress, placeOf, tlsOf } from "./postgres-address.ts";

const parsed = (text: string) => parsePostgresAddress(text) as PostgresAddress;

describe("passwords", () => {
  test.each(["p@ss", "p/s", "p#s", "p?s", "p:s", "a@b/c#d?e:f", "@@", "100%", "12/3", "x@y@z", "?a"])(
    "%s is taken as it is, and in percent-encoding",
    (password) => {
      for (const text of [password, encodeURIComponent(password)]) {
        for (const rest of ["db.example.org:5433/parlance?sslmode=require", "db.example.org:5433/parlance"]) {
          expect(parsed(`postgres://user:${text}@${rest}`)).toMatchObject({
            user: "user",
            password,
            database: "parlance",
            hosts: [{ host: "db.example.org", port: 5433 }],
          });
        }
      }
    },
  );

  test("an @ in a parameter belongs to the parameter", () => {
    const address = parsed("postgres://user:secret@host/db?application_name=a@b");
    expect(address).toMatchObject({ password: "secret", database: "db", applicationName: "a@b" });
    expect(parsed("postgres://host/db?application_name=a@b")).toMatchObject({
      hosts: [{ host: "host", port: 5432 }],
      applicationName: "a@b",
    });
  });
});

test.each<[string, [string, number][], string]>([
  [
    "postgres://u@one:5433,two,[::1]:5434/db",
    [
      ["one", 5433],
      ["two", 5432],
      ["::1", 5434],
    ],
    "db",
  ],
  ["postgresql:///db?host=/run/postgresql", [["/run/postgresql", 5432]], "db"],
  ["postgres://u@%2Frun%2Fpostgresql:5433/db", [["/run/postgresql", 5433]], "db"],
  [
    "postgres:///db?host=one,two&port=6000,6001",
    [
      ["one", 6000],
      ["two", 6001],
    ],
    "db",
  ],
  ["postgres://u@host/my%20db", [["host", 5432]], "my db"],
  ["postgres:///db", [["localhost", 5432]], "db"],
])("%s", (text, hosts, database) => {
  expect(parsed(text)).toMatchObject({ hosts: hosts.map(([host, port]) => ({ host, port })), database });
});

test("messages name the server without its password", () => {
  expect(placeOf(parsed("postgres://u:secret@one:5433,two/db"))).toBe("one:5433, two:5432");
  expect(placeOf(parsed("postgres:///db?host=/run/pg"))).toBe("/run/pg/.s.PGSQL.5432");
});

test.each([
  ["mysql://host/db", /must begin with postgres/],
  ["postgres://host:port/db", /must have the form/],
  ["postgres://host:99999/db", /ports from 1 to 65535/],
  ["postgres://host/db?sslmode=requir", /sslmode=requir; it must be one of disable/],
  ["postgres://host/db?slmode=require", /parameter slmode, which is not known/],
  ["postgres://host/db?target_session_attrs=standby", /the service writes/],
])("%s is refused", (text, problem) => {
  expect(parsePostgresAddress(text)).toEqual({ problem: expect.stringMatching(problem) });
});

test("sslmode as libpq understands it", () => {
  const tls = (query: string) => {
    const address = parsed(`postgres://u@host/db?${query}`);
    return tlsOf(address, address.hosts[0] as { host: string; port: number });
  };
  expect(tls("")).toBe(false);
  expect(tls("sslmode=disable")).toBe(false);
  expect(tls("sslmode=prefer")).toMatchObject({ rejectUnauthorized: false });
  expect(tls("sslmode=require")).toMatchObject({ rejectUnauthorized: false });
  expect(tls("sslmode=require&sslrootcert=system")).toMatchObject({ rejectUnauthorized: true });
  expect(tls("sslmode=verify-ca")).toMatchObject({
    rejectUnauthorized: true,
    checkServerIdentity: expect.any(Function),
  });
  const full = tls("sslmode=verify-full");
  expect(full).toMatchObject({ rejectUnauthorized: true });
  expect(full).not.toHaveProperty("checkServerIdentity");
  expect(() => tls("sslmode=verify-full&sslrootcert=/nowhere/root.crt")).toThrow(
    /sslrootcert=\/nowhere\/root.crt.*cannot be read/,
  );
  const socket = parsed("postgres:///db?host=/run/pg&sslmode=require");
  expect(tlsOf(socket, socket.hosts[0] as { host: string; port: number })).toBe(false);
});
