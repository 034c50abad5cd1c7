// What a request may hold: every list, text and map has a bound, text that cannot be stored is refused with its field's name, and
// numbers, dates and ids outside of what the database can hold are the sender's error.
import { readFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import path from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { inlineSchemas } from "../../src/api/description/shared-schemas.ts";
import { type InProcess, startInProcess } from "../fixtures/in-process.ts";
import { HELLO_MP3 } from "../fixtures/recordings.ts";
import type { Schema } from "../fixtures/schema-arbitrary.ts";
import { TEST_KEY } from "../service.ts";

let app: InProcess;
let document: Schema;
beforeAll(async () => {
  app = await startInProcess();
  document = inlineSchemas((await app.call("GET", "/openapi.json")).json);
});
afterAll(() => app.remove());

const create = (body: unknown) => app.call("POST", "/v2/pre-recorded", body);
const AUDIO = { audio_url: "https://example.com/a.mp3" };

/** Free objects whose size their routes bound in bytes. */
const BOUND_IN_BYTES = new Set(["patch /v2/live/{id} body"]);

/** @returns a sentence for each value of a schema that could be of any size */
function unbounded(schema: Schema, place: string): string[] {
  if (schema.enum || schema.const !== undefined) return [];
  const branches = schema.anyOf ?? schema.oneOf ?? schema.allOf;
  if (branches) return branches.flatMap((branch: Schema) => unbounded(branch, place));
  switch (schema.type) {
    case "string":
      return schema.maxLength === undefined ? [`${place} has no maxLength`] : [];
    case "array":
      return [
        ...(schema.maxItems === undefined ? [`${place} has no maxItems`] : []),
        ...unbounded(schema.items ?? {}, `${place}[]`),
      ];
    case "object": {
      const fields = Object.entries(schema.properties ?? {});
      const problems = fields.flatMap(([name, field]) => unbounded(field, `${place}.${name}`));
      if (fields.length > 0 || schema["x-metadata-limit"] || BOUND_IN_BYTES.has(place)) return problems;
      if (schema.maxProperties === undefined) problems.push(`${place} has no maxProperties`);
      if (schema.propertyNames?.maxLength === undefined) problems.push(`${place} has names of any length`);
      return [...problems, ...unbounded(schema.additionalProperties ?? {}, `${place}.*`)];
    }
    case "boolean":
    case "number":
    case "integer":
    case "null":
      return [];
    default:
      return [`${place} can be anything`];
  }
}

test("no schema of a request has a list, a text or a map of any size", () => {
  const problems: string[] = [];
  let bodies = 0;
  for (const [path, methods] of Object.entries(document.paths as Record<string, Schema>)) {
    for (const [method, { parameters = [], requestBody }] of Object.entries(methods as Record<string, Schema>)) {
      for (const parameter of parameters) {
        problems.push(...unbounded(parameter.schema, `${method} ${path} ${parameter.in} ${parameter.name}`));
      }
      const schema = requestBody?.content?.["application/json"]?.schema;
      if (!schema) continue;
      bodies++;
      problems.push(...unbounded(schema, `${method} ${path} body`));
    }
  }
  expect(problems).toEqual([]);
  expect(bodies).toBeGreaterThan(6);
});

describe("a large request", () => {
  const refused = async (method: string, path: string, body: unknown, sentence: RegExp) => {
    const answer = await app.call(method, path, body);
    expect(answer.status, answer.text.slice(0, 500)).toBe(400);
    expect(answer.json.validation_errors.join("\n")).toMatch(sentence);
    expect(answer.json.validation_errors.length).toBeLessThanOrEqual(21);
    expect(answer.text.length).toBeLessThan(60_000);
  };
  const ones = `[${"1,".repeat(500_000)}1]`;

  test.each([
    ["of numbers in place of words", `{"audio_url":"${AUDIO.audio_url}","custom_vocabulary":${ones}}`],
    ["in a config", `{"audio_url":"${AUDIO.audio_url}","custom_vocabulary_config":{"vocabulary":${ones}}}`],
    ["of languages", `{"audio_url":"${AUDIO.audio_url}","language_config":{"languages":${ones}}}`],
    ["of subtitle formats", `{"audio_url":"${AUDIO.audio_url}","subtitles_config":{"formats":${ones}}}`],
    ["of prompts", `{"audio_url":"${AUDIO.audio_url}","audio_to_llm_config":{"prompts":${ones}}}`],
    ["of entity types", `{"audio_url":"${AUDIO.audio_url}","pii_redaction_config":{"entity_types":${ones}}}`],
  ])("a list %s is refused for its length", async (_, body) => {
    await refused("POST", "/v2/pre-recorded", body, /must contain no more than \d+ elements/);
  });

  test("150,000 equal target languages are refused", async () => {
    const target_languages = new Array(150_000).fill("de");
    const body = { ...AUDIO, translation: true, translation_config: { target_languages } };
    await refused(
      "POST",
      "/v2/pre-recorded",
      body,
      /translation_config.target_languages must contain no more than 200/,
    );
  });

  test("130,000 pronunciations are refused, of one entry and of many", async () => {
    const config = (vocabulary: object[]) => ({
      realtime_processing: { custom_vocabulary: true, custom_vocabulary_config: { vocabulary } },
    });
    const one = config([{ value: "a", pronunciations: new Array(130_000).fill("b") }]);
    await refused("POST", "/v2/live", one, /pronunciations must contain no more than 100 elements/);
    const many = config(Array.from({ length: 1_500 }, () => ({ value: "a", pronunciations: new Array(90).fill("b") })));
    await refused("POST", "/v2/live", many, /vocabulary must not have more than 10000 entries and variants together/);
  });

  test("a map of spellings is bounded in names, in their length and in variants", async () => {
    const config = (spelling_dictionary: object) => ({ ...AUDIO, custom_spelling_config: { spelling_dictionary } });
    const names = Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`n${at}`, ["a"]]));
    await refused("POST", "/v2/pre-recorded", config(names), /must have no more than 5000 names/);
    const long = config({ ["x".repeat(300)]: ["a"] });
    await refused("POST", "/v2/pre-recorded", long, /is a name that must be shorter than or equal to 200 characters/);
    await refused("POST", "/v2/pre-recorded", config({ a: new Array(150).fill("b") }), /no more than 100 elements/);
  });

  test("the largest requests of normal clients are accepted", async () => {
    const vocabulary = [
      ...Array.from({ length: 3_000 }, (_, at) => `term ${at}`),
      ...Array.from({ length: 100 }, (_, at) => ({
        value: `word ${at}`,
        pronunciations: new Array(50).fill("said so"),
      })),
    ];
    const created = await create({ ...AUDIO, custom_vocabulary: true, custom_vocabulary_config: { vocabulary } });
    expect(created.status, created.text).toBe(201);
    await app.call("DELETE", `/v2/pre-recorded/${created.json.id}?cancel=true`);
  });

  test("of a hundred wrong fields the first twenty are named, and the number of the others", async () => {
    const answer = await create({ ...AUDIO, custom_vocabulary: new Array(100).fill(1) });
    expect(answer.status).toBe(400);
    expect(answer.json.validation_errors).toHaveLength(21);
    expect(answer.json.validation_errors[0]).toBe("custom_vocabulary.0 must be a string or must be an object");
    expect(answer.json.validation_errors.at(-1)).toMatch(/^80 more problems are not listed/);
  });

  test("thousands of query parameters are refused", async () => {
    const query = Array.from({ length: 4_900 }, (_, at) => `custom_metadata[k${at}]=${at}`).join("&");
    await refused("GET", `/v2/transcription?${query}`, undefined, /query must not have more than 200 parameters/);
    const fewer = Array.from({ length: 150 }, (_, at) => `custom_metadata[k${at}]=${at}`).join("&");
    await refused("GET", `/v2/transcription?${fewer}`, undefined, /more than 50 values/);
    const deep = `custom_metadata${"[a]".repeat(1_000)}=1`;
    await refused("GET", `/v2/transcription?${deep}`, undefined, /nested deeper than 20 keys/);
  });

  test("metadata after a session is bounded in bytes", async () => {
    const { json } = await app.call("POST", "/v2/live", {});
    expect((await app.call("PATCH", `/v2/live/${json.id}`, { a: "x".repeat(99_000) })).status).toBe(204);
    expect((await app.call("PATCH", `/v2/live/${json.id}`, { a: "x".repeat(120_000) })).status).toBe(413);
    await app.call("DELETE", `/v2/live/${json.id}?cancel=true`);
  });
});

