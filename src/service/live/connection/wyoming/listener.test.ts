import { connect } from "node:net";
import { pino } from "pino";
import { afterEach, expect, test } from "vitest";
import { RecordedSession } from "../../../../../test/fixtures/recorded-session.ts";
import { MONO_16K, WyomingClient } from "../../../../../test/fixtures/wyoming-client.ts";
import { BUILT_IN_MODELS } from "../../../../speech/engines/registry.ts";
import type { ClientCommand } from "../../events/client-command.ts";
import type { Connection } from "../../session/session-contract.ts";
import type { TcpListenerOptions } from "../tcp-listener.ts";
import { WyomingListener } from "./listener.ts";
import { type SessionsServices, WyomingSessions } from "./sessions.ts";

/** Is complete when its client stops. */
class Recorded extends RecordedSession {
  protected process(connection: Connection, command: ClientCommand): void {
    if (command.kind !== "stop") return;
    const transcription = { full_transcript: `${this.total} bytes`, languages: ["en"], utterances: [] };
    void connection
      .send({ sessionId: "an-id", at: "", event: { kind: "transcript", transcription } })
      .then(() => connection.close({ kind: "complete" }));
  }
}

let listener: WyomingListener | undefined;
afterEach(() => listener?.stop(0));

async function started(options: Partial<TcpListenerOptions> = {}) {
  const opened: Recorded[] = [];
  const access = {
    countRequest: () => undefined,
    ofListener: () => ({
      authenticate: async () => ({ account: { id: "an-account" }, keyId: null }),
      create: async () => {
        const session = new Recorded();
        opened.push(session);
        return { id: "an-id", found: { kind: "session", session } };
      },
    }),
  };
  const services = { access, models: { list: async () => BUILT_IN_MODELS } };
  const sessions = new WyomingSessions({
    ...services,
    version: "1",
    key: "",
    isStrict: false,
  } as unknown as SessionsServices);
  const made = { host: "127.0.0.1", port: 0, clients: "loopback", idleMilliseconds: 60_000, ...options };
  listener = new WyomingListener(made, sessions, pino({ level: "silent" }));
  return { port: await listener.listen(), opened, sessions };
}

test("audio of a session that accepts none at present is not read", async () => {
  const { port, opened } = await started();
  const client = await WyomingClient.connect(port);
  client.audio(Buffer.alloc(2_048));
  await expect.poll(() => opened[0]?.total).toBe(2_048);
  opened[0]?.connection?.pause();
  client.audio(Buffer.alloc(64 * 1_048_576), MONO_16K, 1_048_576);
  client.send("ping");
  // Buffers of the network take some megabytes at most.
  await new Promise((resolve) => client.socket.once("drain", resolve).resume() && setImmediate(resolve));
  expect(opened[0]?.total).toBeLessThan(8 * 1_048_576);
  opened[0]?.connection?.resume();
  client.send("audio-stop");
  expect((await client.received("transcript"))[0]?.data.text).toBe(`${2_048 + 64 * 1_048_576} bytes`);
});

test("a client that leaves ends its session, at the latest when the session accepts audio again", async () => {
  const { port, opened } = await started();
  const client = await WyomingClient.connect(port);
  client.audio(Buffer.alloc(2_048));
  await expect.poll(() => opened[0]?.total).toBe(2_048);
  opened[0]?.connection?.pause();
  client.audio(Buffer.alloc(1_048_576));
  client.socket.destroy();
  opened[0]?.connection?.resume();
  await expect.poll(() => opened[0]?.departure).toBe("finished");
  await expect.poll(() => listener?.size).toBe(0);
});

test("a client that closes its side after audio-stop receives its transcript", async () => {
  const { port } = await started();
  const client = await WyomingClient.connect(port);
  client.audio(Buffer.alloc(2_048));
  client.send("audio-stop");
  client.socket.end();
  expect((await client.ended()).map(({ type }) => type)).toEqual(["transcript-start", "transcript", "transcript-stop"]);
});

test("a session that ends by itself ends the connection with what it has and an error", async () => {
  const { port, opened } = await started();
  const client = await WyomingClient.connect(port);
  client.audio(Buffer.alloc(2_048));
  await expect.poll(() => opened[0]?.total).toBe(2_048);
  opened[0]?.connection?.close({ kind: "revoked" });
  client.audio(Buffer.alloc(2_048));
  expect((await client.ended()).at(-1)?.data).toMatchObject({ code: "live.wyoming_interrupted" });
  expect(opened).toHaveLength(1);
});

test("a connection without events, and one with half an event, is closed with an error", async () => {
  const { port } = await started({ idleMilliseconds: 200 });
  const silent = await WyomingClient.connect(port);
  const half = await WyomingClient.connect(port);
  half.socket.write('{"type":"ping"');
  for (const client of [silent, half]) expect((await client.ended())[0]?.data.code).toBe("live.wyoming_timeout");
});

test("with too many connections the oldest without audio is closed; with audio in all, the new one", async () => {
  const { port, opened } = await started({ mostPeers: 2 });
  const first = await WyomingClient.connect(port);
  const second = await WyomingClient.connect(port);
  first.audio(Buffer.alloc(2_048));
  await expect.poll(() => opened.length).toBe(1);
  const third = await WyomingClient.connect(port);
  expect((await second.ended())[0]?.data.code).toBe("live.wyoming_connections");
  third.audio(Buffer.alloc(2_048));
  await expect.poll(() => opened.length).toBe(2);
  const fourth = await WyomingClient.connect(port);
  expect((await fourth.ended())[0]?.data.code).toBe("live.wyoming_connections");
  first.send("audio-stop");
  expect(await first.received("transcript")).toHaveLength(1);
});

test("a client at an address that is not admitted receives an error with its address; thousands leave nothing behind", async () => {
  const { port, opened } = await started({ clients: "192.0.2.1" });
  const client = await WyomingClient.connect(port);
  expect((await client.ended())[0]?.data).toMatchObject({
    code: "live.wyoming_client",
    text: expect.stringContaining("127.0.0.1"),
  });
  const crowd = Array.from({ length: 500 }, () => connect(port, "127.0.0.1").on("error", () => undefined));
  await expect.poll(() => crowd.every(({ destroyed, readyState }) => destroyed || readyState !== "opening")).toBe(true);
  await expect.poll(() => listener?.size).toBe(0);
  expect(opened).toHaveLength(0);
  for (const socket of crowd) socket.destroy();
});

test("a stop waits for transcripts, and ends other connections with an error", async () => {
  const { port, opened } = await started();
  const open = await WyomingClient.connect(port);
  open.audio(Buffer.alloc(2_048));
  const idle = await WyomingClient.connect(port);
  idle.send("ping");
  await idle.received("pong");
  await expect.poll(() => opened[0]?.total).toBe(2_048);
  await listener?.stop(5_000);
  for (const client of [open, idle]) {
    expect((await client.ended()).at(-1)?.data.code).toBe("live.wyoming_interrupted");
  }
  expect(opened[0]?.departure).toBe("finished");
  expect(listener?.size).toBe(0);
});
