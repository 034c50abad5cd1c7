import { connect } from "node:net";
import { pino } from "pino";
import { afterEach, expect, test } from "vitest";
import { AudioSocketClient } from "../../../../../test/fixtures/audiosocket-client.ts";
import { RecordedSession } from "../../../../../test/fixtures/recorded-session.ts";
import { errors } from "../../../../platform/errors.ts";
import type { ClientCommand } from "../../events/client-command.ts";
import type { Closing } from "../../events/closing.ts";
import type { Connection } from "../../session/session-contract.ts";
import type { SessionAccess } from "../session-access.ts";
import type { TcpListenerOptions } from "../tcp-listener.ts";
import { AudioSocketListener } from "./listener.ts";
import { AudioSocketSessions } from "./sessions.ts";

const ID = "0192f0a0-1111-7222-8333-444455556666";
const [HANGUP, ERROR] = [0x00, 0xff];
const CODES = { refused: 0x10, busy: 0x11, invalid: 0x12, timeout: 0x13, fault: 0x14 };
const failed = (code: number) => [{ type: ERROR, payload: Buffer.from([code]) }];

/** Is complete when its client stops. */
class Recorded extends RecordedSession {
  readonly warnings: string[] = [];

  protected process(connection: Connection, command: ClientCommand): void {
    if (command.kind === "unreadable") this.warnings.push(command.reason);
    if (command.kind === "stop") connection.close({ kind: "complete" });
  }
}

let listener: AudioSocketListener | undefined;
afterEach(() => listener?.stop(0));

/** @param existing  format of the session that the id of each call names */
async function started(options: Partial<TcpListenerOptions> = {}, existing?: object) {
  const opened: Recorded[] = [];
  const logged: string[] = [];
  const access = {
    countRequest: () => undefined,
    ofListener: () => ({
      authenticate: async () => ({ account: { id: "an-account" }, keyId: null }),
      resume: async () => {
        if (existing === undefined) throw errors.notFound("The session");
        return { found: { kind: "session" }, params: existing };
      },
      judge: (body: object) => ({ body, warnings: [] }),
      create: async () => {
        const session = new Recorded();
        opened.push(session);
        return { id: "an-id", found: { kind: "session", session } };
      },
    }),
  };
  const sessions = new AudioSocketSessions(access as unknown as SessionAccess, "");
  const made = { host: "127.0.0.1", port: 0, clients: "loopback", idleMilliseconds: 60_000, ...options };
  listener = new AudioSocketListener(
    made,
    sessions,
    pino({ level: "warn" }, { write: (line) => logged.push(JSON.parse(line).reason) }),
  );
  return { port: await listener.listen(), opened, logged };
}

async function called(port: number): Promise<AudioSocketClient> {
  const client = await AudioSocketClient.connect(port);
  client.id(ID);
  client.audio(Buffer.alloc(320));
  return client;
}

test("audio of a session that accepts none at present is not read", async () => {
  const { port, opened } = await started();
  const client = await called(port);
  await expect.poll(() => opened[0]?.total).toBe(320);
  opened[0]?.connection?.pause();
  const more = 64 * 1_048_576;
  client.audio(Buffer.alloc(more), 0x10, 65_534);
  // Buffers of the network take some megabytes at most.
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(opened[0]?.total).toBeLessThan(8 * 1_048_576);
  opened[0]?.connection?.resume();
  client.hangUp();
  expect(await client.ended).toEqual([{ type: HANGUP, payload: Buffer.alloc(0) }]);
  expect(opened[0]?.total).toBe(320 + more);
});

test("a client that leaves ends its session, at the latest when the session accepts audio again", async () => {
  const { port, opened } = await started();
  const client = await called(port);
  await expect.poll(() => opened[0]?.total).toBe(320);
  opened[0]?.connection?.pause();
  client.audio(Buffer.alloc(1_048_576));
  client.socket.destroy();
  opened[0]?.connection?.resume();
  await expect.poll(() => opened[0]?.departure).toBe("finished");
  await expect.poll(() => listener?.size).toBe(0);
});