describe("text that cannot be stored", () => {
  const NUL = "a\0b";
  const HALF = "a\ud800b";

  /** Every text of a value that a schema allows, by its path, each with the value that has `text` there. */
  function* withTextAt(schema: Schema, text: string): Generator<[path: string, value: unknown]> {
    const branches = schema.anyOf ?? schema.oneOf;
    if (branches) {
      for (const branch of branches) yield* withTextAt(branch, text);
    } else if (schema.type === "string") {
      yield ["", /^(?:web|source)-address$/.test(schema.format ?? "") ? `https://example.com/${text}` : text];
    } else if (schema.type === "array") {
      for (const [path, inner] of withTextAt(schema.items, text)) yield [`.0${path}`, [inner]];
    } else if (schema.type === "object" && schema.properties) {
      for (const [name, field] of Object.entries(schema.properties as Record<string, Schema>)) {
        for (const [path, inner] of withTextAt(field, text)) yield [`.${name}${path}`, { [name]: inner }];
      }
    } else if (schema.type === "object") {
      yield [`.${text}`, { [text]: typeof schema.additionalProperties === "object" ? ["x"] : "x" }];
      yield [".x", { x: text }];
    }
  }

  test.each([
    ["NUL", NUL, /NUL/],
    ["half of a surrogate pair", HALF, /surrogate/],
  ])("%s is refused in every text and name of every body, with the field", async (_, text, reason) => {
    let fields = 0;
    for (const [path, methods] of Object.entries(document.paths as Record<string, Schema>)) {
      for (const [method, { requestBody }] of Object.entries(methods as Record<string, Schema>)) {
        const schema = requestBody?.content?.["application/json"]?.schema;
        if (!schema) continue;
        const address = path.replace(/\{[^}]+\}/g, "00000000-0000-0000-0000-000000000000");
        for (const [field, value] of withTextAt(schema, text)) {
          const answer = await app.call(method.toUpperCase(), address, value);
          const where = `${method} ${path} ${field}: ${answer.text}`;
          expect(answer.status, where).toBe(400);
          // The interfaces of OpenAI and Deepgram have errors of their own forms.
          const { validation_errors, error, err_msg } = answer.json;
          const [sentence] = validation_errors ?? [err_msg ?? error.message ?? error];
          expect(sentence, where).toMatch(reason);
          expect(sentence.startsWith(field.slice(1).replace(/[\0\ud800]/g, "\ufffd")), where).toBe(true);
          fields++;
        }
      }
    }
    expect(fields).toBeGreaterThan(60);
  });

  test("in queries and paths, too", async () => {
    for (const query of ["search=%00", "custom_metadata[a]=%00", "custom_metadata[%00]=1", "date=%00", "status=%00"]) {
      const answer = await app.call("GET", `/v2/transcription?${query}`);
      expect(answer.status, answer.text).toBe(400);
      expect(answer.json.validation_errors.join()).toMatch(/NUL/);
    }
    const json = encodeURIComponent('{"a":"\\ud800"}');
    const answer = await app.call("GET", `/v2/transcription?custom_metadata=${json}`);
    expect(answer.status).toBe(400);
    expect(answer.json.validation_errors).toEqual([expect.stringMatching(/^custom_metadata.a .*surrogate/)]);
    for (const path of [
      "/v1/models/%00",
      "/v1/models/%ed%a0%80",
      "/file/%ff",
      "/v2/live/%",
      "/file/%00",
      "/v2/pre-recorded/%00",
      "/v2/transcription/%00/transcript",
    ]) {
      const answer = await app.call("GET", path);
      expect(answer.status, path).toBe(404);
      expect(answer.json.error.message, path).toBeTruthy();
    }
  });

  const form = (parts: string[], end = "--x--\r\n") =>
    Buffer.from(
      `${parts.map((part) => `--x\r\nContent-Disposition: form-data; ${part}\r\n`).join("")}${end}`,
      "latin1",
    );
  const post = (url: string, payload: Buffer) =>
    app.inject({
      method: "POST",
      url,
      headers: { "x-service-key": TEST_KEY, "content-type": "multipart/form-data; boundary=x" },
      payload,
    });
  const audio = readFileSync(HELLO_MP3).toString("latin1");

  test("file names are cleaned, in UTF-16, too, and can be shown and downloaded", async () => {
    for (const name of [
      'filename="a\0b.mp3"',
      "filename*=utf-16le''%00%d8x%00",
      `filename="${"x".repeat(199)}\xf0\x9f\x8e\x99.mp3"`,
    ]) {
      const answer = await post("/v2/upload", form([`name="audio"; ${name}\r\n\r\n${audio}`]));
      expect(answer.statusCode, `${name}: ${answer.body}`).toBe(200);
      const { id } = answer.json().audio_metadata;
      const download = await app.inject({ url: `/file/${id}`, headers: { "x-service-key": TEST_KEY } });
      expect(download.statusCode).toBe(200);
    }
  });

  test("form fields are refused by name", async () => {
    for (const [field, reason] of [
      ['name="model"\r\n\r\nwhisper-1\0', /^model .*NUL/],
      ['name="prompt"\r\nContent-Type: text/plain; charset=utf-16le\r\n\r\n\0\xd8x\0', /^prompt .*surrogate/],
      ['name="prompt"\r\nContent-Type: application/json\r\n\r\n{"toString":1}', /^prompt must be a text field/],
    ] as const) {
      const answer = await post("/v1/audio/transcriptions", form([field]));
      expect(answer.statusCode, answer.body).toBe(400);
      expect(answer.json().error.message).toMatch(reason);
    }
  });

  test("a form that breaks off is the client's error, wherever it does, and nothing of it is stored", async () => {
    const stored = () => readdir(path.join(app.folder, "objects", "audio"));
    const before = await stored();
    for (const [url, name] of [
      ["/v2/upload", "audio"],
      ["/v1/audio/transcriptions", "file"],
    ] as const) {
      const parts = [
        'name="model"\r\n\r\nwhisper-1',
        `name="${name}"; filename="a.mp3"\r\n\r\n${audio.slice(0, 3_000)}`,
      ];
      const whole = form(parts);
      for (const end of [0, 1, 5, 40, 70, 90, 130, 150, 1_000, whole.length - 8, whole.length - 4]) {
        const answer = await post(url, whole.subarray(0, end));
        expect(answer.statusCode, `${url} ${end}: ${answer.body}`).toBe(400);
      }
    }
    expect(await stored()).toEqual(before);
  });
});

