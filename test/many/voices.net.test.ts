// The library of voices of several machines: a process that recognises no speech enrols, another one names, and both see one library.
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasPostgres, startPostgres } from "../fixtures/postgres.ts";
import { wav } from "../fixtures/recordings.ts";
import { type S3Server, startS3, VERSITYGW } from "../fixtures/s3.ts";
import { decodeSpeech, repeated } from "../fixtures/speech.ts";
import { tinySpeakerModels } from "../fixtures/tiny-speakers.ts";
import { call, finished, type RunningService, startService, submit } from "../service.ts";

const isThere = hasPostgres && VERSITYGW !== undefined;

describe.skipIf(!isThere)("voices on several machines (skipped without PostgreSQL and versitygw)", () => {
  let postgres: Awaited<ReturnType<typeof startPostgres>>;
  let s3: S3Server;
  let folder: string;
  const services: RunningService[] = [];

  beforeAll(async () => {
    [postgres, s3] = [await startPostgres(), await startS3()];
    folder = mkdtempSync(path.join(os.tmpdir(), "parlance-voices-many-"));
    const store = await tinySpeakerModels(folder);
    for (const role of ["api", "api", "worker"]) {
      const environment = {
        DATABASE_URL: postgres.url,
        ...s3.environment,
        PARLANCE_ROLES: role,
        PARLANCE_WORKERS: "1",
        PARLANCE_MODELS_DIR: store.folder,
        PARLANCE_SECRETS_KEY: "a secrets key for tests",
      };
      services.push(await startService({ environment }));
    }
  });
  afterAll(async () => {
    for (const service of services) await service.remove();
    await s3.remove();
    postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  test("one machine enrols, another names, a third deletes", async () => {
    const [first, second] = services as [RunningService, RunningService];
    const speech = await decodeSpeech();
    await call(first, "PUT", "/v2/voices/settings", { body: { enabled: true } });
    const form = new FormData();
    form.append("name", "Maria");
    form.append("audio", new Blob([wav([repeated(speech, 4, 0.2)]) as never]), "voice.wav");
    const made = await call(first, "POST", "/v2/voices", { body: form });
    expect(made.json).toMatchObject({ name: "Maria" });
    const params = { diarization: true, diarization_config: { identify_speakers: true } };
    const id = await submit(second, wav([repeated(speech, 2, 1)]), params);
    const job = await finished(second, id);
    expect(job.result.transcription.utterances[0]).toMatchObject({ speaker_name: "Maria" });
    expect((await call(second, "DELETE", `/v2/voices/${made.json.id}`)).status).toBe(202);
    const { result } = (await call(first, "GET", `/v2/transcription/${id}`)).json;
    expect(result.transcription.speakers).toMatchObject([{ name: null }]);
  });
});
