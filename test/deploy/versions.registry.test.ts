// Upgrades from each released version to this one, and back: the old program fills a data folder and a PostgreSQL database, this one
// starts on them.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildVersion, isInHistory, VERSIONS, type Version } from "../fixtures/earlier-versions.ts";
import { createSession, LiveClient } from "../fixtures/live-client.ts";
import { hasPostgres, type PostgresServer, startPostgres } from "../fixtures/postgres.ts";
import { Receiver } from "../fixtures/receiver.ts";
import { HELLO_MP3 } from "../fixtures/recordings.ts";
import { decodeSpeech, encodePcm, repeated } from "../fixtures/speech.ts";
import { call, finished, type RunningService, ready, startService, submit, upload } from "../service.ts";

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
type Json = any;

interface Filled {
  job: string;
  session: string;
  waiting: string;
  key: string;
  answers: Map<string, { status: number; text: string; json: Json }>;
}

const readings = (job: string, session: string) =>
  [job, session].flatMap((id) =>
    ["", "/transcript?format=srt", "/transcript?format=txt", "/file", "/corrections"].map(
      (rest) => `/v2/transcription/${id}${rest}`,
    ),
  );

/** Work of every kind, ended and waiting. */
async function fill(service: RunningService, receiver: Receiver): Promise<Filled> {
  await ready(service);
  const { json: key } = await call(service, "POST", "/v2/account/keys", { body: { name: "second" } });
  const job = await submit(service, readFileSync(HELLO_MP3), {
    ...{ diarization: true, subtitles: true, subtitles_config: { formats: ["srt"] } },
    ...{ custom_metadata: { order: 7, kept: true }, callback: true, callback_config: { url: receiver.url } },
  });
  expect((await finished(service, job)).status).toBe("done");
  const corrected = await call(service, "PATCH", `/v2/transcription/${job}/transcript`, {
    body: { utterances: [{ index: 0, text: "Hello from the corrected past" }] },
  });
  expect(corrected.status, corrected.text).toBe(201);
  await receiver.until(() => receiver.of(job).length > 0, 30_000);

  const { id: session, url } = await createSession(service, { endpointing: 0.3 });
  const client = await LiveClient.connect(url);
  client.send(encodePcm([repeated(await decodeSpeech(), 1, 1)]));
  client.stop();
  await client.closed;
  expect((await finished(service, session)).status).toBe("done");

  const answers: Filled["answers"] = new Map();
  for (const route of readings(job, session)) answers.set(route, await call(service, "GET", route));
  // Accepted and not done: the next version does it.
  const { audio_url } = (await upload(service, readFileSync(HELLO_MP3))).json;
  const { json: created } = await call(service, "POST", "/v2/pre-recorded", { body: { audio_url } });
  return { job, session, waiting: created.id, key: key.key, answers };
}

/** Everything that was there is read as before, and new work is done. */
async function check(service: RunningService, filled: Filled): Promise<void> {
  await ready(service);
  const { job, session, waiting, key, answers } = filled;
  for (const [route, before] of answers) {
    const now = await call(service, "GET", route);
    expect({ route, status: now.status }).toEqual({ route, status: before.status });
    // Later versions may add fields.
    if (before.json !== undefined) expect(now.json, route).toMatchObject(before.json);
    else expect(now.text.replaceAll("\r", ""), route).toBe(before.text.replaceAll("\r", ""));
  }
  expect((await finished(service, waiting)).status).toBe("done");
  const listed = await call(service, "GET", "/v2/transcription?limit=100", { key });
  const ids = listed.json.items.map(({ id }: { id: string }) => id);
  expect(ids).toEqual(expect.arrayContaining([job, session, waiting]));
  const filter = encodeURIComponent('{"order":7}');
  const byMetadata = await call(service, "GET", `/v2/transcription?custom_metadata=${filter}`);
  expect(byMetadata.json.items.map(({ id }: { id: string }) => id)).toEqual([job]);
  await expect
    .poll(
      async () => {
        const { json } = await call(service, "GET", "/v2/transcription?search=corrected%20past");
        return json.items.map(({ id }: { id: string }) => id);
      },
      { timeout: 120_000 },
    )
    .toEqual([job]);
  expect((await finished(service, await submit(service, readFileSync(HELLO_MP3)))).status).toBe("done");
}

const outputOf = (start: Promise<RunningService>) =>
  start.then(
    async (service) => {
      await service.stop();
      return "it started";
    },
    (error: Error) => error.message,
  );

let receiver: Receiver;
let postgres: PostgresServer | undefined;
beforeAll(async () => {
  receiver = await Receiver.start();
  if (hasPostgres) postgres = await startPostgres();
});
afterAll(async () => {
  await receiver.stop();
  postgres?.stop();
});

describe.each(VERSIONS)("from $version", (version: Version) => {
  describe.skipIf(!isInHistory(version))("(needs the git history)", () => {
    const place = mkdtempSync(path.join(os.tmpdir(), "parlance-version-"));
    const program = path.join(place, "program");
    beforeAll(() => buildVersion(version, program));
    afterAll(() => rmSync(place, { recursive: true, force: true }));

    const upgrade = async (name: string, environment: Record<string, string>) => {
      const folder = path.join(place, name);
      const more = { PARLANCE_WORKERS: "1", ...environment };
      const old = await startService({ folder, program, environment: more });
      const filled = await fill(old, receiver);
      expect(await old.stop()).toBe(0);

      const current = await startService({ folder, environment: more });
      await check(current, filled);
      expect(await current.stop()).toBe(0);
      expect(current.log()).not.toMatch(/"level":"(error|fatal)"/);

      // The old version ends, and changes nothing that this one needs.
      const back = await outputOf(startService({ folder, program, environment: more }));
      expect(back).toMatch(/migration .* is missing|cannot use it/);
      const again = await startService({ folder, environment: more });
      const { status } = await call(again, "GET", `/v2/transcription/${filled.job}/transcript?format=txt`);
      expect(status).toBe(200);
      await again.stop();
    };

    test("a data folder", () => upgrade("embedded", {}));

    test.skipIf(!hasPostgres)("a PostgreSQL database (skipped without PostgreSQL)", async () => {
      await upgrade("server", { DATABASE_URL: postgres?.url ?? "" });
    });
  });
});