describe("dates, numbers and ids", () => {
  const EDGES = [
    "0000-01-01",
    "0000-12-31T23:59:59-23:59",
    "0001-01-01T00:00:00+23:59",
    "9999-12-31",
    "9999-12-31T23:59:59-23:59",
  ];
  test.each(EDGES)("%s is a date that a list can be filtered by", async (date) => {
    for (const name of ["date", "before_date", "after_date"]) {
      const answer = await app.call("GET", `/v2/transcription?${name}=${encodeURIComponent(date)}`);
      expect(answer.status, answer.text).toBe(200);
    }
  });

  test.each([
    "-271821-04-20",
    "+275760-09-13",
    "+010000-01-01",
    "10000-01-01",
    "2024-13-01",
    "1e308",
    "NaN",
    "infinity",
  ])("%s is refused as a date", async (date) => {
    for (const name of ["date", "before_date", "after_date"]) {
      const answer = await app.call("GET", `/v2/transcription?${name}=${encodeURIComponent(date)}`);
      expect(answer.status).toBe(400);
      expect(answer.json.validation_errors[0]).toMatch(new RegExp(`^${name} must be a valid ISO 8601 date`));
    }
  });

  test.each(["-".repeat(36), "0".repeat(36), "x".repeat(36), "00000000-0000-0000-0000-00000000000g"])(
    "the id %s names nothing, wherever it stands",
    async (id) => {
      for (const [path, methods] of Object.entries(document.paths as Record<string, Schema>)) {
        if (!path.includes("{")) continue;
        for (const [method, { requestBody }] of Object.entries(methods as Record<string, Schema>)) {
          const answer = await app.call(
            method.toUpperCase(),
            path.replace(/\{[^}]+\}/g, id),
            requestBody ? {} : undefined,
          );
          expect([400, 404], `${method} ${path}: ${answer.text}`).toContain(answer.status);
        }
      }
      const created = await create({ audio_url: `http://localhost:80/file/${id}` });
      expect([201, 400, 422]).toContain(created.status);
      if (created.status === 201) await app.call("DELETE", `/v2/pre-recorded/${created.json.id}?cancel=true`);
    },
  );

  test("the largest and smallest JSON numbers are stored unchanged, or refused", async () => {
    const numbers = [
      "1e308",
      "-1e308",
      "1e999",
      "-0",
      "1e-320",
      "9007199254740993",
      "2147483648",
      "9223372036854775808",
      "0.1e-400",
    ];
    for (const number of numbers) {
      for (const body of [
        `{"audio_url":"${AUDIO.audio_url}","custom_metadata":{"n":${number}}}`,
        `{"audio_url":"${AUDIO.audio_url}","diarization_config":{"number_of_speakers":${number}}}`,
        `{"audio_url":"${AUDIO.audio_url}","subtitles_config":{"minimum_duration":${number},"maximum_characters_per_row":${number}}}`,
        `{"audio_url":"${AUDIO.audio_url}","custom_vocabulary_config":{"vocabulary":["a"],"default_intensity":${number}}}`,
      ]) {
        const answer = await create(body);
        expect([201, 400], `${body}: ${answer.text}`).toContain(answer.status);
        if (answer.status !== 201) continue;
        expect((await app.call("GET", `/v2/pre-recorded/${answer.json.id}`)).status).toBe(200);
        await app.call("DELETE", `/v2/pre-recorded/${answer.json.id}?cancel=true`);
      }
      for (const query of [`offset=${number}`, `limit=${number}`, `custom_metadata[n]=${number}`]) {
        expect([200, 400]).toContain((await app.call("GET", `/v2/transcription?${query}`)).status);
      }
      expect([200, 400]).toContain((await app.call("GET", `/v2/account/deliveries?limit=${number}`)).status);
    }
  });

  test("a Host header that is none is refused; none at all is HTTP/1.0", async () => {
    for (const host of ["[", "a b", "x:99999", "a/../..", "%zz"]) {
      const answer = await app.inject({ url: "/v2/transcription", headers: { "x-service-key": TEST_KEY, host } });
      expect([200, 400], host).toContain(answer.statusCode);
    }
    const answer = await app.inject({ url: "/health", headers: { host: "" } });
    expect(answer.statusCode).toBe(200);
  });
});

test("a list is filtered by every metadata that could be stored", async () => {
  const metadata = fc.dictionary(fc.string({ unit: "binary", maxLength: 20 }), fc.jsonValue({ maxDepth: 3 }), {
    maxKeys: 5,
  });
  await fc.assert(
    fc.asyncProperty(metadata, async (custom_metadata) => {
      const created = await create({ ...AUDIO, custom_metadata });
      expect([201, 400], created.text).toContain(created.status);
      if (created.status !== 201) return;
      const { id } = created.json;
      const filter = encodeURIComponent(JSON.stringify(custom_metadata));
      const list = await app.call("GET", `/v2/transcription?custom_metadata=${filter}`);
      expect([200, 400], list.text).toContain(list.status);
      if (list.status === 200) expect(list.json.items.map((item: { id: string }) => item.id)).toContain(id);
      const job = await app.call("GET", `/v2/pre-recorded/${id}`);
      expect(job.json.custom_metadata ?? {}).toEqual(JSON.parse(JSON.stringify(custom_metadata)));
      await app.call("DELETE", `/v2/pre-recorded/${id}?cancel=true`);
    }),
    { numRuns: 200 },
  );
});
