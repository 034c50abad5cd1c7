// The HTTP interface rule by rule: keys, validation, lists, errors, isolation.
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { type IncomingMessage, request } from "node:http";
import { createRequire } from "node:module";
import { text } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { Ajv } from "ajv";
import addFormats from "ajv-formats";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { inlineSchemas } from "../../src/api/description/shared-schemas.ts";
import { createSession, LiveClient } from "../fixtures/live-client.ts";
import { HELLO_MP3, silence, wav } from "../fixtures/recordings.ts";
import { decodeSpeech, encodePcm } from "../fixtures/speech.ts";
import { call, finished, type RunningService, ready, startService, submit, TEST_KEY, upload } from "../service.ts";

let service: RunningService;
let audioUrl: string;
beforeAll(async () => {
  service = await startService({ environment: { PARLANCE_ALLOW_PRIVATE_ADDRESSES: "false" } });
  audioUrl = (await upload(service, wav([silence(0.3)]), "quiet.wav")).json.audio_url;
});
afterAll(() => service.remove());

const create = (body: object) => call(service, "POST", "/v2/pre-recorded", { body: { audio_url: audioUrl, ...body } });
const ZEROS = "00000000-0000-0000-0000-000000000000";

describe("keys", () => {
  test.each(["x-service-key", "x-gladia-key", "X-GLADIA-KEY"])("a key in %s is accepted", async (name) => {
    const answer = await call(service, "GET", "/v2/pre-recorded?limit=1", { key: null, headers: { [name]: TEST_KEY } });
    expect(answer.status).toBe(200);
  });

  test("a bearer key is accepted, and errors name neither form of another interface", async () => {
    const headers = { authorization: `Bearer ${TEST_KEY}` };
    expect((await call(service, "GET", "/v2/pre-recorded?limit=1", { key: null, headers })).status).toBe(200);
    const wrong = { authorization: "Bearer wrong" };
    expect((await call(service, "GET", "/v2/account", { key: null, headers: wrong })).status).toBe(401);
    const metrics = await call(service, "GET", "/metrics", { key: null });
    expect(metrics.json.message).toMatch(/^No key was sent/);
  });

  test("a missing and an unknown key have different messages, in the one error shape", async () => {
    const missing = await call(service, "GET", `/v2/pre-recorded/${ZEROS}`, { key: null });
    expect(missing.status).toBe(401);
    expect(missing.json.message).toMatch(/no gladia key/);
    expect(Object.keys(missing.json).sort()).toEqual(
      ["error", "message", "path", "request_id", "statusCode", "timestamp"].sort(),
    );
    const unknown = await call(service, "GET", `/v2/pre-recorded/${ZEROS}`, { key: "wrong" });
    expect(unknown.status).toBe(401);
    expect(unknown.json.message).toMatch(/user not found/);
  });

  test("health and readiness need none", async () => {
    expect((await call(service, "GET", "/health", { key: null })).status).toBe(200);
    await ready(service);
    expect((await call(service, "GET", "/metrics", { key: null })).status).toBe(401);
    expect((await call(service, "GET", "/metrics")).text).toMatch(/parlance_jobs_total/);
  });
});

