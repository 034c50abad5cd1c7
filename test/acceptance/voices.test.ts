// The library of voices: off by default, people added from recordings and jobs, their names in results and exports, and everything of them
// deleted. With a tiny random pair of networks; who is who with the real weights: voices.slow.test.ts.
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Utterance } from "../../src/contract/transcript/transcript.ts";
import { parlance } from "../fixtures/parlance.ts";
import { silence, wav } from "../fixtures/recordings.ts";
import { decodeSpeech, repeated } from "../fixtures/speech.ts";
import { contentOf } from "../fixtures/stored-objects.ts";
import { tinySpeakerModels } from "../fixtures/tiny-speakers.ts";
import { enrol, IDENTIFY, SECRETS_KEY, turnOn, VOICES_SETTINGS, voiceForm } from "../fixtures/voices.ts";
import { call, finished, type RunningService, startService, submit, TEST_KEY } from "../service.ts";

let folder: string;
let speech: Float32Array;
beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), "parlance-voices-"));
  speech = await decodeSpeech();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Every stored file and database page that contains a text. */
function filesWith(root: string, text: string): string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => contentOf(file).includes(text));
}

describe("the library", () => {
  let service: RunningService;
  beforeAll(async () => {
    service = await startService({
      environment: { PARLANCE_MODELS_DIR: (await tinySpeakerModels(folder)).folder, PARLANCE_SECRETS_KEY: SECRETS_KEY },
    });
  });
  afterAll(() => service.remove());

  test("is off until the account turns it on; every use says how", async () => {
    expect((await call(service, "GET", VOICES_SETTINGS)).json).toEqual({ enabled: false });
    const asks = [
      await enrol(service, "Maria", repeated(speech, 4, 0.2)),
      await call(service, "GET", "/v2/voices"),
      await call(service, "GET", "/v2/voices/export"),
      await call(service, "POST", "/v2/pre-recorded", {
        body: { audio_url: "https://example.com/a.wav", ...IDENTIFY },
      }),
    ];
    for (const { status, json } of asks) {
      expect(status).toBe(409);
      expect(json.message).toMatch(/PUT \/v2\/voices\/settings/);
    }
    expect((await turnOn(service)).json).toEqual({ enabled: true });
    expect((await call(service, "GET", "/v2/voices")).json).toEqual({ items: [] });
  });

  test("names a person in results and exports; renaming, merging and deleting reach results that are there", async () => {
    await turnOn(service);
    const made = await enrol(service, "Maria", repeated(speech, 4, 0.2));
    expect(made.status).toBe(201);
    expect(made.json).toMatchObject({ name: "Maria", samples: [{ seconds: expect.any(Number) }] });
    const { id } = made.json;
    expect((await enrol(service, "maria", repeated(speech, 4, 0.2))).status).toBe(409);

    const job = await submit(service, wav([repeated(speech, 3, 1)]), IDENTIFY);
    const { transcription } = (await finished(service, job)).result;
    expect(transcription.speakers).toContainEqual({
      speaker: 0,
      name: "Maria",
      voice_id: id,
      confidence: expect.any(Number),
    });
    expect(transcription.utterances[0]).toMatchObject({ speaker: 0, speaker_name: "Maria" });
    expect(transcription.utterances[0].speaker_confidence).toBeGreaterThan(0.5);

    const written = async (format: string) =>
      (await call(service, "GET", `/v2/transcription/${job}/transcript?format=${format}`)).text;
    expect(await written("txt")).toMatch(/^Maria: /);
    expect(await written("srt")).toContain("Maria");
    expect(await written("vtt")).toContain("<v Maria>");
    expect(JSON.parse(await written("json")).transcription.utterances[0].speaker_name).toBe("Maria");

    // A correction of the name holds over the library, and can be undone.
    const correction = { speakers: [{ speaker: 0, name: "Somebody" }] };
    const corrected = await call(service, "PATCH", `/v2/transcription/${job}/transcript`, { body: correction });
    expect(await written("txt")).toMatch(/^Somebody: /);
    await call(service, "DELETE", `/v2/transcription/${job}/corrections/${corrected.json.id}`);

    await call(service, "PATCH", `/v2/voices/${id}`, { body: { name: "Maria Lopez" } });
    expect(await written("txt")).toMatch(/^Maria Lopez: /);

    const other = (await enrol(service, "M. L.", repeated(speech, 5, 0.1))).json.id;
    const merged = await call(service, "POST", `/v2/voices/${other}/merge`, { body: { voice_id: id } });
    expect(merged.json).toMatchObject({ id: other, name: "M. L.", samples: [{}, {}] });
    expect(await written("txt")).toMatch(/^M\. L\.: /);
    expect((await call(service, "POST", `/v2/voices/${other}/merge`, { body: { voice_id: other } })).status).toBe(400);

    expect((await call(service, "DELETE", `/v2/voices/${other}`)).status).toBe(202);
    expect((await call(service, "DELETE", `/v2/voices/${other}`)).status).toBe(404);
    const after = (await call(service, "GET", `/v2/transcription/${job}`)).json.result.transcription;
    expect(after.speakers).toEqual([{ speaker: 0, name: null, confidence: null, voice_id: null }]);
    expect(after.utterances[0].speaker_name).toBeUndefined();
    expect(await written("txt")).toMatch(/^Speaker 0: /);
  });

  test("a speaker of a finished job becomes a person, and is named in that job at once", async () => {
    await turnOn(service);
    const job = await submit(service, wav([repeated(speech, 4, 1)]), { diarization: true });
    await finished(service, job);
    const made = await call(service, "POST", "/v2/voices", { body: { name: "Ana", job_id: job, speaker: 0 } });
    expect(made.json).toMatchObject({ name: "Ana" });
    const { transcription } = (await call(service, "GET", `/v2/transcription/${job}`)).json.result;
    expect(transcription.utterances[0]).toMatchObject({ speaker_name: "Ana", speaker_confidence: 1 });
    const more = await call(service, "POST", `/v2/voices/${made.json.id}/samples`, {
      body: { job_id: job, utterances: transcription.utterances.map((_: Utterance, index: number) => index) },
    });
    expect(more.json.samples).toHaveLength(2);
    for (const [body, status] of [
      [{ name: "X", job_id: job }, 400],
      [{ name: "X", job_id: job, speaker: 0, utterances: [0] }, 400],
      [{ name: "X", job_id: job, speaker: 7 }, 422],
      [{ name: "X", job_id: "00000000-0000-4000-8000-000000000000", speaker: 0 }, 404],
    ] as const) {
      expect((await call(service, "POST", "/v2/voices", { body })).status).toBe(status);
    }
    expect((await call(service, "DELETE", `/v2/voices/${made.json.id}`)).status).toBe(202);
  });

  test("silence, one word, too long a recording and no recording are refused with the reason", async () => {
    await turnOn(service);
    const refused = async (samples: Float32Array, reason: RegExp) => {
      const { status, json } = await enrol(service, "Nobody", samples);
      expect(status).toBe(422);
      expect(json.message).toMatch(reason);
    };
    await refused(silence(12), /no speech/);
    await refused(speech.slice(0, 24_000), /at least 4 s are needed/);
    await refused(repeated(speech, 130, 0.1), /longer than 300 s/);
    const text = await call(service, "POST", "/v2/voices", { body: voiceForm(Buffer.from("no sound"), "Nobody") });
    expect(text.status).toBe(400);
    expect((await call(service, "GET", "/v2/voices")).json.items).toEqual([]);
  });

  test("names and prints are encrypted at rest, exported as they are, and gone when the library is turned off", async () => {
    await turnOn(service);
    await enrol(service, "Unmistakable Person", repeated(speech, 4, 0.2));
    const exported = await call(service, "GET", "/v2/voices/export");
    const [{ name, samples }] = exported.json.items;
    expect(name).toBe("Unmistakable Person");
    expect(Math.hypot(...samples[0].print)).toBeCloseTo(1, 3);
    expect(filesWith(service.folder, "Unmistakable Person")).toEqual([]);
    const refused = await call(service, "PUT", VOICES_SETTINGS, { body: { enabled: false } });
    expect(refused.status).toBe(409);
    expect(refused.json.message).toMatch(/delete_voices/);
    const off = await call(service, "PUT", VOICES_SETTINGS, { body: { enabled: false, delete_voices: true } });
    expect(off.json).toEqual({ enabled: false });
    await turnOn(service);
    expect((await call(service, "GET", "/v2/voices")).json.items).toEqual([]);
  });

  test("the command line enables, adds, lists, renames and deletes", async () => {
    const place = mkdtempSync(path.join(folder, "command-"));
    const file = path.join(place, "maria.wav");
    writeFileSync(file, wav([repeated(speech, 4, 0.2)]));
    const voices = (...given: string[]) =>
      parlance(place, "voices", ...given, "--server", service.base, "--key", TEST_KEY);
    await voices("enable");
    expect(await voices("add", "Maria", file)).toMatch(/Maria, \d+(\.\d+)? s of speech/);
    // Names that differ by case are one name, as in the service.
    expect(await voices("add", "MARIA", file)).toMatch(/Maria, /);
    await voices("rename", "maria", "Maria Lopez");
    expect(JSON.parse(await voices("list", "--json"))).toMatchObject([{ name: "Maria Lopez", samples: [{}, {}] }]);
    await voices("delete", "maria lopez");
    expect(JSON.parse(await voices("list", "--json"))).toEqual([]);
  });

  test("known speakers of OpenAI's interface serve one request", async () => {
    const reference = `data:audio/wav;base64,${wav([repeated(speech, 3, 0.2)]).toString("base64")}`;
    const ask = (names: string[], references: string[], model = "gpt-4o-transcribe-diarize") => {
      const body = new FormData();
      body.append("file", new Blob([wav([repeated(speech, 2, 1)]) as never]), "a.wav");
      body.append("model", model);
      body.append("response_format", model.endsWith("diarize") ? "diarized_json" : "json");
      for (const name of names) body.append("known_speaker_names[]", name);
      for (const one of references) body.append("known_speaker_references[]", one);
      return call(service, "POST", "/v1/audio/transcriptions", { body });
    };
    const { status, json } = await ask(["agent"], [reference]);
    expect(status).toBe(200);
    expect(json.segments[0].speaker).toBe("agent");
    expect((await call(service, "GET", "/v2/transcription")).text).not.toContain("agent");
    const problem = async (...given: Parameters<typeof ask>) => {
      const answer = await ask(...given);
      expect(answer.status).toBe(400);
      return answer.json.error.message as string;
    };
    expect(await problem(["agent", "caller"], [reference])).toMatch(/2 names and 1 recordings/);
    expect(await problem(["agent"], ["https://example.com/a.wav"])).toMatch(/must be a data URL/);
    expect(await problem(["agent"], [reference], "whisper-1")).toMatch(/needs the model gpt-4o-transcribe-diarize/);
    const quiet = `data:audio/wav;base64,${wav([silence(4)]).toString("base64")}`;
    expect(await problem(["agent"], [quiet])).toMatch(/agent.*no speech/);
  });
});
