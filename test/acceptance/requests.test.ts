// What requests may name, on every route: unknown fields and parameters, languages, forms, content types. One service without recognisers.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type InProcess, startInProcess } from "../fixtures/in-process.ts";
import { tone, wav } from "../fixtures/recordings.ts";
import { TEST_KEY } from "../service.ts";

let service: InProcess;
beforeAll(async () => {
  service = await startInProcess({ PARLANCE_ALLOW_PRIVATE_ADDRESSES: "true" });
});
afterAll(() => service.remove());

const AUDIO_URL = "https://example.com/a.wav";
const SPEECH = wav([tone(0.5, 440)]);

interface Part {
  name: string;
  value: string | Buffer;
  filename?: string;
  type?: string;
}

const BOUNDARY = "a-boundary-of-this-test";

function form(parts: readonly Part[]): Buffer {
  const chunks = parts.flatMap(({ name, value, filename, type }) => [
    `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"`,
    filename === undefined ? "" : `; filename="${filename}"`,
    type === undefined ? "" : `\r\ncontent-type: ${type}`,
    "\r\n\r\n",
    value,
    "\r\n",
  ]);
  return Buffer.concat([...chunks, `--${BOUNDARY}--\r\n`].map((chunk) => Buffer.from(chunk as string)));
}

async function post(url: string, payload: Buffer | string, headers: Record<string, string>) {
  const response = await service.inject({
    method: "POST",
    url,
    payload,
    headers: { authorization: `Bearer ${TEST_KEY}`, "x-service-key": TEST_KEY, ...headers },
  });
  return { status: response.statusCode, json: JSON.parse(response.body), headers: response.headers };
}

const FORM_TYPE = `multipart/form-data; boundary=${BOUNDARY}`;
const postForm = (url: string, parts: readonly Part[]) => post(url, form(parts), { "content-type": FORM_TYPE });

const file: Part = { name: "file", value: "no recording", filename: "a.wav" };
const openai = (...parts: Part[]) =>
  postForm("/v1/audio/transcriptions", [file, { name: "model", value: "whisper-1" }, ...parts]);
const field = (name: string, value: string): Part => ({ name, value });

