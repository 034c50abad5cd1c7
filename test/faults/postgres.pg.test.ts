// PostgreSQL fails in every way that it can, under a mixed load: jobs, live sessions, callbacks. Nothing that was accepted is lost,
// nothing ends twice, and what cannot be accepted is refused with a message.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createSession } from "../fixtures/live-client.ts";
import { checkSession, undisturbed } from "../fixtures/live-invariants.ts";
import { hasPostgres, type PostgresServer, startPostgres } from "../fixtures/postgres.ts";
import { Receiver } from "../fixtures/receiver.ts";
import { HELLO_MP3, wav } from "../fixtures/recordings.ts";
import { Speaker } from "../fixtures/speaker.ts";
import { decodeSpeech, repeated } from "../fixtures/speech.ts";
import { startTcpProxy, type TcpProxy } from "../fixtures/tcp-proxy.ts";
import { call, engineUp, finished, type RunningService, ready, startService, upload } from "../service.ts";

describe.skipIf(!hasPostgres)("the database goes away (skipped without PostgreSQL)", () => {
  let postgres: PostgresServer;
  let network: TcpProxy;
  let service: RunningService;
  let receiver: Receiver;
  let audio: Buffer;
  let words: string[];
  let addresses: string[];

  beforeAll(async () => {
    postgres = await startPostgres({ hasStandby: true });
    network = await startTcpProxy({ port: postgres.port });
    receiver = await Receiver.start();
    service = await startService({
      environment: {
        DATABASE_URL: `postgres://parlance@127.0.0.1:${network.port}/postgres`,
        PARLANCE_CALLBACK_FIRST_RETRY_SECONDS: "0.5",
      },
    });
    await ready(service);
    ({ audio, words } = await undisturbed(service, 3));
    const recordings = [readFileSync(HELLO_MP3), wav([repeated(await decodeSpeech(), 10, 3)])];
    addresses = [];
    for (const recording of recordings) addresses.push((await upload(service, recording)).json.audio_url);
  }, 120_000);
  afterAll(async () => {
    await service?.remove();
    await receiver?.stop();
    await network?.stop();
    postgres?.stop();
  });

  /** Creates a job; if the service refuses it, sends the request again after the time that the answer names. */
  const accepted = async (audio_url: string): Promise<string> => {
    for (;;) {
      const body = { audio_url, callback: true, callback_config: { url: receiver.url } };
      const { status, json, headers } = await call(service, "POST", "/v2/pre-recorded", { body });
      if (status === 201) return json.id;
      expect(status).toBe(503);
      expect(json.message).toMatch(/database does not answer; try again/);
      expect(headers.get("retry-after")).toBe("5");
      await pause(500);
    }
  };

  /** Jobs before, while and after something happens to the database, and a session over all of it. */
  const whileBusy = async (fault: () => Promise<void>) => {
    const ids = [await accepted(addresses[1] as string), await accepted(addresses[0] as string)];
    const { id, url } = await createSession(service, { endpointing: 0.3 });
    const speaker = await Speaker.begin(audio, id, url);
    speaker.send(audio.length / 3, false);
    await speaker.received("audio_chunk");
    await fault();
    ids.push(await accepted(addresses[0] as string));
    await speaker.finish();
    await checkSession(service, id, speaker.messages, { audio, words });
    for (const one of ids) expect((await finished(service, one)).status).toBe("done");
    // Each has a callback, at least once and with one ending.
    await expect
      .poll(() => ids.filter((one) => receiver.of(one).length > 0).length, { timeout: 90_000 })
      .toBe(ids.length);
    for (const one of ids) {
      expect(new Set(receiver.of(one).map(({ body }) => body.event))).toEqual(new Set(["transcription.success"]));
    }
    expect((await call(service, "GET", "/health", { key: null })).status).toBe(200);
  };

  const limit = { timeout: 240_000 };

  test("it is not there yet when the service starts", limit, async () => {
    const administrator = new pg.Client(postgres.url);
    await administrator.connect();
    await administrator.query("create database early");
    await administrator.end();
    const away = await startTcpProxy({ port: postgres.port });
    away.cut();
    const starting = startService({
      environment: { DATABASE_URL: `postgres://parlance@127.0.0.1:${away.port}/early` },
    });
    await expect.poll(() => away.refused).toBeGreaterThan(1);
    away.mend();
    const early = await starting;
    expect(early.log()).toMatch(/waiting for the database/);
    await early.remove();
    away.cut();
    const { stdout, status } = spawnSync(process.execPath, ["bin/parlance.js", "doctor", "--json"], {
      env: { PATH: process.env["PATH"], DATABASE_URL: `postgres://parlance@127.0.0.1:${away.port}/postgres` },
      encoding: "utf8",
    });
    expect(stdout).toMatch(/PostgreSQL at 127.0.0.1:\d+ does not answer: .*Check DATABASE_URL/);
    expect(status).toBe(1);
    await away.stop();
  });

  test("it is slow", limit, () =>
    whileBusy(async () => {
      network.delay(150);
      await pause(3_000);
      network.mend();
    }),
  );

  test("it is cut off", limit, () =>
    whileBusy(async () => {
      expect(await engineUp(service, "database")).toBe(1);
      network.cut();
      expect((await call(service, "GET", "/v2/pre-recorded")).status).toBe(503);
      expect(await engineUp(service, "database")).toBe(0);
      await pause(4_000);
      network.mend();
      await expect.poll(() => engineUp(service, "database"), { timeout: 20_000 }).toBe(1);
    }),
  );

  test("it is cut off for longer than a worker may hold its jobs", limit, () =>
    whileBusy(async () => {
      network.cut();
      await pause(20_000);
      network.mend();
    }),
  );

  test("it does not answer, and its connections stay open", limit, () =>
    whileBusy(async () => {
      network.silence();
      expect(await engineUp(service, "database")).toBe(0);
      await pause(6_000);
      network.mend();
    }),
  );

  test("it crashes and starts again", limit, () =>
    whileBusy(async () => {
      postgres.restart();
    }),
  );

  test("its primary is killed, and the standby takes over", limit, () =>
    whileBusy(async () => {
      network.aim(postgres.failOver());
    }),
  );
});