describe("bodies", () => {
  test("JSON that is nested deeper than anybody needs is refused, not walked through", async () => {
    for (const [open, close] of [
      ['{"a":', "}"],
      ["[", "]"],
    ] as const) {
      const body = `{"audio_url": "${audioUrl}", "custom_metadata": ${open.repeat(20_000)}1${close.repeat(20_000)}}`;
      const answer = await fetch(`${service.base}/v2/pre-recorded`, {
        method: "POST",
        headers: { "x-service-key": TEST_KEY, "content-type": "application/json" },
        body,
      });
      expect(answer.status).toBe(400);
      expect(((await answer.json()) as { message: string }).message).toMatch(/nested deeper than 100 levels/);
    }
    const filter = encodeURIComponent(`${'{"a":'.repeat(500)}1${"}".repeat(500)}`);
    expect((await call(service, "GET", `/v2/transcription?custom_metadata=${filter}`)).status).toBe(400);
    const brackets = { note: "[".repeat(1_000) };
    expect((await create({ custom_metadata: brackets })).status).toBe(201);
  });

  test("nothing is decompressed: a body that would grow is refused, a socket offers no compression", async () => {
    const answer = await fetch(`${service.base}/v2/pre-recorded`, {
      method: "POST",
      headers: { "x-service-key": TEST_KEY, "content-type": "application/json", "content-encoding": "gzip" },
      body: gzipSync(JSON.stringify({ audio_url: audioUrl, custom_metadata: { note: " ".repeat(1e8) } })),
    });
    expect(answer.status).toBe(415);
    const { id, url } = await createSession(service);
    const socket = new WebSocket(url, { perMessageDeflate: true });
    await once(socket, "open");
    expect(socket.extensions).toBe("");
    socket.close();
    await call(service, "DELETE", `/v2/live/${id}?cancel=true`);
  });

  test("text that cannot be stored is refused with the reason", async () => {
    const { id } = await createSession(service);
    const patch = (body: object) => call(service, "PATCH", `/v2/live/${id}`, { body });
    const nul = await patch({ "a\0b": "x" });
    expect(nul.status).toBe(400);
    expect(nul.json.validation_errors.join()).toMatch(/NUL/);
    expect((await patch({ note: "a backslash, and \\u0000 after it" })).status).toBe(204);
    await call(service, "DELETE", `/v2/live/${id}?cancel=true`);
  });
});

test.each([
  "/docs/../../package.json",
  "/docs/..%2f..%2fpackage.json",
  "/assets/%2e%2e/%2e%2e/package.json",
  "/assets/..%2f..%2fpackage.json",
  "/assets/....//....//package.json",
  "/v2/upload/..%2f..%2fmachine",
])("%s leads to no file", async (path) => {
  const { hostname, port } = new URL(service.base);
  // fetch would shorten the path.
  const asked = request({ hostname, port, path, headers: { "x-service-key": TEST_KEY } }).end();
  const [answer] = (await once(asked, "response")) as [IncomingMessage];
  expect([400, 403, 404]).toContain(answer.statusCode);
  expect(await text(answer)).not.toContain('"dependencies"');
});

