// The connection to NATS outlasts refusals, and a start raises the replicas of what exists.
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
      ...{ url: nats.url, credentialsFile: "", prefix: "p", streams: 1, replicas: 1, logger },
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
});
