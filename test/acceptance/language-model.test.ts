// The language model of the store, end to end with random weights that the test writes itself: fetched when a request needs it, asked,
// lost and replaced. What it writes means nothing; its form is right. language-model.slow.test.ts: removed, turned off,
// abandoned by a client, files that are refused.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Hub } from "../fixtures/hub.ts";
import {
  ask,
  NEEDING,
  ONE_PROMPT,
  startFetching,
  startTinyModelHub,
  submitted,
  TINY_MODEL_FILE,
} from "../fixtures/language-model-requests.ts";
import { parlance, parlanceWith } from "../fixtures/parlance.ts";
import { childrenOf, processTree } from "../fixtures/processes.ts";
import { HELLO_MP3 } from "../fixtures/recordings.ts";
import { writeTinyLanguageModel } from "../fixtures/tiny-language-model.ts";
import { call, finished, processIdsOf, type RunningService, submit } from "../service.ts";

const MOST_TRIES = 5;

describe("fetched when it is first needed", () => {
  let hub: Hub;
  let service: RunningService;
  beforeAll(async () => {
    hub = await startTinyModelHub();
    service = await startFetching(hub);
  });
  afterAll(async () => {
    await service.remove();
    await hub.close();
  });

  test("a summary is made by rules and fetches nothing", async () => {
    const { result } = await submitted(service, { summarization: true, chapterization: true });
    expect(result.summarization).toMatchObject({ success: true, results: expect.stringMatching(/Hello/) });
    expect(result.chapterization.success).toBe(true);
    expect(hub.fetched).toEqual([]);
  });

  test("prompts and extraction fetch it once; answers have the requested form", async () => {
    let { result } = await submitted(service, NEEDING);
    expect(hub.fetched).toEqual([{ file: TINY_MODEL_FILE, from: 0 }]);
    // With random weights an answer may be cut before its JSON is whole, which is an error of the add-on.
    for (let tries = 0; result.structured_data_extraction.results === null && tries < MOST_TRIES; tries++) {
      expect(result.structured_data_extraction.error.message).not.toBe("");
      ({ result } = await submitted(service, NEEDING));
    }
    const prompts = result.audio_to_llm.results.map(({ results }: { results: { prompt: string } }) => results.prompt);
    expect(prompts).toEqual(NEEDING.audio_to_llm_config.prompts);
    const { data } = result.structured_data_extraction.results;
    expect(Object.keys(data)).toEqual(["greeting", "mood", "count"]);
    expect(["good", "bad"]).toContain(data.mood);
    expect(data.count).toBeGreaterThanOrEqual(0);
    expect(data.count).toBeLessThanOrEqual(9);
    expect(await parlance(service.folder, "models", "verify", "tiny")).toMatch(/unchanged since the installation/);
    expect(await parlanceWith({ PARLANCE_DATA_DIR: service.folder }, "models", "list")).toMatch(
      /tiny +its authors name them +0 MB.* language model/,
    );
  });

  test.skipIf(process.platform !== "linux")("a process that is lost meanwhile costs its answer alone", async () => {
    const id = await submit(service, readFileSync(HELLO_MP3), ONE_PROMPT);
    const job = async () => (await call(service, "GET", `/v2/transcription/${id}`)).json;
    const own = () =>
      processIdsOf(service)
        .flatMap(processTree)
        .flatMap(childrenOf)
        .find(({ name }) => name === "language-model");
    for (let { status, progress } = await job(); status !== "done"; { status, progress } = await job()) {
      const child = progress?.stage === "assemble" ? own() : undefined;
      if (child) {
        process.kill(child.id, "SIGKILL");
        break;
      }
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    const { result, status } = await finished(service, id);
    expect(status).toBe("done");
    expect(result.transcription.full_transcript).toMatch(/^Hello/);
    expect(result.audio_to_llm).toHaveProperty("success");
  });

  test("a question about a transcript is answered as a stream, with moments", async () => {
    const id = await submit(service, readFileSync(HELLO_MP3), {});
    await finished(service, id);
    const response = await ask(service, id, "Who speaks?");
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toMatch(/^text\/event-stream/);
    const values = (await response.text()).split("\n").flatMap((line) => {
      const data = /^data: (.*)$/.exec(line)?.[1];
      return data === undefined ? [] : [JSON.parse(data)];
    });
    const last = values.at(-1);
    expect(last).toMatchObject({ type: "done", citations: expect.any(Array), unverified: expect.any(Array) });
    const pieces = values.filter(({ type }) => type === "text").map(({ text }) => text);
    expect(pieces.join("").trim()).toBe(last.answer);
    expect(pieces.length).toBeGreaterThan(1);
    for (const { index, start, end } of last.citations) {
      expect(index).toBe(0);
      expect(start).toBeLessThan(end);
    }
  });

  test("after a client has closed its connection, the next question is answered", async () => {
    const id = await submit(service, readFileSync(HELLO_MP3), {});
    await finished(service, id);
    const gone = new AbortController();
    // The model of random weights may end an answer after a few tokens: closed at the first of them, not after a time.
    const answer = await ask(service, id, "Who speaks?", gone.signal);
    gone.abort();
    await expect(answer.text()).rejects.toThrow();
    expect(await (await ask(service, id, "And now?")).text()).toMatch(/event: done/);
  });

  test("bad questions are refused with what is allowed", async () => {
    const id = await submit(service, readFileSync(HELLO_MP3), {});
    await finished(service, id);
    expect((await ask(service, id, " ")).status).toBe(400);
    expect((await ask(service, id, "x".repeat(2_001))).status).toBe(400);
    expect((await ask(service, "00000000-0000-4000-8000-000000000000", "Who?")).status).toBe(404);
  });

  test("a prompt that does not fit the context fails alone, with its size", async () => {
    const prompts = ["Who speaks?", "Explain every word. ".repeat(490)];
    const { result, status } = await submitted(service, { audio_to_llm: true, audio_to_llm_config: { prompts } });
    expect(status).toBe("done");
    expect(result.transcription.full_transcript).toMatch(/^Hello/);
    const [first, second] = result.audio_to_llm.results;
    expect(first).toMatchObject({ success: true });
    expect(second.error.message).toMatch(/The prompt has \d+ tokens.*room for 1280.*Shorten the prompt/);
  });

  test("a prompt or a question of a megabyte is refused with what is allowed", async () => {
    const long = "x".repeat(1_000_000);
    const body = { audio_url: "http://127.0.0.1/a.wav", audio_to_llm: true, audio_to_llm_config: { prompts: [long] } };
    const prompt = await call(service, "POST", "/v2/pre-recorded", { body });
    expect([prompt.status, prompt.text]).toEqual([400, expect.stringMatching(/audio_to_llm_config.*10000/)]);
    const id = await submit(service, readFileSync(HELLO_MP3), {});
    await finished(service, id);
    const question = await ask(service, id, long);
    expect([question.status, await question.text()]).toEqual([400, expect.stringMatching(/question.*2000/)]);
  });

  test("questions beyond the queue are refused; those whose clients leave make room", async () => {
    const id = await submit(service, readFileSync(HELLO_MP3), {});
    await finished(service, id);
    const gone = new AbortController();
    // Four are answered at once for one account, and 16 wait.
    const asked = Array.from({ length: 40 }, () =>
      ask(service, id, "Retell it.", gone.signal)
        .then(async (response) => ({ status: response.status, text: await response.text() }))
        .catch(() => ({ status: 0, text: "" })),
    );
    const refused = await Promise.any(
      asked.map(async (one) => {
        const { status, text } = await one;
        if (status !== 503) throw new Error(text);
        return text;
      }),
    );
    expect(refused).toMatch(/Too many questions wait for an answer \(at most 16 of one account, 64 of all\)/);
    gone.abort();
    await Promise.all(asked);
    expect(await (await ask(service, id, "And now?")).text()).toMatch(/event: done/);
  });

  test("a schema that cannot be satisfied or used is refused with its place", async () => {
    for (const [json_schema, message] of [
      [
        { type: "array", items: { type: "string" }, minItems: 2, maxItems: 1 },
        /json_schema cannot be used: .*contradict/,
      ],
      [
        { type: "object", properties: { a: { type: "string", pattern: "x" } } },
        /properties\.a\.pattern is not supported/,
      ],
    ] as const) {
      const body = {
        audio_url: "http://127.0.0.1/a.wav",
        structured_data_extraction: true,
        structured_data_extraction_config: { json_schema },
      };
      const { status, text } = await call(service, "POST", "/v2/pre-recorded", { body });
      expect(status).toBe(400);
      expect(text).toMatch(message);
    }
  });
});

describe("models add FILE.gguf", () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), "parlance-gguf-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const add = (file: string) => parlance(path.join(folder, "data"), "models", "add", file);

  test("a file of this machine is installed beside other files", async () => {
    const file = writeTinyLanguageModel(path.join(folder, "My Model.gguf"));
    writeTinyLanguageModel(path.join(folder, "other.gguf"), { seed: 3 });
    expect(await add(file)).toMatch(/my-model \(0 MB\) is installed/);
    expect(await parlance(path.join(folder, "data"), "models", "list")).toMatch(/my-model .* mit +language model/);
  });
});