describe("unknown fields", () => {
  test("of a recorded job are named in the answer and stay with the job", async () => {
    const { status, json } = await service.call("POST", "/v2/pre-recorded?verbose=1", {
      audio_url: AUDIO_URL,
      diarisation: true,
      words_accurate_timestamps: true,
    });
    expect(status).toBe(201);
    expect(json.warnings).toEqual([
      "verbose is not a field of this request and was ignored",
      "diarisation is not a field of this request and was ignored; did you mean diarization?",
    ]);
    const job = await service.call("GET", `/v2/pre-recorded/${json.id}`);
    expect(job.json.request_params.warnings).toEqual(json.warnings);
    await service.call("DELETE", `/v2/pre-recorded/${json.id}?cancel=true`);
  });

  test.each([
    ["/v2/pre-recorded", { audio_url: AUDIO_URL, diarisation: true }, "diarization"],
    ["/v2/transcription", { audio_url: AUDIO_URL, subtitles_config: { formatz: ["srt"] } }, "formats"],
    ["/v2/live", { sample_rates: 16_000 }, "sample_rate"],
  ])(
    "of POST %s are refused where strict, with the nearest known name, and a warning otherwise",
    async (url, body, nearest) => {
      const refused = await service.call("POST", `${url}?strict=true`, body);
      expect(refused.status).toBe(400);
      expect(refused.json.validation_errors).toEqual([
        expect.stringMatching(new RegExp(`did you mean ${nearest}\\?$`)),
      ]);
      const accepted = await service.call("POST", url, body);
      expect(accepted.status).toBe(201);
      expect(accepted.json.warnings).toContainEqual(expect.stringMatching(nearest));
      await service.call("DELETE", `/v2/transcription/${accepted.json.id}?cancel=true`);
    },
  );

  test("of a live session are named in the answer; fields of known clients are not", async () => {
    const created = await service.call("POST", "/v2/live?region=eu-west&sample_rat=8000", {
      sample_rates: 8000,
      realtime_processing: { words_accurate_timestamps: false, translate: true },
    });
    expect(created.status).toBe(201);
    expect(created.json.warnings.toSorted()).toEqual([
      "realtime_processing.translate is not a field of this request and was ignored; did you mean translation?",
      "sample_rat is not a field of this request and was ignored",
      "sample_rates is not a field of this request and was ignored; did you mean sample_rate?",
    ]);
    const known = await service.call("POST", "/v2/live?region=eu-west", {
      encoding: "wav/pcm",
      sample_rate: 16000,
      realtime_processing: { words_accurate_timestamps: false },
      custom_metadata: { livekit: "1" },
      pre_processing: { audio_enhancer: false, speech_threshold: 0.6 },
    });
    expect(known.status).toBe(201);
    expect(known.json).not.toHaveProperty("warnings");
  });

  test("known fields that change nothing are named, too", async () => {
    const { json } = await service.call("POST", "/v2/pre-recorded", {
      audio_url: AUDIO_URL,
      language: "en",
      language_config: { languages: ["en"], code_switching: true },
      subtitles_config: { formats: ["vtt"] },
      context_prompt: "About trains",
      callback_url: "https://example.com/callback",
    });
    expect(json.warnings.toSorted()).toEqual([
      "context_prompt has no effect; custom_vocabulary takes names and terms",
      "language has no effect beside language_config",
      "language_config.code_switching has no effect where language_config.languages names a single language",
      "subtitles_config has no effect without subtitles: true",
    ]);
    const live = await service.call("POST", "/v2/live", {
      realtime_processing: { custom_vocabulary_config: { vocabulary: ["a"] } },
      callback_config: { url: "https://example.com/callback" },
    });
    expect(live.json.warnings.toSorted()).toEqual([
      "callback_config has no effect without callback: true",
      "realtime_processing.custom_vocabulary_config has no effect without realtime_processing.custom_vocabulary: true",
    ]);
  });

  test.each([
    ["GET", "/v2/transcription?statuss=done", undefined, /^statuss must not be sent: .*did you mean status\?$/],
    ["GET", "/v2/live?sort=asc", undefined, /^sort must not be sent/],
    ["GET", "/v2/live?limit=5&limit=6", undefined, /^limit must be sent once$/],
    ["GET", "/v1/models?page=2", undefined, /^page must not be sent/],
    ["DELETE", "/v2/live/00000000-0000-0000-0000-000000000000?force=true", undefined, /^force must not be sent/],
    ["POST", "/v2/account/keys", { name: "x", scope: "read" }, /^scope must not be sent/],
    ["POST", "/v2/account/callback-secret", { secret: "x" }, /^secret must not be sent/],
    [
      "PATCH",
      "/v2/transcription/00000000-0000-0000-0000-000000000000/transcript",
      { speaker: [] },
      /^speaker must not be sent: .*did you mean speakers\?$/,
    ],
  ])("%s %s is refused for them", async (method, url, body, message) => {
    const { status, json } = await service.call(method, url, body);
    expect(status).toBe(400);
    // Routes of OpenAI's interface answer in its form.
    expect(json.validation_errors?.[0] ?? json.error.message).toMatch(message);
  });

  test("every parameter that clients of lists send is accepted", async () => {
    const query =
      "offset=0&limit=5&status=done&status=error&status[]=queued&kind=&date=&before_date=&after_date=&custom_metadata[user]=x&custom_metadata[a][b]=1&search=x";
    expect((await service.call("GET", `/v2/transcription?${query}`)).status).toBe(200);
    expect((await service.call("GET", "/v2/nothing?x=1")).status).toBe(404);
  });
});

