// A real service transcribes, calls back, lists, searches, corrects, exports, returns and deletes every recording that it accepted, for
// any texts in the request. It ends every live session, for any messages of the client.
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { inlineSchemas } from "../../src/api/description/shared-schemas.ts";
import { FUZZ_MILLISECONDS, fuzzing } from "../fixtures/fuzzing.ts";
import { LiveClient } from "../fixtures/live-client.ts";
import { Receiver } from "../fixtures/receiver.ts";
import { HELLO_MP3, silence, wav } from "../fixtures/recordings.ts";
import { NASTY_TEXT, type Schema, valid } from "../fixtures/schema-arbitrary.ts";
import { uploadInPieces } from "../fixtures/tus.ts";
import { call, finished, type RunningService, ready, startService, upload } from "../service.ts";

const FORMATS = ["txt", "srt", "vtt", "json", "md", "docx"];

let service: RunningService;
let receiver: Receiver;
let bodies: { recorded: Schema; live: Schema };
let messages: Schema[];

beforeAll(async () => {
  service = await startService({ environment: { PARLANCE_LOG_LEVEL: "error", PARLANCE_WORKERS: "1" } });
  receiver = await Receiver.start();
  await ready(service);
  const openApi = inlineSchemas((await call(service, "GET", "/openapi.json", { key: null })).json);
  const bodyOf = (path: string) => openApi.paths[path].post.requestBody.content["application/json"].schema;
  bodies = { recorded: bodyOf("/v2/pre-recorded"), live: bodyOf("/v2/live") };
  const { json: asyncApi } = await call(service, "GET", "/asyncapi.json", { key: null });
  messages = Object.entries(asyncApi.channels.live.messages as Record<string, Schema>)
    .filter(([name]) => name.startsWith("client_"))
    .map(([, { payload }]) => payload);
});
afterAll(async () => {
  await service.remove();
  await receiver.stop();
});

/** Fields that select a model, a language, a track or a part. This service has almost none that a random value names: the job would fail. */
const withoutModelAndLanguage = {
  model: undefined,
  region: undefined,
  language: undefined,
  language_config: undefined,
  enable_code_switching: undefined,
  code_switching_config: undefined,
  audio_track: undefined,
  audio_range: undefined,
};

async function readEverywhere(id: string, words: string, metadata: unknown, sent: string): Promise<void> {
  const correction = { utterances: [{ index: 0, text: words }], speakers: [{ speaker: 0, name: words.slice(0, 20) }] };
  const corrected = await call(service, "PATCH", `/v2/transcription/${id}/transcript`, { body: correction });
  expect([201, 400, 409], `${sent}: ${corrected.text}`).toContain(corrected.status);
  const routes = [
    ...FORMATS.map((format) => `/v2/transcription/${id}/transcript?format=${format}`),
    `/v2/transcription/${id}`,
    `/v2/transcription/${id}/corrections`,
    `/v2/transcription/${id}/file`,
    `/v2/transcription/${id}/peaks`,
    `/v2/transcription/${id}/cues`,
    `/v2/transcription/${id}/deliveries`,
    "/v2/transcription?limit=1000",
    `/v2/transcription?search=${encodeURIComponent(Buffer.from(words).toString())}`,
    `/v2/transcription?custom_metadata=${encodeURIComponent(JSON.stringify(metadata ?? {}))}`,
  ];
  for (const route of routes) {
    const read = await call(service, "GET", route.slice(0, 12_000));
    expect(read.status, `${route} after ${sent}: ${read.text.slice(0, 300)}`).toBeLessThan(500);
  }
}

/** Fields that the service refuses, by the names in its answer. @throws Error if it refuses something else */
function refusedFields({ status, text, json }: Awaited<ReturnType<typeof call>>, sent: string): Set<string> {
  // The body requests names of speakers, and this account has no library of voices.
  if (status === 409 && text.includes("library of voices")) return new Set(["diarization_config"]);
  expect(status, `${sent}: ${text}`).toBe(400);
  return new Set((json.validation_errors as string[]).map((error) => /^\w*/.exec(error)?.[0] ?? ""));
}

const UNKNOWN_LIST = "vocabulary_lists names a list";

/** The account has no vocabulary lists. */
function removeLists(body: Record<string, unknown>): void {
  delete body["vocabulary_lists"];
  const live = body["realtime_processing"] as object | undefined;
  if (live) body["realtime_processing"] = { ...live, vocabulary_lists: undefined };
}

/**
 * Creates a job. Almost every random body has at least one invalid field. The test removes the fields that the service refuses, and sends
 * the rest again.
 * @param own       fields that replace random ones; the service must accept them
 * @param accepted  collects the names of the accepted fields
 */
