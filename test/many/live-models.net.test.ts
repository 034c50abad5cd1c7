// A live session continues at a process that has not the model of its languages: the process copies the model from the object store first.
import { existsSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Hub, startHub } from "../fixtures/hub.ts";
import { createSession } from "../fixtures/live-client.ts";
import { sessionResult, undisturbed } from "../fixtures/live-invariants.ts";
import { hasNats, type NatsServers, startNats } from "../fixtures/nats.ts";
import { hasPostgres, startPostgres } from "../fixtures/postgres.ts";
import { type S3Server, startS3, VERSITYGW } from "../fixtures/s3.ts";
import { Speaker } from "../fixtures/speaker.ts";
import { tinyWhisper } from "../fixtures/tiny-whisper.ts";
import { call, type RunningService, ready, startService, TEST_KEY } from "../service.ts";

const MODEL = "whisper-tiny";
const GERMAN = { language_config: { languages: ["de"] } };
const isThere = hasPostgres && hasNats && VERSITYGW !== undefined;

describe.skipIf(!isThere)("models of live sessions (skipped without PostgreSQL, nats-server and versitygw)", () => {
  let postgres: Awaited<ReturnType<typeof startPostgres>>;
  let s3: S3Server;
  let nats: NatsServers;
  let hub: Hub;
  const machines: RunningService[] = [];

  const start = async (environment: Record<string, string>) => {
    const service = await startService({
      environment: {
        DATABASE_URL: postgres.url,
        PARLANCE_NATS_URL: nats.url,
        ...s3.environment,
        PARLANCE_WORKERS: "1",
        PARLANCE_MULTILINGUAL_MODEL: MODEL,
        PARLANCE_MODELS_URL: hub.url,
        ...environment,
      },
    });
    machines.push(service);
    await ready(service);
    return service;
  };
  const folderOf = ({ folder }: RunningService) => path.join(folder, "models", MODEL);
  /** The address of a session on one of the machines. */
  const on = (url: string, { base }: RunningService) => url.replace(new URL(url).host, new URL(base).host);
  /** Reconnects until audio is acknowledged. @returns how the connections before were closed */
  const closingsOf = async (speaker: Speaker, url: string) => {
    const closed: { code: number; reason: string }[] = [];
    for (;;) {
      speaker.send(16_000, false);
      const isStored = speaker.received("audio_chunk").then(() => undefined);
      const closing = await Promise.race([speaker.closed, isStored]);
      if (!closing) return closed;
      closed.push(closing);
      await speaker.survive(() => Promise.resolve(), url);
    }
  };

  beforeAll(async () => {
    [postgres, s3, nats] = [await startPostgres(), await startS3(), await startNats(1)];
    hub = await startHub({ "openai/whisper-tiny": tinyWhisper() });
  });
  afterAll(async () => {
    for (const service of machines) await service.remove();
    await Promise.all([s3?.remove(), nats?.remove(), hub?.close()]);
    postgres?.stop();
  });

  test("the model of a change is missing at the heir: it copies the model, and clients reconnect meanwhile", async () => {
    const owner = await start({ PARLANCE_FETCH_MODELS: "true" });
    const isFetched = async () => (await call(owner, "POST", "/v2/live", { body: GERMAN })).status === 201;
    await expect.poll(isFetched).toBe(true);
    const { audio } = await undisturbed(owner, 2);
    const { id, url } = await createSession(owner, { language_config: { languages: ["en"] }, endpointing: 0.3 });
    const speaker = await Speaker.begin(audio, id, url);
    speaker.send(audio.length / 2, false);
    speaker.say(JSON.stringify({ type: "configure", data: GERMAN }));
    await speaker.received("configure");
    // A new machine has no model yet.
    const heir = await start({});
    const address = on(url, heir);
    await speaker.survive(() => owner.kill(), address);
    // None if the model is there before the client.
    for (const { code, reason } of await closingsOf(speaker, address)) {
      expect(code).toBe(1012);
      expect(reason).toMatch(/model/);
    }
    expect(existsSync(folderOf(heir))).toBe(true);
    await speaker.finish();
    const job = await sessionResult(heir, id);
    expect(job.status).toBe("done");
    const file = await fetch(`${heir.base}/v2/live/${id}/file`, { headers: { "x-service-key": TEST_KEY } });
    expect(
      Buffer.from(await file.arrayBuffer())
        .subarray(44)
        .equals(audio),
    ).toBe(true);
    // The hub served it once.
    expect(hub.fetched.map(({ from }) => from)).toEqual([0]);
  });
});