describe("languages", () => {
  test.each([
    ["/v2/pre-recorded", { audio_url: AUDIO_URL, language_config: { languages: ["en-US", "English"] } }],
    ["/v2/pre-recorded", { audio_url: AUDIO_URL, language: "EN" }],
    ["/v2/live", { language_config: { languages: ["en_GB"] } }],
  ])("%s takes tags and names", async (url, body) => {
    const { status, json } = await service.call("POST", url, body);
    expect(status).toBe(201);
    const { request_params } = (await service.call("GET", `/v2/transcription/${json.id}`)).json;
    expect(request_params.language_config).toMatchObject({ languages: ["en"] });
  });

  test.each([
    [
      "/v2/pre-recorded",
      { audio_url: AUDIO_URL, language_config: { languages: ["jp"] } },
      "language_config.languages must only contain",
    ],
    ["/v2/pre-recorded", { audio_url: AUDIO_URL, language: "jp" }, "language must be one of"],
    [
      "/v2/pre-recorded",
      { audio_url: AUDIO_URL, code_switching_config: { languages: ["jp"] } },
      "code_switching_config.languages must only contain",
    ],
    [
      "/v2/pre-recorded",
      { audio_url: AUDIO_URL, translation_config: { target_languages: ["jp"] } },
      "translation_config.target_languages must only contain",
    ],
    ["/v2/live", { language_config: { languages: ["jp"] } }, "language_config.languages must only contain"],
    [
      "/v2/live",
      { realtime_processing: { custom_vocabulary_config: { vocabulary: [{ value: "a", language: "jp" }] } } },
      "realtime_processing.custom_vocabulary_config.vocabulary.0.language must be one of",
    ],
  ])("%s %j is refused with similar ones", async (url, body, begin) => {
    const { status, json } = await service.call("POST", url, body);
    expect(status).toBe(400);
    expect(json.validation_errors).toHaveLength(1);
    expect(json.validation_errors[0].startsWith(begin)).toBe(true);
    expect(json.validation_errors[0]).toMatch(/"jp" is not one; similar: ja \(Japanese\)/);
  });
});

