// Sockets of UDP to servers that clients name.
import { createSocket } from "node:dgram";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { openJudgedDatagrams } from "./judged-datagrams.ts";

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});
const { signal } = new AbortController();
const options = { tenant: "a", allowPrivateAddresses: true, signal };

async function bound() {
  const socket = createSocket("udp4");
  closing.push(() => socket.close());
  await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve));
  return { socket, port: (socket.address() as AddressInfo).port };
}

test.each(["127.0.0.1", "localhost"])(
  "datagrams to %s arrive; those of another sender are not received",
  async (host) => {
    const { socket, port } = await bound();
    const { socket: other } = await bound();
    socket.on("message", (bytes, from) => {
      other.send("forged", from.port, from.address, () => socket.send(bytes, from.port, from.address));
    });
    const sockets = await openJudgedDatagrams({ host, port }, options);
    closing.push(...sockets.map((one) => () => one.close()));
    const received: string[] = [];
    for (const one of sockets) {
      one.on("message", (bytes: Buffer) => received.push(bytes.toString()));
      one.send("abc", () => undefined);
    }
    await expect.poll(() => received).toEqual(["abc"]);
  },
);

test("private addresses are refused unless they are allowed, also those that a name has", async () => {
  let datagrams = 0;
  const { socket, port } = await bound();
  socket.on("message", () => datagrams++);
  for (const host of ["127.0.0.1", "localhost", "::1", "::ffff:127.0.0.1"]) {
    const opened = openJudgedDatagrams({ host, port }, { ...options, allowPrivateAddresses: false });
    await expect(opened).rejects.toMatchObject({ code: "fetch.address_not_allowed" });
  }
  expect(datagrams).toBe(0);
});

test("an attempt ends with its signal, and with a name that does not exist", async () => {
  const ending = new AbortController();
  ending.abort();
  await expect(
    openJudgedDatagrams({ host: "127.0.0.1", port: 9 }, { ...options, signal: ending.signal }),
  ).rejects.toMatchObject({ code: "work.aborted" });
  await expect(openJudgedDatagrams({ host: "no-such-host.invalid", port: 9 }, options)).rejects.toThrow();
});