describe("creation", () => {
  test("answers 201 with an id, an address that works, and the job's request id in the header", async () => {
    const created = await create({});
    expect(created.status).toBe(201);
    expect(Object.keys(created.json)).toEqual(["id", "result_url"]);
    expect(created.headers.get("x-request-id")).toBe(`G-${created.json.id.slice(-8)}`);
    const job = await finished(service, created.json.id);
    expect(job).toMatchObject({
      version: 2,
      kind: "pre-recorded",
      error_code: null,
      request_id: `G-${job.id.slice(-8)}`,
    });
    expect(job.request_params).toMatchObject({
      audio_url: audioUrl,
      diarization: false,
      detect_language: true,
      language_config: { languages: [], code_switching: false },
    });
  });

  test("names every invalid field at once, each sentence beginning with its path", async () => {
    const answer = await create({
      diarization: "perhaps",
      language_config: { languages: ["en", "xx"] },
      subtitles_config: { formats: ["ass"], maximum_rows_per_caption: 9, maximum_duration: "long" },
      translation_config: {},
      callback_config: { url: "ftp://x" },
      custom_vocabulary: 5,
      custom_vocabulary_config: { vocabulary: [{ intensity: 3 }] },
      custom_metadata: { text: "x".repeat(2001) },
      language: "klingon",
      model: 7,
    });
    expect(answer.status).toBe(400);
    const paths = answer.json.validation_errors.map((sentence: string) => sentence.split(" ")[0]);
    for (const path of [
      "diarization",
      "language_config.languages",
      "subtitles_config.formats",
      "subtitles_config.maximum_rows_per_caption",
      "subtitles_config.maximum_duration",
      "translation_config.target_languages",
      "callback_config.url",
      "custom_vocabulary",
      "custom_vocabulary_config.vocabulary.0.value",
      "custom_metadata",
      "language",
      "model",
    ]) {
      expect(paths).toContain(path);
    }
    expect(answer.json.validation_errors).toContainEqual(
      expect.stringMatching(/^language_config\.languages must only contain the following values: af, am/),
    );
  });

  test.each([
    [{ audio_url: undefined }, /^audio_url is required/],
    [{ audio_url: "not an address" }, /^audio_url must be a URL/],
    [{ audio_url: "file:///etc/passwd" }, /^audio_url must be a URL/],
    [{ audio_url: "http://127.0.0.1:5432/" }, /^audio_url must be a URL address in a public network/],
    [{ audio_url: "http://0x7f000001/x" }, /public network/],
    [{ audio_url: "http://[::ffff:10.0.0.1]/x" }, /public network/],
    [{ audio_url: "http://169.254.169.254/latest" }, /public network/],
    [{ audio_url: "ftp://user:secret@example.com/x" }, /^audio_url must be a URL(?!.*secret)/],
    [
      { audio_url: "http://user:sec/ret@host.example/x" },
      /^audio_url has a user name or password with a sign(?!.*sec)/,
    ],
    [{ audio_url: "http://user:secret@127.0.0.1/x" }, /^audio_url must be a URL address in a public(?!.*secret)/],
    [{ callback_url: "http://user:secret@example.com/x" }, /without a user name/],
    [{ translation: true }, /^translation_config.target_languages is required/],
    [{ custom_spelling: true }, /^custom_spelling_config.spelling_dictionary is required/],
    [{ callback: true }, /^callback_config.url is required/],
    [{ callback_url: "http://localhost/x" }, /^callback_url must be a URL address in a public network/],
    [{ model: "gpt-9" }, /^model must be one of the following values: moonshine-base-en/],
    [{ subtitles_config: { minimum_duration: 5, maximum_duration: 2 } }, /^subtitles_config.minimum_duration must not/],
    [
      { diarization_config: { number_of_speakers: 0 } },
      /^diarization_config.number_of_speakers must not be less than 1/,
    ],
  ])("refuses %j", async (body, sentence) => {
    const answer = await create(body);
    expect(answer.status).toBe(400);
    expect(answer.json.validation_errors).toContainEqual(expect.stringMatching(sentence));
  });

  test("tolerates fields of real clients: unknown fields, null, booleans as text, lists as vocabulary", async () => {
    const answer = await create({
      diarization: "true",
      diarization_config: { enhanced: true, number_of_speakers: 2 },
      accurate_words_timestamps: true,
      custom_vocabulary: ["Parlance", { value: "Moonshine", intensity: 0.4 }],
      custom_spelling_config: null,
      custom_metadata: null,
    });
    expect(answer.status).toBe(201);
    const job = await finished(service, answer.json.id);
    expect(job.request_params.diarization).toBe(true);
    expect(job.request_params.diarization_config).toEqual({ number_of_speakers: 2 });
    expect(job.request_params).not.toHaveProperty("accurate_words_timestamps");
    expect(job.custom_metadata).toBeNull();
  });

  test("a language without a model is accepted, and the answer names a remedy", async () => {
    const answer = await create({ language_config: { languages: ["de"] } });
    expect(answer.status).toBe(422);
    expect(answer.json.message).toMatch(
      /No installed model recognises de; .* npx --no-install parlance models add whisper-small/,
    );
    expect((await create({ language: "fr" })).status).toBe(422);
    expect((await create({ language_config: { languages: ["de", "en"] } })).status).toBe(201);
  });

  test("an unknown uploaded file is a 422", async () => {
    const answer = await create({ audio_url: `${service.base}/file/${ZEROS}` });
    expect(answer.status).toBe(422);
  });

  test("switches over a recording without words answer that there is nothing", async () => {
    const answer = await create({ diarization: true, summarization: true, sentences: true, subtitles: true });
    const job = await finished(service, answer.json.id);
    expect(job.status).toBe("done");
    expect(job.result.diarization).toBeUndefined();
    expect(job.result.transcription.utterances).toEqual([]);
    expect(job.result.summarization).toMatchObject({ success: true, is_empty: true, results: "" });
    expect(job.result.sentences).toMatchObject({ success: true, is_empty: true, error: null, results: [] });
    expect(job.result.transcription.subtitles).toEqual([{ format: "srt", subtitles: "" }]);
  });

  test("text that was to be redacted is never handed out unredacted", async () => {
    const config = { entity_types: ["BLOOD_TYPE"] };
    const created = await create({ pii_redaction: true, pii_redaction_config: config });
    expect(created.status).toBe(400);
    expect(JSON.stringify(created.json)).toMatch(/BLOOD_TYPE/);
  });
});