describe("OpenAI's forms", () => {
  test.each<[string, Part[], RegExp]>([
    [
      "known speakers without their voices",
      [field("known_speaker_names[]", "agent")],
      /^known_speaker_references must have a recording for each of known_speaker_names; there are 1 names and 0/,
    ],
    [
      "an unknown chunking strategy",
      [field("chunking_strategy", "fixed")],
      /^chunking_strategy must be auto or server_vad; it is "fixed"/,
    ],
    ["an unknown language", [field("language", "jp")], /^language must be .*"jp" is not one; similar: ja \(Japanese\)/],
    [
      "one of several",
      [field("languages[]", "en"), field("languages[]", "portugese")],
      /^languages must be .*"portugese" is not one; similar: pt/,
    ],
    ["stream", [field("stream", "yes please")], /^stream must be true or false; it is "yes please"$/],
    ["two models", [field("model", "gpt-4o-transcribe")], /^model must be sent once; the form has 2 different ones$/],
    ["two files", [{ ...file, filename: "b.wav" }], /^file must be one file; the form has 2$/],
    [
      "another file",
      [{ ...file, name: "known_speaker_references[]" }],
      /must not be a file; send the recording as the part named file$/,
    ],
    [
      "a keyword without end",
      [field("keywords[]", "x".repeat(201))],
      /^keywords must not be longer than 200 characters each/,
    ],
    [
      "logprobs of subtitles",
      [field("include[]", "logprobs"), field("response_format", "srt")],
      /^include with logprobs needs/,
    ],
  ])("%s is refused by its name", async (_what, parts, message) => {
    const { status, json } = await openai(...parts);
    expect(status).toBe(400);
    expect(json.error.message).toMatch(message);
    expect(json.error.type).toBe("invalid_request_error");
  });

  test("every problem is named at once", async () => {
    const { json } = await openai(field("language", "jp"), field("temperature", "7"), field("stream", "maybe"));
    expect(json.error.message).toMatch(/temperature .*stream .*language /);
  });

  test("unknown fields and parameters are named in a header; a strict request is refused for them", async () => {
    const parts = [file, field("model", "whisper-1"), field("languge", "en"), field("vad_filter", "true")];
    const accepted = await postForm("/v1/audio/transcriptions?clever=1&strict=false", parts);
    // The content is refused only after the form was accepted.
    expect(accepted.json.error.message).toMatch(/cannot be decoded/);
    expect(accepted.headers["x-parlance-warnings"]).toBe(
      [
        "clever is not a field of this request and was ignored",
        "languge is not a field of this request and was ignored; did you mean language?",
        "vad_filter is not a field of this request and was ignored",
      ].join("; "),
    );
    const refused = await postForm("/v1/audio/transcriptions?strict=true", parts);
    expect(refused.status).toBe(400);
    expect(refused.json.error).toEqual({
      message:
        "languge must not be sent: it is not a field of this request; did you mean language?; vad_filter must not be sent: it is not a field of this request",
      type: "invalid_request_error",
      param: "languge",
      code: null,
    });
    const misspelt = await postForm("/v1/audio/transcriptions", [file, field("modle", "whisper-1")]);
    expect(misspelt.headers["x-parlance-warnings"]).toMatch(
      /^model is missing: the default model is used; modle is not a field of this request.*did you mean model\?$/,
    );
    const translated = await postForm("/v1/audio/translations", parts);
    expect(translated.headers["x-parlance-warnings"]).toContain("languge");
  });

  test("the head of a stream is sent while its job waits; what is refused has a status", async () => {
    const audio = { ...file, value: SPEECH };
    const parts = [audio, field("model", "whisper-1"), field("stream", "true"), field("clever", "1")];
    const answer = await service.inject({
      method: "POST",
      url: "/v1/audio/transcriptions",
      payload: form(parts),
      headers: { authorization: `Bearer ${TEST_KEY}`, "content-type": FORM_TYPE },
      payloadAsStream: true,
    });
    expect(answer.statusCode).toBe(200);
    expect(answer.headers).toMatchObject({
      "content-type": expect.stringMatching(/^text\/event-stream/),
      "x-parlance-warnings": "clever is not a field of this request and was ignored",
    });
    const stream = answer.stream()[Symbol.asyncIterator]();
    expect(String((await stream.next()).value)).toMatch(/^:[^\n]*\n\n$/);
    // Nothing recognises here. The job ends because it is deleted, which the stream states.
    const [job] = (await service.call("GET", "/v2/transcription?status=queued")).json.items;
    await service.call("DELETE", `/v2/transcription/${job.id}?cancel=true`);
    const { value } = await stream.next();
    expect(JSON.parse(String(value).replace(/^data: /, ""))).toEqual({
      type: "error",
      error: { message: expect.any(String), type: "invalid_request_error", param: null, code: null },
    });
    expect((await stream.next()).done).toBe(true);
    for (const [status, ...bad] of [
      [400, file],
      [400, audio, field("response_format", "srt")],
      [404, audio, field("model", "nonsense")],
    ] as const) {
      const others = [field("stream", "true"), ...(status === 404 ? [] : [field("model", "gpt-4o-transcribe")])];
      const refused = await postForm("/v1/audio/transcriptions", [...bad, ...others]);
      expect(refused).toMatchObject({ status, json: { error: { type: "invalid_request_error" } } });
    }
  });

  // The content is refused only after the form was accepted.
  test.each<[string, Part[]]>([
    ["25 keywords", Array.from({ length: 25 }, (_, index) => field("keywords[]", `Name${index}`))],
    ["4,000 keywords", Array.from({ length: 4_000 }, (_, index) => field("keywords[]", `Name${index}`))],
    ["indexed keywords", [field("keywords[0]", "a"), field("keywords[1]", "b")]],
    ["a keyword with a JSON type", [{ ...field("keywords", '"a"'), type: "application/json" }]],
    ["stream=True", [field("stream", "True")]],
    ["languages and auto", [field("language", "auto"), field("languages[]", "en-US")]],
    ["chunking_strategy auto", [field("chunking_strategy", "auto")]],
    ["chunking_strategy server_vad", [field("chunking_strategy[type]", "server_vad")]],
    ["segment times in JSON", [field("timestamp_granularities[]", "segment")]],
  ])("%s are accepted", async (_what, parts) => {
    const { json } = await openai(...parts);
    expect(json.error.message).toMatch(/cannot be decoded/);
  });

  test.each([
    "gpt-transcribe",
    "gpt-live-transcribe",
    "gpt-transcribe-2026-07-27",
    "gpt-4o-mini-transcribe-2025-12-15",
    "gpt-4o-transcribe-latest",
    "gpt-realtime-whisper",
    "gpt-4o-transcribe-diarize",
    " whisper-1 ",
  ])("the model %j is accepted", async (model) => {
    const { json } = await postForm("/v1/audio/transcriptions", [file, field("model", model)]);
    expect(json.error.message).toMatch(/cannot be decoded/);
    if (model.trim() === model) expect((await service.call("GET", `/v1/models/${model}`)).status).toBe(200);
  });

  test("an unknown model is quoted, with those that are known", async () => {
    const { status, json } = await postForm("/v1/audio/transcriptions", [file, field("model", "whisper 1")]);
    expect(status).toBe(404);
    expect(json.error).toMatchObject({ code: "model_not_found", param: "model" });
    expect(json.error.message).toMatch(/There is no model "whisper 1"\. Known names: whisper-1, gpt-transcribe/);
  });

  test("a file part needs no name; text in its place is explained", async () => {
    const unnamed = await postForm("/v1/audio/transcriptions", [
      { name: "file", value: SPEECH },
      field("model", "nonsense"),
    ]);
    expect(unnamed.json.error.message).toMatch(/There is no model "nonsense"/);
    const text = await postForm("/v1/audio/transcriptions", [
      field("file", "/home/me/a.wav"),
      field("model", "whisper-1"),
    ]);
    expect(text.status).toBe(400);
    expect(text.json.error.message).toMatch(/^file must be a file; it is text .*file=@recording\.mp3/);
    const none = await postForm("/v1/audio/transcriptions", [field("model", "whisper-1")]);
    expect(none.json.error.message).toMatch(/^file is required/);
  });

  test("forms beyond the bounds are refused with the bound", async () => {
    const many = await openai(...Array.from({ length: 5_200 }, () => field("keywords[]", "a")));
    expect(many).toMatchObject({
      status: 413,
      json: { error: { message: expect.stringMatching(/more than 5100 fields/) } },
    });
    const large = await openai(...Array.from({ length: 12 }, () => field("prompt", "a".repeat(99_000))));
    expect(large).toMatchObject({
      status: 413,
      json: { error: { message: expect.stringMatching(/fields have more than/) } },
    });
  });
});

