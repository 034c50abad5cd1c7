// What people do with transcripts: take them away, put them right, search in them; and the service's own state.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { unzipSync } from "fflate";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { HELLO_MP3, silence, wav } from "../fixtures/recordings.ts";
import { decodeSpeech, repeated } from "../fixtures/speech.ts";
import { call, finished, type RunningService, startService, submit } from "../service.ts";

let service: RunningService;
let id: string;

beforeAll(async () => {
  service = await startService();
  const speech = repeated(await decodeSpeech(), 3, 6);
  id = await submit(service, wav([speech]), { diarization: true, subtitles: true });
  await finished(service, id);
});
afterAll(() => service.remove());

const download = (format: string, more = "") =>
  call(service, "GET", `/v2/transcription/${id}/transcript?format=${format}${more}`);
const correct = (body: object, job = id) => call(service, "PATCH", `/v2/transcription/${job}/transcript`, { body });

/** Asks until the search has caught up. */
async function searched(query: string, wanted: number) {
  for (let tries = 0; ; tries++) {
    const answer = await call(service, "GET", `/v2/transcription?search=${encodeURIComponent(query)}`);
    if (answer.json.items.length === wanted || tries > 150) return answer;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

describe("forms", () => {
  test("each has its media type, and the recording's name", async () => {
    const text = await download("txt");
    expect(text.status).toBe(200);
    expect(text.headers.get("content-type")).toBe("text/plain; charset=utf-8");
    expect(text.headers.get("content-disposition")).toMatch(/filename="audio\.txt"/);
    expect(text.text.trim().split("\n\n")).toHaveLength(3);
    expect((await download("srt")).text).toMatch(/^1\n00:00:00,\d{3} --> 00:00:0/);
    expect((await download("vtt")).text).toMatch(/^WEBVTT\n\n00:00:00\.\d{3} --> .*\n<v Speaker 0>hello/i);
    expect((await download("md")).text).toMatch(/^# audio\n\n\d{4}-\d\d-\d\d\n\n\*\*Speaker 0\*\* \(00:00\): hello/i);
    const { json } = await download("json");
    expect(json.transcription.utterances).toHaveLength(3);
    expect(json.metadata.audio_duration).toBeGreaterThan(5);
    const document = await fetch(new URL(`/v2/transcription/${id}/transcript?format=docx`, service.base), {
      headers: { "x-service-key": "a-key-for-tests" },
    });
    const files = unzipSync(new Uint8Array(await document.arrayBuffer()));
    expect(Buffer.from(files["word/document.xml"] ?? []).toString()).toMatch(/hello from the/i);
  });

  test("show times, names of speakers and paragraphs as the parameters say, and subtitles with the rows that fit", async () => {
    const shown = async (format: string, more: string) => (await download(format, more)).text;
    expect(await shown("txt", "&times=true")).toMatch(/^\[00:00\] Speaker 0: hello/i);
    expect(await shown("txt", "&speakers=false")).toMatch(/^hello/i);
    expect(await shown("md", "&times=false&speakers=false")).toMatch(/\n\nhello/i);
    expect((await shown("txt", "&paragraphs=false&speakers=false")).trim().split("\n\n")).toHaveLength(3);
    for (const format of ["srt", "vtt", "md", "tsv"])
      expect(await shown(format, "&speakers=false"), format).not.toContain("Speaker 0");
    expect(JSON.parse(await shown("json", "&speakers=false")).transcription.utterances[0].speaker).toBe(0);
    const most = async (rows: number) => {
      const cues = (await shown("srt", `&maximum_characters_per_row=8&maximum_rows_per_caption=${rows}`)).trim();
      return Math.max(...cues.split("\n\n").map((cue) => cue.split("\n").length - 2));
    };
    expect(await most(1)).toBe(1);
    expect([2, 3]).toContain(await most(3));
    for (const wrong of ["&times=yes", "&speakers=1", "&maximum_rows_per_caption=6"])
      expect((await download("txt", wrong)).status, wrong).toBe(400);
  });

  test("an unknown format and a job without a transcript are refused, and the message states what is allowed", async () => {
    expect((await download("exe")).json.validation_errors[0]).toMatch(/^format must be one of.*docx/);
    const broken = await submit(service, wav([silence(0.2)]));
    const open = await call(service, "GET", `/v2/transcription/${broken}/transcript`);
    expect([200, 409]).toContain(open.status);
    await finished(service, broken);
    expect((await call(service, "GET", `/v2/transcription/${broken}/transcript?format=txt`)).text).toBe("\n");
  });
});

describe("corrections", () => {
  test("are kept beside what was recognised, with who and when, in every form, and can be undone", async () => {
    const before = (await download("json", "&corrected=false")).json.transcription;
    const made = await correct({
      utterances: [
        { index: 1, text: "Hello from the Vercel AI SDK." },
        { index: 2, speaker: 1 },
      ],
      speakers: [{ speaker: 1, name: "Anna <b>" }],
    });
    expect(made.status).toBe(201);
    expect(made.json).toMatchObject({ made_by: "PARLANCE_API_KEY", undone_at: null });
    const text = (await download("txt")).text.trim().split("\n\n");
    expect(text[1]).toBe("Speaker 0: Hello from the Vercel AI SDK.");
    expect(text[2]).toMatch(/^Anna <b>: hello/i);
    expect((await download("srt")).text).toMatch(/Anna <b>: hello/i);
    expect((await download("vtt")).text).toMatch(/<v Anna &lt;b&gt;>hello/i);
    expect((await download("md")).text).toContain("**Anna \\<b\\>**");
    const fixed = (await download("json")).json.transcription;
    expect(fixed.corrected_utterances).toEqual([1, 2]);
    expect(fixed.subtitles[0].subtitles).toContain("Anna <b>: ");
    expect(fixed.utterances[1].words.map(({ word }: { word: string }) => word).join("")).toBe(fixed.utterances[1].text);
    expect((await download("json", "&corrected=false")).json.transcription).toEqual(before);
    // The interface itself still answers what was recognised.
    expect((await call(service, "GET", `/v2/transcription/${id}`)).json.result.transcription.full_transcript).toBe(
      before.full_transcript,
    );
    const undone = await call(service, "DELETE", `/v2/transcription/${id}/corrections/${made.json.id}`);
    expect(undone.json).toMatchObject({ undone_by: "PARLANCE_API_KEY" });
    expect((await download("json")).json.transcription.corrected_utterances).toEqual([]);
    expect((await call(service, "GET", `/v2/transcription/${id}/corrections`)).json.items).toHaveLength(1);
    expect((await call(service, "DELETE", `/v2/transcription/${id}/corrections/${made.json.id}`)).status).toBe(404);
  });

  test("of speakers divide utterances in every form; a change for another version is refused", async () => {
    const list = async () => (await call(service, "GET", `/v2/transcription/${id}/corrections`)).json;
    const { version } = await list();
    const { words } = (await download("json", "&corrected=false")).json.transcription.utterances[0];
    const last = words.at(-1);
    const utterances = [{ index: 0, start: last.start, end: last.end, speaker: 1 }];
    const made = await correct({ utterances, speakers: [{ speaker: 1, name: "Anna" }], version });
    expect(made.status, made.text).toBe(201);
    expect(made.json.version).toBe(version + 1);
    expect((await download("json")).json.transcription.source_utterances).toEqual([0, 0, 1, 2]);
    expect((await download("tsv")).text).toContain(`\tAnna\t${last.word.trim()}\n`);
    expect((await download("vtt")).text).toContain(`<v Anna>${last.word.trim()}`);
    const stale = await correct({ merges: [{ speaker: 1, into: 0 }], version });
    expect(stale.status).toBe(409);
    expect(stale.json.message).toMatch(/corrected meanwhile.*version \d+ is current/);
    // Of two editors with the same version, one is refused.
    const both = await Promise.all([0, 1].map(() => correct({ utterances, version: version + 1 })));
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409]);
    const merged = await correct({ merges: [{ speaker: 1, into: 0 }] });
    expect(merged.status, merged.text).toBe(201);
    expect((await download("txt")).text).not.toContain("Anna");
    expect((await correct({ merges: [{ speaker: 1, into: 0 }] })).json.validation_errors[0]).toMatch(
      /^merges.speaker must be one of the speakers 0/,
    );
    for (const { id: correction, undone_at } of (await list()).items) {
      if (undone_at === null) await call(service, "DELETE", `/v2/transcription/${id}/corrections/${correction}`);
    }
    expect((await download("json")).json.transcription.corrected_utterances).toEqual([]);
  });

  test("of paragraphs divide and join utterances in every form, and words are checked", async () => {
    const recognised = (await download("json", "&corrected=false")).json.transcription.utterances;
    const { words } = recognised[0];
    const rows = async () => (await download("tsv")).text.trim().split("\n").slice(1);
    const before = await rows();
    const divided = await correct({ breaks: [{ index: 0, start: words[2].start }] });
    expect(divided.status, divided.text).toBe(201);
    expect(await rows()).toHaveLength(before.length + 1);
    expect((await download("json")).json.transcription.paragraph_starts).toEqual([1]);
    expect((await correct({ breaks: [{ index: 0, start: 0 }] })).json.validation_errors[0]).toMatch(
      /^breaks.start must/,
    );
    const joined = await correct({
      breaks: [{ index: 0, start: words[2].start, removed: true }],
      joins: [{ index: 1, into: 0 }],
      utterances: [{ index: 0, start: words[0].start, end: words[0].end, checked: true }],
    });
    expect(joined.status, joined.text).toBe(201);
    const now = (await download("json")).json.transcription;
    expect(now.utterances).toHaveLength(recognised.length - 1);
    expect(now.utterances[0].text).toBe(`${recognised[0].text.trim()} ${recognised[1].text.trim()}`);
    expect(now.utterances[0].words[0].confidence).toBe(1);
    expect((await correct({ joins: [{ index: 0, into: 2 }] })).json.validation_errors[0]).toMatch(/^joins.into must/);
    for (const { json } of [joined, divided]) {
      await call(service, "DELETE", `/v2/transcription/${id}/corrections/${json.id}`);
    }
    expect(await rows()).toEqual(before);
  });

  test("of cues are in srt and vtt and in the list of cues, and impossible ones are refused with the reason", async () => {
    const read = async (query = "") => (await call(service, "GET", `/v2/transcription/${id}/cues${query}`)).json;
    const { cues: before, limits } = await read();
    expect(limits).toMatchObject({ maximum_characters_per_row: 42, reading_speed: 17 });
    const [{ start, end, ...first }] = before;
    const range = { channel: 0, words_start: first.words_start, words_end: first.words_end };
    const changed = await correct({ cues: [{ ...range, start: 0.125, end: 1.375 }] });
    expect(changed.status, changed.text).toBe(201);
    const now = await read();
    expect(now.cues[0]).toMatchObject({
      ...first,
      start: 0.125,
      end: 1.375,
      edited: true,
      warnings: expect.anything(),
    });
    expect((await read("?corrected=false")).cues).toEqual(before);
    expect((await download("srt")).text).toContain("00:00:00,125 --> 00:00:01,375\n");
    expect((await download("vtt")).text).toContain("00:00:00.125 --> 00:00:01.375\n");
    expect((await download("json")).json.transcription.cue_edits).toHaveLength(1);
    // Another width changes the rows, not the cue.
    const narrow = (await read("?maximum_characters_per_row=8")).cues[0];
    expect(narrow).toMatchObject({ start: 0.125, end: 1.375 });
    expect(narrow.rows.join(" ")).toBe(now.cues[0].rows.join(" "));
    const refused = async (cue: object) => (await correct({ cues: [{ ...range, ...cue }] })).json.validation_errors;
    expect(await refused({ start: 2, end: 1 })).toEqual([
      `cues with words_start ${range.words_start} must have a start before its end`,
    ]);
    expect((await refused({ end: 100_000 }))[0]).toMatch(
      /^cues: start and end must be at most .* the recording; one is 100000$/,
    );
    expect((await refused({ channel: 4 }))[0]).toMatch(/^cues.channel must be one of the channels 0; it is 4$/);
    expect((await refused({ words_start: 9_000, words_end: 9_001 }))[0]).toMatch(/has no words between/);
    expect((await refused({ words_start: 9_000 }))[0]).toMatch(/must have a words_end/);
    expect((await refused({ automatic: true, start: 1 }))[0]).toMatch(/must have no start, end or rows/);
    const automatic = await correct({ cues: [{ ...range, automatic: true }] });
    expect((await read()).cues).toEqual(before);
    for (const { json } of [automatic, changed])
      await call(service, "DELETE", `/v2/transcription/${id}/corrections/${json.id}`);
    expect((await read()).cues).toEqual(before);
    expect([start, end]).toEqual([before[0].start, before[0].end]);
  });

  test("that name missing parts are refused, and the message lists the existing ones", async () => {
    expect((await correct({ utterances: [{ index: 3, text: "x" }] })).json.validation_errors).toEqual([
      "utterances.index must be below 3, the number of utterances; it is 3",
    ]);
    expect((await correct({})).json.validation_errors).toEqual([
      "merges, splits, utterances, joins, breaks, cues or speakers must name a change",
    ]);
    expect((await correct({ utterances: [{ index: 0 }] })).status).toBe(400);
    expect(
      (await correct({ speakers: [{ speaker: 0, name: "x" }] }, "00000000-0000-0000-0000-000000000000")).status,
    ).toBe(404);
  });
});

describe("search", () => {
  test("finds words as they were recognised, and as they were corrected", async () => {
    const found = await searched("hello", 1);
    expect(found.json.items[0].id).toBe(id);
    expect(found.json.items[0].passage).toMatch(/^hello from/i);
    expect((await searched('"from the"', 1)).json.items).toHaveLength(1);
    expect((await searched("hello -from", 0)).json.items).toEqual([]);
    expect((await searched("zebra", 0)).json.items).toEqual([]);
    const made = await correct({ utterances: [{ index: 0, text: "A zebra. 今天天气很好 un café, example.com" }] });
    expect((await searched("zebra", 1)).json.items[0].passage).toContain("zebra");
    expect((await searched("天气", 1)).json.items).toHaveLength(1);
    // Accents do not count, and words are found by their beginnings; the passage has its accents.
    for (const query of ["cafe", "CAFÉ", "caf", "exampl", "example.com"]) {
      const [item] = (await searched(query, 1)).json.items;
      expect(item.passage, query).toContain("café");
    }
    await call(service, "DELETE", `/v2/transcription/${id}/corrections/${made.json.id}`);
    expect((await searched("zebra", 0)).json.items).toEqual([]);
  });

  test("finds the name of a job, of its file and of its speakers; the list shows them, its title is used in exports", async () => {
    const rename = (name: unknown) => call(service, "PATCH", `/v2/transcription/${id}`, { body: { name } });
    // Every recording of this file has this file name.
    const found = async () =>
      (await call(service, "GET", "/v2/transcription?search=audio")).json.items.map((item: { id: string }) => item.id);
    await expect.poll(found).toContain(id);
    expect((await rename("  Council\nmeeting, part 2 ")).json).toEqual({
      id,
      name: "Council meeting, part 2",
      tags: [],
    });
    const made = await correct({ speakers: [{ speaker: 0, name: "Zoë Duguid" }] });
    const [item] = (await searched("council duguid hello", 1)).json.items;
    expect(item).toMatchObject({ id, name: "Council meeting, part 2", file: { filename: "audio.bin" } });
    expect(item.overview).toMatchObject({ languages: ["en"], speakers: [{ speaker: 0, name: "Zoë Duguid" }] });
    expect(item.overview.first_words).toMatch(/^hello from the/i);
    expect((await call(service, "GET", `/v2/transcription/${id}`)).json.name).toBe("Council meeting, part 2");
    expect((await download("md")).text).toMatch(/^# Council meeting, part 2\n/);
    for (const wrong of [{}, { name: 3 }, { name: "x".repeat(201) }]) {
      expect((await call(service, "PATCH", `/v2/transcription/${id}`, { body: wrong })).status).toBe(400);
    }
    expect((await rename("")).json.name).toBeNull();
    await call(service, "DELETE", `/v2/transcription/${id}/corrections/${made.json.id}`);
    expect((await searched("duguid", 0)).json.items).toEqual([]);
  });

  test("goes together with the other filters and with paging, and whatever is typed is no fault", async () => {
    await searched("hello", 1);
    const page = await call(service, "GET", "/v2/transcription?search=hello&status=done&kind=pre-recorded&limit=1");
    expect(page.json.items).toHaveLength(1);
    expect(page.json.first).toContain("search=hello");
    expect((await call(service, "GET", "/v2/transcription?search=hello&kind=live")).json.items).toEqual([]);
    for (const strange of ["'", '"', "&|!()", "\\", ":*", "a:b", "%00", "-", "or", "<->"]) {
      expect((await call(service, "GET", `/v2/transcription?search=${encodeURIComponent(strange)}`)).status).toBe(200);
    }
    expect((await call(service, "GET", `/v2/transcription?search=${"x".repeat(501)}`)).status).toBe(400);
  });

  test("a deleted job is found no more", async () => {
    const other = await submit(service, readFileSync(HELLO_MP3));
    await finished(service, other);
    await searched("hello", 2);
    await call(service, "DELETE", `/v2/transcription/${other}`);
    expect((await searched("hello", 1)).json.items).toHaveLength(1);
  });
});

describe("the service itself", () => {
  test("keys of an account are made, listed, used for corrections and revoked", async () => {
    const made = await call(service, "POST", "/v2/account/keys", { body: { name: "laptop" } });
    expect(made.status).toBe(201);
    const { key } = made.json;
    const signed = await call(service, "PATCH", `/v2/transcription/${id}/transcript`, {
      key,
      body: { speakers: [{ speaker: 0, name: "Ben" }] },
    });
    expect(signed.json.made_by).toBe("laptop");
    const audited = () =>
      service
        .log()
        .split("\n")
        .filter((line) => line.includes('"audit":true') && line.includes('"keyName":"laptop"'))
        .map((line) => JSON.parse(line));
    await expect
      .poll(audited)
      .toEqual([
        expect.objectContaining({ account: "default", method: "PATCH", path: `/v2/transcription/${id}/transcript` }),
      ]);
    expect(service.log()).not.toContain(key);
    const listed = (await call(service, "GET", "/v2/account/keys", { key })).json.items;
    expect(listed).toEqual([expect.objectContaining({ id: made.json.id, name: "laptop" })]);
    expect(JSON.stringify(listed)).not.toContain(key);
    expect((await call(service, "DELETE", `/v2/account/keys/${made.json.id}`)).status).toBe(202);
    await expect.poll(async () => (await call(service, "GET", "/v2/account", { key })).status).toBe(401);
    expect((await call(service, "DELETE", `/v2/account/keys/${made.json.id}`)).status).toBe(404);
  });

  test("lists the models in use and available; for a model that may not be fetched, names the remedy", async () => {
    const { json } = await call(service, "GET", "/v2/system");
    expect(json).toMatchObject({ model: "moonshine-base-en", is_operator: true, jobs: { queued: 0, processing: 0 } });
    const models = (await call(service, "GET", "/v2/models")).json.items;
    expect(models).toContainEqual(expect.objectContaining({ id: "moonshine-base-en", built_in: true }));
    expect(models).toContainEqual(
      expect.objectContaining({ id: "whisper-small", purpose: "recognition", installed: false }),
    );
    expect(models).toContainEqual(expect.objectContaining({ id: "pyannote-campplus", purpose: "speakers" }));
    expect(models).toContainEqual(
      expect.objectContaining({ id: "qwen2.5-1.5b-instruct", purpose: "language-model", installed: false }),
    );
    expect(models).toContainEqual(
      expect.objectContaining({ id: "translate-de-en", purpose: "translation", codes: ["de", "en"], bytes: null }),
    );
    for (const id of ["translate-de-en", "qwen2.5-1.5b-instruct"]) {
      const unfetched = await call(service, "POST", "/v2/models", { body: { id } });
      expect([unfetched.status, unfetched.json.message]).toEqual([422, expect.stringContaining(`models add ${id}`)]);
    }
    const refused = await call(service, "POST", "/v2/models", { body: { id: "whisper-tiny" } });
    expect(refused.status).toBe(422);
    expect(refused.json.message).toMatch(/npx --no-install parlance models add whisper-tiny/);
    expect((await call(service, "POST", "/v2/models", { body: { id: "nonsense" } })).status).toBe(404);
    expect((await call(service, "DELETE", "/v2/models/moonshine-base-en")).status).toBe(409);
  });

  test("finds a language model on this machine, uses it when requested, and only for the operator", async () => {
    const server = createServer((_, response) => {
      response.setHeader("content-type", "application/json").end(JSON.stringify({ data: [{ id: "small-model" }] }));
    });
    // Where Ollama listens; the port may be taken on a developer's machine, then by Ollama itself.
    const isFree = await new Promise<boolean>((resolve) => {
      server.once("error", () => resolve(false)).listen(11_434, "127.0.0.1", () => resolve(true));
    });
    if (!isFree) return;
    try {
      expect((server.address() as AddressInfo).port).toBe(11_434);
      const found = (await call(service, "GET", "/v2/system/language-models")).json.items;
      expect(found).toContainEqual({ name: "Ollama", url: "http://127.0.0.1:11434/v1", models: ["small-model"] });
      const other = { url: "http://169.254.169.254/v1", model: "small-model" };
      expect((await call(service, "PUT", "/v2/system/language-model", { body: other })).status).toBe(400);
      const choice = { url: "http://127.0.0.1:11434/v1", model: "small-model" };
      expect((await call(service, "PUT", "/v2/system/language-model", { body: choice })).json).toEqual(choice);
      expect((await call(service, "GET", "/v2/system")).json.language_model).toEqual(choice);
      expect((await call(service, "DELETE", "/v2/system/language-model")).status).toBe(202);
      expect((await call(service, "GET", "/v2/system")).json.language_model).toBeNull();
    } finally {
      server.close();
    }
  });
});
