// The connection to NATS outlasts refusals, and a start raises the replicas of what exists and sets the limits of the streams.
import { type AddressInfo, createServer } from "node:net";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasNats, type NatsServers, startNats } from "../../../../../test/fixtures/nats.ts";
import { type BrokerOptions, connectToNats, openBroker } from "./broker.ts";

const logger = pino({ level: "silent" });

test("the connection outlasts several refusals of a server that starts", { timeout: 60_000 }, async () => {
  let refusals = 0;
  let accepted = 0;
  const server = createServer((socket) => {
    const info = {
      server_id: "A",
      server_name: "a",
      version: "2.10.0",
      proto: 1,
      max_payload: 1_048_576,
      headers: true,
    };
    socket.write(`INFO ${JSON.stringify(info)}\r\n`);
    socket.on("error", () => undefined);
    socket.on("data", (bytes) => {
      const text = bytes.toString();
      if (refusals > 0 && text.includes("CONNECT")) {
        refusals--;
        socket.end("-ERR 'Authorization Violation'\r\n");
        return;
      }
      if (text.includes("CONNECT")) accepted++;
      if (text.includes("PING")) socket.write("PONG\r\n");
      if (accepted === 1 && text.includes("CONNECT")) {
        refusals = 3;
        setTimeout(() => socket.destroy(), 50);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `nats://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const connection = await connectToNats({ url, credentialsFile: "" });
  await expect.poll(() => accepted, { timeout: 30_000 }).toBe(2);
  expect(connection.isClosed()).toBe(false);
  await connection.close();
  server.close();
});

describe.skipIf(!hasNats)("three servers (skipped without nats-server)", () => {
  let nats: NatsServers;
  let options: BrokerOptions;

  beforeAll(async () => {
    nats = await startNats(3);
    options = {
      ...{ url: nats.url, credentialsFile: "", prefix: "p", streams: 1, bytes: 0, replicas: 1, logger },
      ...{ keepSeconds: 3_600, machineSeconds: 15 },
    };
  }, 60_000);
  afterAll(() => nats?.remove());

  /** Opens the broker with changed options, and compares the replicas of streams and buckets. */
  async function expectReplicas(changes: Partial<BrokerOptions>, expected: Record<string, number>): Promise<void> {
    const { connection, manager } = await openBroker({ ...options, ...changes });
    for (const [name, replicas] of Object.entries(expected)) {
      const found = async () => (await manager.streams.info(name).catch(() => undefined))?.config.num_replicas;
      await expect.poll(found, { timeout: 20_000 }).toBe(replicas);
    }
    await connection.close();
  }

  test("buckets and streams of one replica get those of a cluster at the next start", async () => {
    const buckets = ["KV_p-live-owners", "KV_p-machines"];
    const all = (copies: number) => Object.fromEntries([...buckets, "p-live-0"].map((name) => [name, copies]));
    await expectReplicas({}, all(1));
    await expectReplicas({ replicas: 0 }, all(3));
  }, 180_000);

  test("the limit of bytes is divided among the streams, also among those that exist; without one, they stay", async () => {
    const limited = { ...options, prefix: "limited", streams: 2 };
    const limitsWith = async (bytes: number) => {
      const { connection, manager } = await openBroker({ ...limited, bytes });
      const names = ["limited-live-0", "limited-live-1"];
      const infos = await Promise.all(names.map((name) => manager.streams.info(name)));
      await connection.close();
      return infos.map(({ config }) => config.max_bytes);
    };
    expect(await limitsWith(0)).toEqual([-1, -1]);
    expect(await limitsWith(3_000_001)).toEqual([1_500_001, 1_500_001]);
    expect(await limitsWith(0)).toEqual([1_500_001, 1_500_001]);
    expect(await limitsWith(2_000_000)).toEqual([1_000_000, 1_000_000]);
  }, 60_000);

  test("a limit above the storage of the servers is named at the start", { timeout: 60_000 }, async () => {
    const tooMany = { ...options, prefix: "large", bytes: 1e15 };
    await expect(openBroker(tooMany)).rejects.toThrow(/PARLANCE_NATS_MAX_BYTES: NATS cannot reserve so much storage/);
  });
});