test.each<[Closing, number, RegExp]>([
  [{ kind: "moved" }, CODES.fault, /interrupted: the session cannot continue in this process; call again$/],
  [{ kind: "deleted" }, CODES.fault, /interrupted: the session was deleted$/],
  [{ kind: "restarting" }, CODES.fault, /interrupted: the service stops or restarts$/],
  [{ kind: "restarting", why: "capacity" }, CODES.busy, /this machine has no capacity for a further session$/],
  [{ kind: "idle" }, CODES.timeout, /nothing was received for too long$/],
])("%j ends a call with the byte %i and a reason in the log", async (closing, code, reason) => {
  const { port, opened, logged } = await started();
  const client = await called(port);
  await expect.poll(() => opened[0]?.total).toBe(320);
  opened[0]?.connection?.close(closing);
  expect(await client.ended).toEqual(failed(code));
  expect(logged).toEqual([expect.stringMatching(reason)]);
});

test("a call whose session has another format is refused with both formats in the log", async () => {
  const existing = { encoding: "wav/pcm", bit_depth: 16, sample_rate: 16_000, channels: 2 };
  const { port, opened, logged } = await started({}, existing);
  const client = await called(port);
  expect(await client.ended).toEqual(failed(CODES.invalid));
  expect(opened).toEqual([]);
  expect(logged).toEqual([
    "Invalid packet of AudioSocket: the call has wav/pcm, 16 bits, 8000 Hz, channels 1; its session has wav/pcm, 16 bits, 16000 Hz, channels 2. Create it by POST /v2/live with sample_rate 8000",
  ]);
});

test("a session that ends by itself ends the connection with an error", async () => {
  const { port, opened } = await started();
  const client = await called(port);
  await expect.poll(() => opened.length).toBe(1);
  await expect.poll(() => opened[0]?.total).toBe(320);
  opened[0]?.connection?.close({ kind: "revoked" });
  expect(await client.ended).toEqual(failed(CODES.fault));
});

test("an error of Asterisk, and digits before the audio, are warnings", async () => {
  const { port, opened } = await started();
  const client = await AudioSocketClient.connect(port);
  client.id(ID);
  client.send(0x03, Buffer.from("1"));
  client.audio(Buffer.alloc(320));
  client.send(ERROR, Buffer.from([2]));
  await client.ended;
  expect(opened[0]?.warnings).toEqual([
    "dtmf has no effect: digits are no part of a transcript",
    "Asterisk reported the error 02",
  ]);
});

test("with too many connections the oldest without audio is closed; with audio in all, the new one", async () => {
  const { port, opened } = await started({ mostPeers: 2 });
  const first = await called(port);
  await expect.poll(() => opened.length).toBe(1);
  const second = await AudioSocketClient.connect(port);
  await expect.poll(() => listener?.size).toBe(2);
  await called(port);
  expect(await second.ended).toEqual(failed(CODES.busy));
  await expect.poll(() => opened.length).toBe(2);
  const fourth = await called(port);
  expect(await fourth.ended).toEqual(failed(CODES.busy));
  first.hangUp();
  expect(await first.ended).toHaveLength(1);
});

test("a client at an address that is not admitted is refused; thousands leave nothing behind", async () => {
  const { port, opened } = await started({ clients: "192.0.2.1" });
  const client = await AudioSocketClient.connect(port);
  expect(await client.ended).toEqual(failed(CODES.refused));
  const crowd = Array.from({ length: 500 }, () => connect(port, "127.0.0.1").on("error", () => undefined));
  await expect.poll(() => crowd.every(({ destroyed, readyState }) => destroyed || readyState !== "opening")).toBe(true);
  await expect.poll(() => listener?.size).toBe(0);
  expect(opened).toHaveLength(0);
  for (const socket of crowd) socket.destroy();
});

test("a stop ends calls with an error, and their sessions with what was received", async () => {
  const { port, opened } = await started();
  const client = await called(port);
  await expect.poll(() => opened[0]?.total).toBe(320);
  await listener?.stop(5_000);
  expect(await client.ended).toEqual(failed(CODES.fault));
  expect(opened[0]?.departure).toBe("finished");
  expect(listener?.size).toBe(0);
});

test("a connection without packets is closed", async () => {
  const { port } = await started({ idleMilliseconds: 100 });
  const client = await AudioSocketClient.connect(port);
  expect(await client.ended).toEqual(failed(CODES.timeout));
});