describe("uploads", () => {
  const upload = (...parts: Part[]) => postForm("/v2/upload", parts);

  test("two files, other files and text are refused by their name", async () => {
    const audio: Part = { name: "audio", value: SPEECH, filename: "a.wav" };
    expect((await upload(audio, { ...audio, filename: "b.wav" })).json.validation_errors).toEqual([
      "audio must be one file; the form has 2",
    ]);
    expect((await upload(audio, { ...audio, name: "recording" })).json.validation_errors[0]).toMatch(
      /^recording must not be a file/,
    );
    expect((await upload(field("audio", "/tmp/a.wav"))).json.validation_errors[0]).toMatch(
      /^audio must be a file; it is text/,
    );
  });

  test("other fields are named in the answer", async () => {
    const { status, json } = await upload({ name: "audio", value: SPEECH, filename: "a.wav" }, field("language", "en"));
    expect(status).toBe(200);
    expect(json.warnings).toEqual(["language is not a field of this request and was ignored"]);
  });

  test("a raw file is read by its upload's name", async () => {
    const samples = SPEECH.subarray(44);
    const named = await upload({ name: "audio", value: samples, filename: "Call.SLN16" });
    expect(named).toMatchObject({ status: 200, json: { audio_metadata: { extension: "sln", audio_duration: 0.5 } } });
    expect((await upload({ name: "audio", value: samples, filename: "call.bin" })).status).toBe(400);
  });
});

