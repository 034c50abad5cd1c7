// A rolling upgrade and the way back: the oldest version that may use the tables of this one runs beside it, on one PostgreSQL, one bucket and
// NATS, while clients send recordings and speak.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildVersion, isInHistory, OLDEST_BESIDE } from "../fixtures/earlier-versions.ts";
import { hasFleetServers } from "../fixtures/fleet-servers.ts";
import { createSession } from "../fixtures/live-client.ts";
import { checkSession, undisturbed } from "../fixtures/live-invariants.ts";
import { type NatsServers, startNats } from "../fixtures/nats.ts";
import { startPostgres } from "../fixtures/postgres.ts";
import { HELLO_MP3 } from "../fixtures/recordings.ts";
import { type S3Server, startS3 } from "../fixtures/s3.ts";
import { Speaker } from "../fixtures/speaker.ts";
import { call, finished, newDataFolder, type RunningService, ready, startService, submit } from "../service.ts";

type Which = "this" | "old";
/** Which process runs which version, step by step: both are upgraded, and both go back. Versions run beside each other in both orders. */
const STEPS: readonly (readonly [process: 0 | 1, which: Which])[] = [
  [0, "this"],
  [1, "this"],
  [0, "old"],
  [1, "old"],
];
const JOB_MILLISECONDS = 300_000;

describe.skipIf(!hasFleetServers || !isInHistory(OLDEST_BESIDE))(
  "beside an earlier version (skipped without PostgreSQL, nats-server, versitygw and the git history)",
  () => {
    const place = mkdtempSync(path.join(os.tmpdir(), "parlance-beside-"));
    const program = path.join(place, "program");
    let postgres: Awaited<ReturnType<typeof startPostgres>>;
    let s3: S3Server;
    let nats: NatsServers;
    const processes: RunningService[] = [];

    const start = async (folder: string, which: Which) => {
      const service = await startService({
        folder,
        ...(which === "old" ? { program } : {}),
        environment: {
          DATABASE_URL: postgres.url,
          PARLANCE_NATS_URL: nats.url,
          ...s3.environment,
          PARLANCE_WORKERS: "1",
          PARLANCE_LIVE_IDLE_SECONDS: "600",
          PARLANCE_LIVE_GRACE_SECONDS: "600",
        },
      });
      await ready(service);
      return service;
    };

    beforeAll(async () => {
      await buildVersion(OLDEST_BESIDE, program);
      [postgres, s3, nats] = [await startPostgres(), await startS3(), await startNats()];
    }, 1_800_000);
    afterAll(async () => {
      for (const one of processes) await one.remove();
      await Promise.all([s3?.remove(), nats?.remove()]);
      postgres?.stop();
      rmSync(place, { recursive: true, force: true });
    });

    test("recordings and a live session continue over an upgrade of one process after another, and back", {
      timeout: 1_200_000,
    }, async () => {
      for (const _ of [0, 1]) processes.push(await start(await newDataFolder(), "old"));
      const at = (number: number) => processes[number] as RunningService;
      const on = (url: string, { base }: RunningService) => url.replace(new URL(url).host, new URL(base).host);
      const { audio, words } = await undisturbed(at(0), STEPS.length + 1);
      const { id, url } = await createSession(at(0), { endpointing: 0.3 });
      const speaker = await Speaker.begin(audio, id, url);
      const jobs: string[] = [];
      const send = async () => {
        for (const service of processes)
          jobs.push(await submit(service, readFileSync(HELLO_MP3), { diarization: true }));
      };
      for (const [number, which] of STEPS) {
        await send();
        // Whole sentences: the restarts are longer than the silence that ends a turn.
        speaker.send(audio.length / (STEPS.length + 1), false);
        await speaker.received("transcript");
        const { folder } = at(number);
        const other = at(1 - number);
        // The session is at the process that is replaced, and continues at the other one.
        await speaker.comeBack("take over", on(url, at(number)));
        await speaker.survive(async () => void (await at(number).stop()), on(url, other));
        processes[number] = await start(folder, which);
        await send();
      }
      await speaker.finish();
      await checkSession(at(0), id, speaker.messages, { audio, words });
      for (const [index, job] of jobs.entries()) {
        const { status, result } = await finished(at(index % 2), job, JOB_MILLISECONDS);
        expect({ job, status, text: result?.transcription.full_transcript }).toMatchObject({
          status: "done",
          text: expect.stringMatching(/hello/i),
        });
      }
      for (const service of processes) {
        expect((await call(service, "GET", `/v2/transcription/${jobs[0]}/transcript?format=srt`)).status).toBe(200);
      }
    });
  },
);