async function create(path: string, given: object, own: object, accepted: Set<string>) {
  const body: Record<string, unknown> = { ...given, ...withoutModelAndLanguage, ...own };
  for (;;) {
    const created = await call(service, "POST", path, { body });
    const sent = JSON.stringify(body).slice(0, 1_000);
    if (created.status === 201) {
      for (const [name, value] of Object.entries(body)) if (value !== undefined || name in own) accepted.add(name);
      return { created: created.json, sent };
    }
    if (created.status === 422 && created.text.includes(UNKNOWN_LIST)) {
      removeLists(body);
      continue;
    }
    for (const field of refusedFields(created, sent)) {
      // A switch without its configuration: "audio_to_llm_config.prompts is required when audio_to_llm is true".
      const removed = field in body ? field : field.replace(/_config$/, "");
      expect(body, `${sent}: ${created.text}`).toHaveProperty(removed);
      expect(own, `${sent}: ${created.text}`).not.toHaveProperty(removed);
      delete body[removed];
    }
  }
}

/** The service must accept this share of the fields of a schema in at least one job each. Random values of the other fields are rarely valid. */
const LEAST_ACCEPTED = 0.9;

function expectMost(accepted: ReadonlySet<string>, schema: Schema): void {
  const fields = Object.keys(schema.properties).filter((name) => !(name in withoutModelAndLanguage));
  const missing = fields.filter((name) => !accepted.has(name));
  expect(missing.length, `never accepted: ${missing}`).toBeLessThanOrEqual((1 - LEAST_ACCEPTED) * fields.length);
}

test("recordings", { timeout: FUZZ_MILLISECONDS }, async () => {
  const accepted = new Set<string>();
  await fc.assert(
    fc.asyncProperty(valid(bodies.recorded), NASTY_TEXT, async (given, words) => {
      // The deletion of a job also deletes its upload, so the next job needs a new one.
      const recording = readFileSync(HELLO_MP3);
      // Every other one is an upload that resumes, whose name is any text.
      const isInPieces = words.length % 2 === 1;
      const uploaded = isInPieces
        ? { json: await uploadInPieces(service, recording, words) }
        : await upload(service, recording, "a\u202e\u0001.mp3");
      const own = {
        audio_url: uploaded.json.audio_url,
        callback_url: undefined,
        callback: true,
        callback_config: { url: `${receiver.url}/x?y=%00` },
      };
      const { created, sent } = await create("/v2/pre-recorded", given as object, own, accepted);
      const { id } = created;
      const job = await finished(service, id);
      expect(job.error_code ?? 200, `${sent}: ${job.error_message}`).toBeLessThan(500);
      await readEverywhere(id, words as string, job.custom_metadata, sent);
      await expect
        .poll(async () => (await call(service, "GET", `/v2/transcription/${id}/deliveries`)).json.items[0]?.status, {
          timeout: 30_000,
        })
        .toBe("delivered");
      expect((await call(service, "DELETE", `/v2/transcription/${id}`)).status).toBe(202);
    }),
    { ...fuzzing(25), endOnFailure: true },
  );
  expectMost(accepted, bodies.recorded);
});

test("live sessions", { timeout: FUZZ_MILLISECONDS }, async () => {
  const accepted = new Set<string>();
  const frame = fc.oneof(
    fc.oneof(...messages.map(valid)).map((message) => JSON.stringify(message)),
    fc
      .record({ type: fc.oneof(NASTY_TEXT, fc.constant("audio_chunk")), data: fc.jsonValue() })
      .map((message) => JSON.stringify(message)),
    NASTY_TEXT.map((text) => JSON.stringify({ type: "audio_chunk", data: { chunk: text } })),
    fc.uint8Array({ maxLength: 2_000 }),
    fc.constant(wav([silence(0.1)]) as Uint8Array),
  );
  // A session with a source has no WebSocket.
  const fixed = { callback: false, source: undefined };
  await fc.assert(
    fc.asyncProperty(
      valid(bodies.live),
      fc.array(frame, { maxLength: 8 }),
      NASTY_TEXT,
      async (given, frames, words) => {
        const { created, sent } = await create("/v2/live", given as object, fixed, accepted);
        const { id, url } = created;
        const client = await LiveClient.connect(url);
        for (const one of frames) client.socket.send(one as Uint8Array);
        client.stop();
        const { code } = await client.closed;
        expect([1000, 4400], sent).toContain(code);
        const job = await finished(service, id);
        expect(job.error_code ?? 200, `${sent}: ${job.error_message}`).toBeLessThan(500);
        await readEverywhere(id, words as string, job.custom_metadata, sent);
        expect((await call(service, "DELETE", `/v2/live/${id}`)).status).toBe(202);
      },
    ),
    { ...fuzzing(20), endOnFailure: true },
  );
  expectMost(accepted, bodies.live);
});