describe("malformed requests", () => {
  const raw = (body: string, type: string) =>
    fetch(`${service.base}/v2/pre-recorded`, {
      method: "POST",
      body,
      headers: { "x-service-key": TEST_KEY, "content-type": type },
    });

  test.each([
    ["{", "application/json", 400],
    ["", "application/json", 400],
    ["[]", "application/json", 400],
    ["null", "application/json", 400],
    ['"text"', "application/json", 400],
    ["a=b", "application/x-www-form-urlencoded", 415],
    [`{"x":"${"y".repeat(1_200_000)}"}`, "application/json", 413],
  ])("a body of %s is answered with the right status", async (body, type, status) => {
    const response = await raw(body, type);
    expect(response.status).toBe(status);
    expect(((await response.json()) as { statusCode: number }).statusCode).toBe(status);
  });

  test("unknown routes and wrong methods are 404 with the familiar words", async () => {
    const answer = await call(service, "PUT", "/v2/pre-recorded");
    expect(answer.status).toBe(404);
    expect(answer.json.message).toBe("Cannot PUT /v2/pre-recorded");
  });

  test("an upload without its part, or without a boundary, is refused with the missing part", async () => {
    const empty = new FormData();
    empty.append("other", "text");
    const answer = await call(service, "POST", "/v2/upload", { body: empty });
    expect(answer.status).toBe(400);
    expect(answer.json.validation_errors[0]).toMatch(/^audio is required/);
    const noBoundary = await fetch(`${service.base}/v2/upload`, {
      method: "POST",
      body: "x",
      headers: { "x-service-key": TEST_KEY, "content-type": "multipart/form-data" },
    });
    expect(noBoundary.status).toBe(400);
  });

  test("a GET with a JSON content type and no body is fine; so is a trailing slash", async () => {
    const headers = { "content-type": "application/json" };
    expect((await call(service, "GET", "/v2/pre-recorded/", { headers })).status).toBe(200);
  });
});

describe("one job by its addresses", () => {
  test("all three answer the same; other ids are 404", async () => {
    const { json } = await create({});
    await finished(service, json.id);
    const [one, two] = await Promise.all([
      call(service, "GET", `/v2/pre-recorded/${json.id}`),
      call(service, "GET", `/v2/transcription/${json.id}`),
    ]);
    expect(one.json).toEqual(two.json);
    for (const id of [ZEROS, "nonsense", `${json.id}x`]) {
      expect((await call(service, "GET", `/v2/pre-recorded/${id}`)).status).toBe(404);
      expect((await call(service, "DELETE", `/v2/pre-recorded/${id}`)).status).toBe(404);
      expect((await call(service, "GET", `/v2/pre-recorded/${id}/file`)).status).toBe(404);
    }
  });

  test("a deletion answers 202 with nothing, the second one 404", async () => {
    const { json } = await create({});
    await finished(service, json.id);
    const deleted = await call(service, "DELETE", `/v2/transcription/${json.id}`);
    expect([deleted.status, deleted.text]).toEqual([202, ""]);
    expect((await call(service, "DELETE", `/v2/transcription/${json.id}`)).status).toBe(404);
  });

  test("a range outside of the file is a 416 with its size", async () => {
    const id = await submit(service, wav([silence(0.2)]));
    const answer = await call(service, "GET", `/v2/pre-recorded/${id}/file`, { headers: { range: "bytes=999999-" } });
    expect(answer.status).toBe(416);
    expect(answer.headers.get("content-range")).toMatch(/^bytes \*\/\d+$/);
  });
});