describe("uploads with AssemblyAI's key, declared as JSON", () => {
  const send = (payload: Buffer | string, authorization = TEST_KEY) =>
    post("/v2/upload", payload, { authorization, "content-type": "application/json" });

  test("the file itself is taken", async () => {
    const { status, json } = await send(SPEECH);
    expect(status).toBe(200);
    expect(json).toMatchObject({ upload_url: json.audio_url, audio_metadata: { size: SPEECH.length } });
  });

  test.each([
    ["no recording", "no recording", 400, /cannot be decoded/],
    ["no body", "", 400, /^body is empty/],
    ["an object without an address", " {}", 400, /^audio_url is required/],
    ["a list", "[1]", 400, /^body must be a JSON object/],
    ["damaged JSON", "\n{", 400, /not valid JSON/],
    ["a large JSON text", `[${"1,".repeat(40_000)}1]`, 413, /./],
  ])("%s is refused in AssemblyAI's form", async (_what, body, code, message) => {
    const { status, json } = await send(body);
    expect(json).toEqual({ error: expect.stringMatching(message) });
    expect(status).toBe(code);
  });

  test("a wrong key is refused in AssemblyAI's form; other keys keep JSON", async () => {
    const wrong = await service.inject({
      method: "POST",
      url: "/v2/upload",
      payload: SPEECH,
      headers: { authorization: "wrong", "content-type": "application/json" },
    });
    expect([wrong.statusCode, Object.keys(JSON.parse(wrong.body))]).toEqual([401, ["error"]]);
    const own = await send(SPEECH, `Bearer ${TEST_KEY}`);
    expect(own).toMatchObject({ status: 400, json: { message: expect.stringMatching(/body could not be read/) } });
  });
});

describe("bodies that a route does not read", () => {
  test.each([
    [
      "/v1/audio/transcriptions",
      "audio/wav",
      /Content type audio\/wav is not supported here; send multipart\/form-data/,
    ],
    [
      "/v1/audio/transcriptions",
      "application/json",
      /Content type application\/json is not supported here; send multipart\/form-data/,
    ],
    ["/v1/audio/transcriptions", "application/octet-stream", /send multipart\/form-data/],
    ["/v2/pre-recorded", "text/plain", /Content type text\/plain is not supported here; send application\/json/],
    ["/v2/pre-recorded", `multipart/form-data; boundary=${BOUNDARY}`, /is not supported here; send application\/json/],
  ])("%s %s", async (url, type, message) => {
    const { status, json } = await post(url, "{}", { "content-type": type });
    expect(status).toBe(415);
    expect(json.error.message).toMatch(message);
  });

  test.each(["/v1/audio/transcriptions", "/v2/upload", "/v2/pre-recorded"])("%s compressed", async (url) => {
    const headers = { "content-type": "application/json", "content-encoding": "gzip" };
    const { status, json } = await post(url, "{}", headers);
    expect(status).toBe(415);
    expect(json.error.message).toMatch(/The body is compressed \(content-encoding gzip\)/);
  });
});

