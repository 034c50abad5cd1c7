// The interface of whisper-asr-webservice, with the requests that its documentation and Bazarr's provider have.
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { HELLO_MP3, silence, wav } from "../fixtures/recordings.ts";
import { atRate, decodeSpeech, encodePcm, encodeUlaw, repeated } from "../fixtures/speech.ts";
import { call, type RunningService, startService, TEST_KEY } from "../service.ts";

const HELLO = /^hello from the vers?[a-z]+ a.?i.?s.?d.?k\.?$/i;

let service: RunningService;
let speech: Float32Array;
beforeAll(async () => {
  speech = await decodeSpeech();
  service = await startService();
});
afterAll(() => service.remove());

/** A form as requests (Python) writes it for `files={'audio_file': out}`: the file has the name of its field. */
function form(content: Uint8Array, filename = "audio_file"): FormData {
  const body = new FormData();
  body.append("audio_file", new Blob([content as never]), filename);
  return body;
}
const mp3 = () => form(readFileSync(HELLO_MP3), "hello 1.mp3");
const raw = (samples = speech) => form(encodePcm([samples]));

const post = (route: string, body: unknown, options: { key?: null; headers?: Record<string, string> } = {}) =>
  call(service, "POST", route, { body, ...options });

describe("/asr", () => {
  test("every output is plain text with the name of the engine and of a file", async () => {
    const answer = await post("/asr", mp3());
    expect(answer.status, answer.text).toBe(200);
    expect(answer.headers.get("content-type")).toBe("text/plain; charset=utf-8");
    expect(answer.headers.get("asr-engine")).toBe("parlance");
    expect(answer.headers.get("content-disposition")).toBe('attachment; filename="hello%201.mp3.txt"');
    expect(answer.headers.get("x-parlance-warnings")).toBeNull();
    expect(answer.text).toMatch(/^[^\n]+\n$/);
    expect(answer.text.trim()).toMatch(HELLO);
    const textOf = async (output: string) => (await post(`/asr?output=${output}`, mp3())).text;
    expect(await textOf("srt")).toMatch(/^1\n00:00:00,\d{3} --> 00:00:0\d,\d{3}\nhello/i);
    expect(await textOf("vtt")).toMatch(/^WEBVTT\n\n00:00:00\.\d{3} --> /);
    expect(await textOf("tsv")).toMatch(/^start\tend\ttext\n\d+\t\d+\tHello[^\n]+\n$/);
    const { text, segments, language } = JSON.parse(await textOf("json&word_timestamps=True"));
    expect(text).toMatch(HELLO);
    expect(language).toBe("en");
    expect(segments).toMatchObject([{ id: 0, temperature: 0, text: expect.stringMatching(HELLO) }]);
    expect(segments[0].words[0]).toMatchObject({ word: "Hello", probability: expect.any(Number) });
    expect(segments[0].words[0].end).toBeGreaterThan(segments[0].words[0].start);
  });

  test("Bazarr's request with raw samples has the captions of the file", async () => {
    const route = "/asr?task=transcribe&language=en&output=srt&encode=false";
    const answer = await post(route, raw(repeated(speech, 2, 1)));
    expect(answer.status, answer.text).toBe(200);
    expect(answer.text).toMatch(/^1\n00:00:00,\d{3} --> /);
    expect(answer.text.match(/hello/gi)).toHaveLength(2);
    expect(answer.text).toBe((await post(route, form(wav([repeated(speech, 2, 1)])))).text);
    expect((await call(service, "GET", "/v2/transcription")).json.items).toEqual([]);
  });

  test("raw samples of another format or rate than the expected one have a warning", async () => {
    // Speech at another speed may sound like another language: the error then names the likely cause.
    const warningOf = async (body: FormData) => {
      const { headers, status, text } = await post("/asr?encode=false", body);
      const warning = headers.get("x-parlance-warnings");
      return status === 200 ? warning : `${warning ?? ""} ${text}`;
    };
    const long = repeated(speech, 4, 0.5);
    expect(await warningOf(raw(long))).toBeNull();
    expect(await warningOf(form(encodePcm([long, long])))).toMatch(
      /encode=false is for .* of one channel at 16000 Hz.*two channels/,
    );
    expect(await warningOf(form(encodeUlaw(long)))).toMatch(/look like mu-law; convert them/);
    const rate = repeated(speech, 8, 0.3);
    expect(await warningOf(raw(atRate(rate, 6_000)))).toMatch(/much too fast and high/);
    expect(await warningOf(raw(atRate(rate, 48_000)))).toMatch(/much too slow and low.*, or it has two channels/);
  });

  test("a recording in which the same sound is mixed with itself has a warning", async () => {
    const long = repeated(speech, 5, 0.4);
    const doubled = long.map((value, at) => (value + (long[at - 4_000] ?? 0)) / 2);
    const { headers, status, text } = await post("/asr", form(wav([doubled])));
    expect(status, text).toBe(200);
    expect(headers.get("x-parlance-warnings")).toMatch(/same sound twice, the second time 0\.25 s later/);
  });

  test("a prompt with names and speakers are heeded; what has no effect is named", async () => {
    const query = "output=json&initial_prompt=Vercel&diarize=true&max_speakers=2&vad_filter=0&video_file=a.mkv";
    const answer = await post(`/asr?${query}`, mp3());
    expect(answer.status, answer.text).toBe(200);
    const { text, segments } = JSON.parse(answer.text);
    expect(text).toMatch(/^Hello from the Vercel /);
    expect(segments[0].speaker).toBe("SPEAKER_00");
    expect(answer.headers.get("x-parlance-warnings")).toMatch(/^vad_filter has no effect.*; video_file is not a field/);
    expect((await post(`/asr?strict=true&${query}`, mp3())).json.detail[0].loc).toEqual(["query", "video_file"]);
  });

  test("errors have FastAPI's form and name what is wrong", async () => {
    const invalid = await post("/asr?task=sing&output=doc&language=klingon&encode=perhaps", mp3());
    expect(invalid.status).toBe(422);
    expect(invalid.json.detail.map(({ loc }: { loc: string[] }) => loc[1])).toEqual([
      "output",
      "encode",
      "task",
      "language",
    ]);
    const empty = new FormData();
    empty.append("file", new Blob(["x"]), "x.wav");
    expect((await post("/asr", empty)).json.detail[0]).toMatchObject({ loc: ["body", "audio_file"] });
    const { status, json } = await post("/asr", mp3(), { key: null });
    expect(status).toBe(401);
    expect(json).toEqual({ detail: expect.stringMatching(/No key was sent/) });
    const damaged = await post("/asr", form(Buffer.from("no audio at all"), "x.mp3"));
    expect(damaged.status).toBe(400);
    expect(damaged.json.detail).toEqual(expect.any(String));
    const unavailable = await post("/asr?language=es", mp3());
    expect(unavailable.status).toBe(422);
    expect(unavailable.json.detail).toMatch(/No installed model recognises es/);
    expect((await call(service, "GET", "/asr")).json.detail).toMatch(/This address takes POST/);
    expect((await call(service, "GET", "/v2/transcription")).json.items).toEqual([]);
  });

  test("the password of the address is the key, but not for a browser with another page", async () => {
    const authorization = `Basic ${Buffer.from(`bazarr:${TEST_KEY}`).toString("base64")}`;
    const send = (headers: Record<string, string>) => post("/asr", mp3(), { key: null, headers });
    expect((await send({ authorization })).status).toBe(200);
    expect((await send({ authorization, origin: "https://elsewhere.example" })).status).toBe(403);
    expect((await send({ authorization: `Basic ${Buffer.from("bazarr:wrong").toString("base64")}` })).status).toBe(401);
    // Some clients of OpenAI's interface have no setting for keys, either. Those of other routes send a header.
    const statuses = ["/v1/models", "/v1/audio/models", "/v2/transcription"].map(async (path) => {
      const { status } = await call(service, "GET", path, { key: null, headers: { authorization } });
      return status;
    });
    expect(await Promise.all(statuses)).toEqual([200, 200, 401]);
  });
});

describe("/detect-language", () => {
  test("names English with its confidence", async () => {
    const answer = await post("/detect-language?encode=false", raw(repeated(speech, 4, 0.5)));
    expect(answer.status, answer.text).toBe(200);
    expect(answer.json).toEqual({
      detected_language: "english",
      language_code: "en",
      confidence: expect.any(Number),
    });
    expect((await call(service, "GET", "/v2/transcription")).json.items).toEqual([]);
  });

  test("a recording without speech has no language", async () => {
    const { status, json } = await post("/detect-language", form(wav([silence(3)]), "silence.wav"));
    expect(status).toBe(422);
    expect(json.detail).toMatch(/no speech was found/);
  });
});

test("models are listed for clients that look at either list", async () => {
  const { json } = await call(service, "GET", "/v1/audio/models");
  expect(json.models).toEqual(json.data);
  expect(json.models).toContainEqual(
    expect.objectContaining({ id: "moonshine-base-en", object: "model", language: ["en"] }),
  );
});