describe("lists", () => {
  const list = async (query: string) => (await call(service, "GET", `/v2/transcription?${query}`)).json;

  test("filters by metadata in each encoding, numbers and text alike", async () => {
    const { json } = await create({
      custom_metadata: { user: 'Zoë "Z" O\'Hara', number: 2348739875894375, deep: { flag: true } },
    });
    const ids = async (query: string) => (await list(query)).items.map((item: { id: string }) => item.id);
    expect(await ids(`custom_metadata[user]=${encodeURIComponent('Zoë "Z" O\'Hara')}`)).toEqual([json.id]);
    expect(await ids("custom_metadata%5Bnumber%5D=2348739875894375")).toEqual([json.id]);
    expect(await ids("custom_metadata[deep][flag]=true")).toEqual([json.id]);
    expect(await ids(`custom_metadata=${encodeURIComponent('{"deep":{"flag":true}}')}`)).toEqual([json.id]);
    expect(await ids("custom_metadata[user]=nobody")).toEqual([]);
    // Several pairs, arrays and empty objects: a job must contain all of it as it stands.
    const { json: tagged } = await create({
      custom_metadata: { tags: ["a", { name: "x", size: 1 }, { name: "y", size: 2 }], empty: {}, team: "red" },
    });
    const has = async (filter: object) =>
      (await ids(`custom_metadata=${encodeURIComponent(JSON.stringify(filter))}`)).includes(tagged.id);
    expect(await has({ tags: ["a"], team: "red" })).toBe(true);
    expect(await has({ tags: [{ name: "x", size: 1 }] })).toBe(true);
    expect(await has({ tags: [{ name: "x", size: 2 }] })).toBe(false);
    expect(await has({ empty: {} })).toBe(true);
    expect(await has({ team: {} })).toBe(false);
    expect(await has({ team: "red", number: 2348739875894375 })).toBe(false);
  });

  test("takes lists in each encoding, and empty parameters as none", async () => {
    await finished(service, (await create({})).json.id);
    for (const query of [
      "status=done&status=error",
      "status[]=done",
      "status[0]=done&status[1]=error",
      "status=done,error",
      "status=&kind=&date=&limit=5",
    ]) {
      expect((await list(query)).items.length).toBeGreaterThan(0);
    }
    expect((await list("kind=live")).items).toEqual([]);
    for (const query of ["kind[0]=live", "kind[]=live", "status[0]=error&status[1]=queued", "tag[0]=none"]) {
      expect((await list(query)).items, query).toEqual([]);
    }
    expect((await list("status=queued&kind=live")).items).toEqual([]);
  });

  test("dates: a UTC day, and exclusive bounds", async () => {
    const { json } = await create({});
    const job = await finished(service, json.id);
    const has = async (query: string) =>
      (await list(`limit=1000&${query}`)).items.some((item: { id: string }) => item.id === job.id);
    const day = job.created_at.slice(0, 10);
    const next = new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10);
    expect(await has(`date=${day}`)).toBe(true);
    expect(await has(`date=${next}`)).toBe(false);
    expect(await has(`after_date=${day}`)).toBe(true);
    expect(await has(`before_date=${next}`)).toBe(true);
    expect(await has(`before_date=${job.created_at}`)).toBe(false);
    expect(await has(`after_date=${job.created_at}`)).toBe(false);
  });

  test("page addresses keep the filters and lead to the end without mixing kinds", async () => {
    const page = (await call(service, "GET", "/v2/pre-recorded?limit=2&status=done")).json;
    expect(page.next).toMatch(/\/v2\/transcription\?/);
    expect(new URL(page.next).searchParams.getAll("kind")).toEqual(["pre-recorded"]);
    const seen = new Set<string>();
    for (let at: string | null = page.current; at; ) {
      const { json } = await call(service, "GET", at);
      for (const item of json.items) {
        expect(seen.has(item.id)).toBe(false);
        seen.add(item.id);
        expect(item).not.toHaveProperty("request_params");
      }
      at = json.next;
    }
    expect(seen.size).toBe((await list("status=done&limit=1000")).items.length);
  });

  test("pages that begin at an offset list every further job once", async () => {
    const all = (await list("status=done&limit=1000")).items.map(({ id }: { id: string }) => id);
    const seen: string[] = [];
    for (let at: string | null = "/v2/pre-recorded?offset=1&limit=1&status=done"; at; ) {
      const { json } = await call(service, "GET", at);
      seen.push(...json.items.map(({ id }: { id: string }) => id));
      at = json.next;
    }
    expect(seen).toEqual(all.slice(1));
    expect(seen.length).toBeGreaterThan(1);
  });

  test.each([
    "limit=0",
    "offset=-1",
    "limit=x",
    "status=finished",
    "kind=video",
    "date=yesterday",
    "custom_metadata=5",
    "custom_metadata[a]b=x",
    "custom_metadata[a=x",
    "custom_metadata[constructor]=x",
    "custom_metadata[a]=1&custom_metadata[a]=2",
    "status[a]=done",
  ])("refuses %s by its name", async (query) => {
    const answer = await call(service, "GET", `/v2/transcription?${query}`);
    expect(answer.status).toBe(400);
    expect(answer.json.validation_errors[0].startsWith(query.split(/[=[]/)[0])).toBe(true);
  });

  test.each(["", "&before_date=2099-01-01"])("paging on shows each job once while new ones arrive%s", async (date) => {
    const before = (await list("limit=1000&kind=pre-recorded")).items.map(({ id }: { id: string }) => id);
    const seen: string[] = [];
    let at: string | null = `limit=2&kind=pre-recorded${date}`;
    while (at) {
      const page: { items: { id: string }[]; next: string | null } = at.startsWith("http")
        ? (await call(service, "GET", at)).json
        : await list(at);
      seen.push(...page.items.map(({ id }) => id));
      at = page.next;
      await create({});
    }
    expect(seen).toEqual(before);
  });

  test("the limit is clamped, and the addresses show it", async () => {
    const page = await list("limit=5000");
    expect(new URL(page.current).searchParams.get("limit")).toBe("1000");
  });
});

