// The speakers of a live session that moves to another machine: PostgreSQL, an S3 server and NATS between them.
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Utterance } from "../../src/contract/transcript/transcript.ts";
import { createSession } from "../fixtures/live-client.ts";
import { sessionResult } from "../fixtures/live-invariants.ts";
import { correctedFinals } from "../fixtures/live-speakers.ts";
import { hasNats, type NatsServers, startNats } from "../fixtures/nats.ts";
import { hasPostgres, startPostgres } from "../fixtures/postgres.ts";
import { type S3Server, startS3, VERSITYGW } from "../fixtures/s3.ts";
import { Speaker } from "../fixtures/speaker.ts";
import { decodeSpeech, encodePcm, repeated } from "../fixtures/speech.ts";
import { tinySpeakerModels } from "../fixtures/tiny-speakers.ts";
import { type RunningService, ready, startService } from "../service.ts";

const isThere = hasPostgres && hasNats && VERSITYGW !== undefined;

describe.skipIf(!isThere)(
  "live speakers on two machines (skipped without PostgreSQL, nats-server and versitygw)",
  () => {
    let postgres: Awaited<ReturnType<typeof startPostgres>>;
    let s3: S3Server;
    let nats: NatsServers;
    let folder: string;
    let machines: RunningService[] = [];

    beforeAll(async () => {
      folder = mkdtempSync(path.join(os.tmpdir(), "parlance-live-speakers-"));
      [postgres, s3, nats] = [await startPostgres(), await startS3(), await startNats(1)];
      const environment = {
        DATABASE_URL: postgres.url,
        PARLANCE_NATS_URL: nats.url,
        ...s3.environment,
        PARLANCE_WORKERS: "1",
        PARLANCE_MODELS_DIR: (await tinySpeakerModels(folder)).folder,
      };
      machines = [await startService({ environment }), await startService({ environment })];
      for (const machine of machines) await ready(machine);
    }, 120_000);
    afterAll(async () => {
      for (const machine of machines) await machine.remove();
      await Promise.all([s3?.remove(), nats?.remove()]);
      postgres?.stop();
      rmSync(folder, { recursive: true, force: true });
    });

    test("words keep their speaker after the machine is killed", { timeout: 120_000 }, async () => {
      const [first, second] = machines as [RunningService, RunningService];
      const audio = encodePcm([repeated(await decodeSpeech(), 6, 1)]);
      const { id, url } = await createSession(first, { diarization: true, endpointing: 0.3 });
      const client = await Speaker.begin(audio, id, url);
      for (let second = 0; second < 10; second++) {
        client.send(32_000, false);
        await pause(300);
      }
      await client.survive(() => first.kill(), url.replace(new URL(url).host, new URL(second.base).host));
      await client.finish();
      const { result } = await sessionResult(second, id);
      const finals = correctedFinals(client.messages);
      expect(finals.length).toBeGreaterThanOrEqual(4);
      for (const { words } of finals) for (const { speaker } of words) expect(speaker).toBe(0);
      for (const { speaker } of result.transcription.utterances as Utterance[]) expect(speaker).toBe(0);
      expect(result.metadata.diarization.method).toBe("networks");
    });
  },
);
