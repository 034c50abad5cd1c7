// Connections to servers that clients name.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { createServer, type Server } from "node:net";
import os from "node:os";
import path from "node:path";
import { createServer as createSecureServer } from "node:tls";
import { afterEach, expect, test } from "vitest";
import { makeCertificate, OPENSSL } from "../../../test/fixtures/certificate.ts";
import { openJudgedSocket } from "./judged-socket.ts";

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});
const { signal } = new AbortController();
const options = { tenant: "a", allowPrivateAddresses: true, signal };

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(() => server.close());
  return (server.address() as AddressInfo).port;
}

test("a connection to a name or an address carries bytes", async () => {
  const port = await listening(createServer((socket) => socket.pipe(socket)));
  for (const host of ["127.0.0.1", "localhost"]) {
    const socket = await openJudgedSocket({ host, port, isSecure: false }, options);
    socket.write("abc");
    const echoed = await new Promise((resolve) => socket.once("data", (bytes: Buffer) => resolve(bytes.toString())));
    socket.destroy();
    expect(echoed).toBe("abc");
  }
});

test("private addresses are refused unless they are allowed, also those that a name has", async () => {
  let connections = 0;
  const port = await listening(createServer(() => connections++));
  for (const host of ["127.0.0.1", "localhost", "::1", "::ffff:127.0.0.1"]) {
    const opened = openJudgedSocket({ host, port, isSecure: false }, { ...options, allowPrivateAddresses: false });
    await expect(opened).rejects.toMatchObject({ code: "fetch.address_not_allowed" });
  }
  expect(connections).toBe(0);
});

test("an attempt ends with its signal", async () => {
  const ending = new AbortController();
  ending.abort();
  const port = await listening(createServer());
  await expect(
    openJudgedSocket({ host: "127.0.0.1", port, isSecure: false }, { ...options, signal: ending.signal }),
  ).rejects.toMatchObject({ code: "work.aborted" });
});

test.skipIf(OPENSSL === undefined)(
  "the certificate of a secure server is verified (skipped without openssl)",
  async () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), "parlance-certificate-"));
    closing.push(() => rmSync(folder, { recursive: true }));
    const { cert, key } = makeCertificate(folder);
    const port = await listening(createSecureServer({ cert: readFileSync(cert), key: readFileSync(key) }));
    await expect(openJudgedSocket({ host: "localhost", port, isSecure: true }, options)).rejects.toMatchObject({
      code: "DEPTH_ZERO_SELF_SIGNED_CERT",
    });
  },
);