describe("the description", () => {
  test("is OpenAPI 3.1, marks deprecated fields, and answers fit its schemas", async () => {
    const document = inlineSchemas((await call(service, "GET", "/openapi.json", { key: null })).json);
    expect(document.openapi).toBe("3.1.0");
    const body = document.paths["/v2/pre-recorded"].post.requestBody.content["application/json"].schema;
    expect(body.properties.callback_url.deprecated).toBe(true);
    expect(body.required).toEqual(["audio_url"]);
    const ajv = new Ajv({ strict: false, allErrors: true });
    (addFormats as unknown as (ajv: Ajv) => void)(ajv);
    const check = (route: string, method: string, status: number, answer: unknown) => {
      const schema = document.paths[route][method].responses[status].content["application/json"].schema;
      const validate = ajv.compile(schema);
      expect(validate(answer), JSON.stringify(validate.errors)).toBe(true);
    };
    const id = await submit(service, readFileSync(HELLO_MP3), { sentences: true, subtitles: true, translation: false });
    check("/v2/pre-recorded/{id}", "get", 200, (await call(service, "GET", `/v2/pre-recorded/${id}`)).json);
    await finished(service, id);
    check("/v2/pre-recorded/{id}", "get", 200, (await call(service, "GET", `/v2/pre-recorded/${id}`)).json);
    check("/v2/transcription", "get", 200, (await call(service, "GET", "/v2/transcription")).json);
    check("/v2/pre-recorded/{id}", "get", 404, (await call(service, "GET", `/v2/pre-recorded/${ZEROS}`)).json);
  });

  test("of the WebSocket is AsyncAPI 3, and every message of a session fits it", async () => {
    const { json: document } = await call(service, "GET", "/asyncapi.json", { key: null });
    const specification = createRequire(import.meta.url)("@asyncapi/specs/schemas/3.0.0-without-$id.json");
    const ajv = new Ajv({ strict: false, allErrors: true, logger: false });
    (addFormats as unknown as (ajv: Ajv) => void)(ajv);
    const isDocument = ajv.compile(specification);
    expect(isDocument(document), JSON.stringify(isDocument.errors)).toBe(true);
    const { messages } = document.channels.live;
    const session = await createSession(service, {
      messages_config: { receive_partial_transcripts: true, receive_lifecycle_events: true },
      post_processing: { summarization: true },
    });
    const client = await LiveClient.connect(session.url);
    client.send(encodePcm([await decodeSpeech()]));
    client.socket.send("nonsense");
    client.stop();
    await client.closed;
    expect(new Set(client.types()).size).toBeGreaterThan(9);
    for (const message of client.messages) {
      const validate = ajv.compile(messages[`server_${message.type}`].payload);
      expect(validate(message), `${JSON.stringify(message)} ${JSON.stringify(validate.errors)}`).toBe(true);
    }
  });

  test("has a page to read it on", async () => {
    const page = await fetch(`${service.base}/docs/`);
    expect(page.status).toBe(200);
    expect(page.headers.get("content-type")).toMatch(/text\/html/);
  });
});

test("logs hold neither keys nor transcripts", async () => {
  await finished(service, await submit(service, readFileSync(HELLO_MP3)));
  await expect.poll(() => service.log()).toMatch(/job ended/);
  expect(service.log()).not.toMatch(/Hello from/i);
  expect(service.log()).not.toContain(TEST_KEY);
});