describe("addresses and headers", () => {
  test("JSON without a content type is read as JSON; a body that is none is refused", async () => {
    const { status, json } = await post("/v2/pre-recorded", JSON.stringify({ audio_url: AUDIO_URL }), {});
    expect(status).toBe(201);
    expect(json.id).toMatch(/^[0-9a-f-]{36}$/);
    expect((await post("/v2/pre-recorded", "audio_url=x", {})).status).toBe(400);
    expect((await post("/v2/pre-recorded", "{}", { "content-type": "text/plain" })).status).toBe(415);
  });

  test.each([
    ["GET", "/v1/realtime?model=x", /WebSocket ws:\/\/[^ ]+\/v1\/realtime/],
    ["POST", "/inference", /POST http:\/\/[^ ]+\/v1\/audio\/transcriptions/],
    ["POST", "/v1//audio/transcriptions", /POST http:\/\/[^ ]+\/v1\/audio\/transcriptions/],
    ["POST", "/audio/transcriptions", /base address http:\/\/[^ ]+\/v1$/],
    ["GET", "/audio/models", /GET http:\/\/[^ ]+\/v1\/audio\/models/],
  ])("%s %s is answered with the right address", async (method, url, address) => {
    const answer = await service.call(method, url);
    expect(answer.status).toBe(404);
    expect(answer.json.error.message).toMatch(address);
  });

  const ofDeepgram = { err_code: "NOT_FOUND", err_msg: expect.any(String), request_id: expect.any(String) };
  const ofAssemblyAi = { error: expect.any(String) };
  test.each<[string, string, string, object]>([
    ["POST", "/v1/auth/tokens", "Token key", ofDeepgram],
    ["GET", "/v1/listen/x", "Token key", ofDeepgram],
    ["POST", "/v1/transcribe/live", "key", ofAssemblyAi],
    ["POST", "/v2/lemur", "key", ofAssemblyAi],
    ["POST", "/v2/lemur", "Bearer key", { statusCode: 404 }],
    ["POST", "/v1/lemur", "key", { error: { type: "invalid_request_error" } }],
  ])("%s %s with %s, which is not offered, has the form of its interface", async (method, url, authorization, body) => {
    const answer = await service.inject({ method: method as "GET", url, headers: { authorization } });
    expect(answer.statusCode).toBe(404);
    expect(JSON.parse(answer.body)).toMatchObject(body);
  });

  test("answers with a key are stored in no cache", async () => {
    for (const url of ["/v2/account", "/v2/pre-recorded", "/v1/models", "/v2/pre-recorded/x"]) {
      expect((await service.call("GET", url)).headers["cache-control"]).toBe("no-store");
    }
    expect((await service.inject({ method: "GET", url: "/health" })).headers["cache-control"]).toBeUndefined();
  });

  test("an upload is deleted by its address, unless a job needs it", async () => {
    const uploaded = await postForm("/v2/upload", [{ name: "audio", value: SPEECH, filename: "a.wav" }]);
    expect(uploaded.status).toBe(200);
    const { pathname } = new URL(uploaded.json.audio_url);
    const job = await service.call("POST", "/v2/pre-recorded", { audio_url: uploaded.json.audio_url });
    const refused = await service.call("DELETE", pathname);
    expect(refused).toMatchObject({ status: 403, json: { message: expect.stringMatching(/job that has not ended/) } });
    expect((await service.call("DELETE", `/v2/pre-recorded/${job.json.id}?cancel=true`)).status).toBe(202);
    const again = await postForm("/v2/upload", [{ name: "audio", value: SPEECH, filename: "a.wav" }]);
    const { pathname: path } = new URL(again.json.audio_url);
    expect((await service.inject({ method: "DELETE", url: path })).statusCode).toBe(401);
    expect((await service.call("DELETE", path)).status).toBe(202);
    expect((await service.call("GET", path)).status).toBe(404);
    expect((await service.call("DELETE", path)).status).toBe(404);
  });
});
