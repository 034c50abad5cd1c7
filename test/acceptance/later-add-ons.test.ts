// Add-ons for a finished transcript: a summary, a translation, speakers and others are made later, from the text as it reads by then.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Utterance } from "../../src/contract/transcript/transcript.ts";
import { SPEAKER_MODEL } from "../../src/service/models/catalogue.ts";
import { ProviderServer } from "../fixtures/language-model.ts";
import { addOnsOf, endedAddOns, requestAddOns, withAddOns } from "../fixtures/later-add-ons.ts";
import { createSession, LiveClient } from "../fixtures/live-client.ts";
import { HELLO_MP3, wav } from "../fixtures/recordings.ts";
import { decodeSpeech, encodePcm, repeated } from "../fixtures/speech.ts";
import { Tenant } from "../fixtures/tenant.ts";
import { tinySpeakerModels } from "../fixtures/tiny-speakers.ts";
import { ORDER, startTranslating, type Translating, to } from "../fixtures/translating.ts";
import { hasTranslationModels } from "../fixtures/translation-registry.ts";
import { call, finished, type RunningService, startService, submit } from "../service.ts";

let folder: string;
let speech: Float32Array;
let provider: ProviderServer;
let service: RunningService;
beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), "parlance-later-add-ons-"));
  speech = await decodeSpeech();
  provider = await ProviderServer.start();
  service = await startService({
    environment: {
      PARLANCE_MODELS_DIR: (await tinySpeakerModels(folder)).folder,
      PARLANCE_LLM_URL: `${provider.base}/v1`,
      PARLANCE_LLM_MODEL: "small",
      PARLANCE_TRANSLATE_URL: provider.base,
    },
  });
});
afterAll(async () => {
  await service.remove();
  await provider.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Translates to the target and the text, so that tests see both. */
beforeEach(() => {
  provider.asked.length = 0;
  provider.answer = ({ path: address, body }) =>
    address.endsWith("/translate")
      ? { translated: (body.q as string[]).map((text) => `${body.target}: ${text}`) }
      : { content: "A summary by the model" };
});

const hello = async (params: object = {}) => {
  const id = await submit(service, readFileSync(HELLO_MP3), params);
  return { id, job: await finished(service, id) };
};
const correct = (id: string, change: object) =>
  call(service, "PATCH", `/v2/transcription/${id}/transcript`, { body: change });
const corrected = async (id: string) => (await call(service, "GET", `/v2/transcription/${id}/transcript`)).json;
const languagesOf = (result: { translation: { results: { languages: string[] }[] } }) =>
  result.translation.results.map(({ languages: [language] }) => language);

describe("made from the text", () => {
  test("a summary is made of the corrected text; the words and other parts stay", async () => {
    const { id, job } = await hello({ sentiment_analysis: true });
    await correct(id, { utterances: [{ index: 0, text: "Greetings from Timbuktu." }] });
    const { accepted, ended, result, job: now } = await withAddOns(service, id, { summarization: true });
    expect(accepted).toEqual({ id: ended.id, result_url: `${service.base}/v2/transcription/${id}` });
    expect(ended).toMatchObject({ add_ons: ["summarization"], status: "done", share: 1, error_code: null });
    expect(ended.request_params).toMatchObject({ summarization: true });
    expect(result.summarization).toMatchObject({ success: true, results: "A summary by the model" });
    expect(provider.lastPrompt).toMatch(/Timbuktu/);
    const { metadata, summarization: _, ...rest } = result;
    const { metadata: before, ...others } = job.result;
    expect(rest).toEqual(others);
    expect(metadata).toEqual({ ...before, added_at: { summarization: expect.stringMatching(/^20\d\d-/) } });
    // As if it had been requested with the job, which ended when it did.
    expect(now).toMatchObject({ status: "done", completed_at: job.completed_at });
    expect(now.request_params).toMatchObject({ summarization: true, sentiment_analysis: true });
  });

  test("a part that is there is made again, and a further language joins the others", async () => {
    const { id } = await hello(to(["de"]));
    const { result } = await withAddOns(service, id, to(["fr"]));
    expect(languagesOf(result)).toEqual(["de", "fr"]);
    await correct(id, { utterances: [{ index: 0, text: "Changed." }] });
    const { result: again, job } = await withAddOns(service, id, to(["de"]));
    const [french, german] = again.translation.results;
    expect([french.full_transcript, german.full_transcript]).toEqual([
      result.translation.results[1].full_transcript,
      "de: Changed.",
    ]);
    expect(job.request_params.translation_config.target_languages.sort()).toEqual(["de", "fr"]);
  });

  test("every add-on that leaves the words can be made later", async () => {
    const { id } = await hello();
    const { result, ended } = await withAddOns(service, id, {
      chapterization: true,
      named_entity_recognition: true,
      sentiment_analysis: true,
      moderation: true,
      sentences: true,
      display_mode: true,
      subtitles: true,
      subtitles_config: { formats: ["vtt"] },
      audio_to_llm: true,
      audio_to_llm_config: { prompts: ["Who speaks?"] },
    });
    expect(result.transcription.subtitles).toEqual([{ format: "vtt", subtitles: expect.stringMatching(/^WEBVTT/) }]);
    expect(result.audio_to_llm.results[0].results).toMatchObject({ prompt: "Who speaks?" });
    for (const name of ["sentiment_analysis", "sentences", "named_entity_recognition"])
      expect(result[name]).toMatchObject({ success: true });
    for (const name of ended.add_ons.filter((one: string) => one !== "subtitles")) expect(result).toHaveProperty(name);
  });

  test("what fails is named with its reason, and what is there stays", async () => {
    const { id } = await hello({ summarization: true });
    provider.answer = ({ path: address }) =>
      address.endsWith("/translate") ? { status: 500 } : { content: "Prompted" };
    const { ended, result } = await withAddOns(service, id, {
      ...to(["de"]),
      audio_to_llm: true,
      audio_to_llm_config: { prompts: ["Who speaks?"] },
    });
    expect(ended).toMatchObject({ status: "error", error_code: 502 });
    expect(ended.error_message).toMatch(/^Not made: translation\. \S/);
    expect(result.translation).toBeUndefined();
    expect(result.audio_to_llm.success).toBe(true);
    expect(result.summarization.results).toBe("A summary by the model");
  });

  test("of a live session, too", async () => {
    const { id, url } = await createSession(service, {});
    const client = await LiveClient.connect(url);
    client.send(encodePcm([repeated(speech, 1, 1)]));
    client.stop();
    await client.closed;
    await finished(service, id);
    const { result, ended } = await withAddOns(service, id, { summarization: true, diarization: true });
    expect(ended.status).toBe("done");
    expect(result.summarization.results).toBe("A summary by the model");
    expect(result.metadata.diarization).toEqual({ method: "networks", model: SPEAKER_MODEL });
    expect((result.transcription.utterances as Utterance[]).every(({ speaker }) => speaker === 0)).toBe(true);
  });
});

describe("speakers", () => {
  const recording = () => wav([repeated(speech, 3, 1)]);

  test("of a transcript that nobody corrected are in the result, as if they had been requested with it", async () => {
    const requested = await finished(service, await submit(service, recording(), { diarization: true }));
    const id = await submit(service, recording());
    await finished(service, id);
    const { accepted, ended, result } = await withAddOns(service, id, { diarization: true });
    expect(accepted.speakers).toBe("result");
    expect(ended.status).toBe("done");
    const { transcription, metadata } = requested.result;
    expect(result.transcription).toEqual(transcription);
    expect(result.metadata.diarization).toEqual(metadata.diarization);
  });

  test("that divide the utterances again increase the version: a correction for the former ones is refused", async () => {
    const id = await submit(service, recording());
    await finished(service, id);
    const versionOf = async () => (await call(service, "GET", `/v2/transcription/${id}/corrections`)).json.version;
    const former = await versionOf();
    await withAddOns(service, id, { diarization: true });
    expect(await versionOf()).toBe(former + 1);
    const change = { utterances: [{ index: 1, text: "Seen before the speakers." }] };
    const refused = await correct(id, { ...change, version: former });
    expect([refused.status, refused.json.message]).toEqual([409, expect.stringMatching(/version 0, and version 1 is/)]);
    const made = await correct(id, { utterances: [{ index: 0, text: "Now." }], version: former + 1 });
    expect([made.status, made.json.version]).toEqual([201, former + 2]);
    expect(await versionOf()).toBe(former + 2);
  });

  test("of a corrected one are a correction: the other corrections stay, and it can be undone", async () => {
    const id = await submit(service, recording());
    const { result: before } = await finished(service, id);
    await correct(id, { utterances: [{ index: 1, text: "A corrected sentence." }] });
    const { accepted, ended, result } = await withAddOns(service, id, { diarization: true, summarization: true });
    expect(accepted.speakers).toBe("correction");
    expect(ended).toMatchObject({ status: "done", add_ons: ["diarization", "summarization"] });
    expect(result.transcription).toEqual(before.transcription);
    const { utterances } = (await corrected(id)).transcription;
    expect((utterances as Utterance[]).map(({ speaker }) => speaker)).toEqual(utterances.map(() => 0));
    expect(utterances[1].text.trim()).toBe("A corrected sentence.");
    const { items } = (await call(service, "GET", `/v2/transcription/${id}/corrections`)).json;
    expect(items).toHaveLength(2);
    await call(service, "DELETE", `/v2/transcription/${id}/corrections/${items[1].id}`);
    const undone = (await corrected(id)).transcription.utterances as Utterance[];
    expect(undone.map(({ speaker }) => speaker)).toEqual(undone.map(() => undefined));
  });

  test("that people have corrected are replaced on request only, and an undo restores them", async () => {
    const id = await submit(service, recording(), { diarization: true });
    await finished(service, id);
    await correct(id, {
      utterances: [{ index: 0, speaker: 7 }],
      speakers: [
        { speaker: 0, name: "Anna" },
        { speaker: 7, name: "Ben" },
      ],
    });
    const refused = await requestAddOns(service, id, { diarization: true });
    expect(refused.status).toBe(409);
    expect(refused.json.message).toMatch(/replace_speakers: true/);
    const { ended } = await withAddOns(service, id, { diarization: true, replace_speakers: true });
    expect(ended).toMatchObject({ status: "done", request_params: { replace_speakers: true } });
    const now = (await corrected(id)).transcription;
    expect(new Set((now.utterances as Utterance[]).map(({ speaker }) => speaker))).toEqual(new Set([0]));
    expect(now.speaker_names).toEqual({});
    const { items } = (await call(service, "GET", `/v2/transcription/${id}/corrections`)).json;
    await call(service, "DELETE", `/v2/transcription/${id}/corrections/${items.at(-1).id}`);
    const former = (await corrected(id)).transcription;
    expect((former.utterances as Utterance[]).map(({ speaker }) => speaker)).toContain(7);
    expect(former.speaker_names).toEqual({ 0: "Anna", 7: "Ben" });
  });

  test("need the audio; other add-ons do not", async () => {
    const { id, job } = await hello();
    await call(service, "DELETE", `/file/${job.file.id}`);
    const refused = await requestAddOns(service, id, { diarization: true });
    expect(refused.status).toBe(410);
    expect(refused.json.message).toMatch(/audio of this job is gone/);
    const { ended, result } = await withAddOns(service, id, { summarization: true });
    expect(ended.status).toBe("done");
    expect(result.summarization.success).toBe(true);
  });
});

describe("refused", () => {
  test("what decides the words, by its name; and a request without an add-on", async () => {
    const { id } = await hello();
    const words = await requestAddOns(service, id, {
      summarization: true,
      model: "moonshine-tiny-en",
      language_config: { languages: ["en"] },
      custom_vocabulary: true,
    });
    expect(words.status).toBe(400);
    for (const name of ["model", "language_config", "custom_vocabulary"])
      expect(words.json.validation_errors).toContain(
        `${name} decides the words of a transcript: transcribe the recording again with it`,
      );
    const problems: [object, RegExp][] = [
      [{}, /at least one add-on/],
      [{ summarization: false }, /at least one add-on/],
      [{ translation: true }, /translation_config\.target_languages is required/],
      [{ summarization: "often" }, /summarization must be/],
      [{ summarisation: true }, /at least one add-on/],
      [{ diarization: true, diarization_config: { identify_speakers: true } }, /identify_speakers.*transcribe again/],
    ];
    for (const [body, message] of problems) {
      const { status, json } = await requestAddOns(service, id, body);
      expect([status, JSON.stringify(json.validation_errors)]).toEqual([400, expect.stringMatching(message)]);
    }
    expect(await addOnsOf(service, id)).toEqual([]);
  });

  test("a second request, a job that is not done, another account's job, and the id of a request", async () => {
    const { id } = await hello();
    let answer: (reply: { content: string }) => void = () => undefined;
    provider.answer = () =>
      new Promise((resolve) => {
        answer = resolve;
      });
    const both = await Promise.all([1, 2].map(() => requestAddOns(service, id, { summarization: true })));
    expect(both.map(({ status }) => status).sort()).toEqual([202, 409]);
    const [{ id: request }] = await addOnsOf(service, id);
    expect((await call(service, "GET", `/v2/transcription/${request}`)).status).toBe(404);
    const { items } = (await call(service, "GET", "/v2/transcription?limit=1")).json;
    expect(items.map((one: { id: string }) => one.id)).toEqual([id]);
    await until(() => provider.asked.length > 0);
    provider.answer = () => ({ content: "Late" });
    answer({ content: "Late" });
    expect((await endedAddOns(service, id)).status).toBe("done");

    const other = await Tenant.create(service, "another");
    expect((await other.call("POST", `/v2/transcription/${id}/add-ons`, { summarization: true })).status).toBe(404);
    expect((await other.call("GET", `/v2/transcription/${id}/add-ons`)).status).toBe(404);

    const waiting = await submit(service, wav([repeated(speech, 20, 1)]));
    const early = await requestAddOns(service, waiting, { summarization: true });
    expect([early.status, early.json.message]).toEqual([409, expect.stringMatching(/once it is done/)]);
    await call(service, "DELETE", `/v2/pre-recorded/${waiting}?cancel=true`);
  });

  test("a transcript that is deleted meanwhile takes its request with it", async () => {
    const { id } = await hello();
    provider.answer = () => new Promise(() => undefined);
    await requestAddOns(service, id, { summarization: true });
    await until(() => provider.asked.length > 0);
    expect((await call(service, "DELETE", `/v2/transcription/${id}`)).status).toBe(202);
    expect((await call(service, "GET", `/v2/transcription/${id}/add-ons`)).status).toBe(404);
    provider.answer = () => ({ content: "Next" });
    // The worker is free for others.
    const next = await hello();
    expect((await withAddOns(service, next.id, { summarization: true })).ended.status).toBe("done");
  });
});

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 20));
}

describe.skipIf(!hasTranslationModels)("with translation models (skipped where ../shared/models is missing)", () => {
  let translating: Translating;
  beforeAll(async () => {
    translating = await startTranslating();
  });
  afterAll(() => translating.remove());

  test("the model is fetched, and translates the corrected text", async () => {
    const id = await submit(translating.service, readFileSync(ORDER));
    await finished(translating.service, id);
    const { ended, result } = await withAddOns(translating.service, id, to(["pt"]));
    expect(ended.status).toBe("done");
    expect(result.translation.results[0].full_transcript).toMatch(/^Posso/);
    const first = result.translation.results[0].full_transcript;
    await call(translating.service, "PATCH", `/v2/transcription/${id}/transcript`, {
      body: { utterances: [{ index: 0, text: "Good morning." }] },
    });
    const again = await withAddOns(translating.service, id, to(["pt"]));
    expect(again.result.translation.results).toHaveLength(1);
    expect(again.result.translation.results[0].full_transcript).toMatch(/Bom dia/);
    expect(again.result.translation.results[0].full_transcript).not.toBe(first);
  });
});
