// The language model of the store, end to end with random weights that the test writes itself: fetched when a request needs it, asked,
// lost and replaced, removed. What it writes means nothing; its form is right.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Hub, startHub } from "../fixtures/hub.ts";
import { ProviderServer } from "../fixtures/language-model.ts";
import { parlance, parlanceWith } from "../fixtures/parlance.ts";
import { childrenOf, processTree } from "../fixtures/processes.ts";
import { HELLO_MP3 } from "../fixtures/recordings.ts";
import { tinyLanguageModel, writeTinyLanguageModel } from "../fixtures/tiny-language-model.ts";
import { call, finished, type RunningService, ready, startService, submit, TEST_KEY } from "../service.ts";

const FILE = "tiny.gguf";
const MOST_TRIES = 5;
const SCHEMA = {
  type: "object",
  properties: {
    greeting: { type: ["string", "null"], maxLength: 10 },
    mood: { enum: ["good", "bad"] },
    count: { type: "integer", minimum: 0, maximum: 9 },
  },
  required: ["greeting", "mood", "count"],
};
const NEEDING = {
  audio_to_llm: true,
  audio_to_llm_config: { prompts: ["Who speaks?"] },
  structured_data_extraction: true,
  structured_data_extraction_config: { json_schema: SCHEMA },
};
const ONE_PROMPT = { audio_to_llm: true, audio_to_llm_config: { prompts: ["Who speaks?"] } };
const ask = (service: RunningService, id: string, question: string, signal?: AbortSignal) =>
  fetch(`${service.base}/v2/transcription/${id}/questions`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-service-key": TEST_KEY },
    body: JSON.stringify({ question }),
    ...(signal ? { signal } : {}),
  });
const submitted = async (service: RunningService, params: object) =>
  finished(service, await submit(service, readFileSync(HELLO_MP3), params));

describe("fetched when it is first needed", () => {
  let hub: Hub;
  let service: RunningService;
  beforeAll(async () => {
    hub = await startHub({ "someone/tiny": new Map([[FILE, tinyLanguageModel({ contextTokens: 1280 })]]) });
    service = await startService({
      environment: {
        PARLANCE_FETCH_MODELS: "true",
        PARLANCE_MODELS_URL: hub.url,
        PARLANCE_LANGUAGE_MODEL: `hf:someone/tiny:${FILE}`,
      },
    });
    await ready(service);
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
    expect(hub.fetched).toEqual([{ file: FILE, from: 0 }]);
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
      processTree(service.processId)
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
    const asked = ask(service, id, "Who speaks?", gone.signal).then((response) => response.text());
    setTimeout(() => gone.abort(), 50);
    await expect(asked).rejects.toThrow();
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
      ask(service, id, "Retell it.", gone.signal).then(
        async (response) => ({ status: response.status, text: await response.text() }),
        () => ({ status: 0, text: "" }),
      ),
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

  test("after its removal, the add-on names the command that adds it, and it is fetched again", async () => {
    await parlance(service.folder, "models", "remove", "tiny");
    hub.fault.status = 503;
    const { result, status } = await submitted(service, NEEDING);
    expect(status).toBe("done");
    expect(result.audio_to_llm.error).toMatchObject({
      status_code: 501,
      message: expect.stringMatching(
        /PARLANCE_LANGUAGE_MODEL is hf:someone\/tiny:tiny\.gguf, which is not installed\. Add it: .*parlance(\.js)? models add hf:someone\/tiny:tiny\.gguf.*PARLANCE_LLM_URL/,
      ),
    });
  });
});

describe("requests", () => {
  let service: RunningService;
  beforeAll(async () => {
    service = await startService({ environment: { PARLANCE_LANGUAGE_MODEL: "off" } });
    await ready(service);
  });
  afterAll(() => service.remove());

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

  test("off, the add-on names the setting", async () => {
    const { result } = await submitted(service, NEEDING);
    expect(result.audio_to_llm.error.message).toMatch(/PARLANCE_LANGUAGE_MODEL is off.*PARLANCE_LLM_URL/);
    const id = await submit(service, readFileSync(HELLO_MP3), {});
    await finished(service, id);
    const refused = await ask(service, id, "Who speaks?");
    expect(refused.status).toBe(501);
    expect(((await refused.json()) as { message: string }).message).toMatch(/PARLANCE_LANGUAGE_MODEL is off/);
  });
});

test("a client that closes its connection ends the request to the model and frees its place", async () => {
  const provider = await ProviderServer.start();
  provider.answer = ({ body }) =>
    /Wait/.test(JSON.stringify(body)) ? new Promise(() => undefined) : { content: "Hello [0]." };
  const service = await startService({ environment: { PARLANCE_LLM_URL: `${provider.base}/v1` } });
  try {
    await ready(service);
    const id = await submit(service, readFileSync(HELLO_MP3), {});
    await finished(service, id);
    const gone = new AbortController();
    const asked = Array.from({ length: 4 }, () => ask(service, id, "Wait.", gone.signal).catch(() => undefined));
    await expect.poll(() => provider.asked.length, { timeout: 30_000 }).toBe(4);
    gone.abort();
    await Promise.all(asked);
    await expect.poll(() => provider.abandoned, { timeout: 30_000 }).toBe(4);
    // All four places of the account are free again.
    expect(await (await ask(service, id, "Who?")).text()).toMatch(/event: done/);
  } finally {
    await service.remove();
    await provider.stop();
  }
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

  test.skipIf(process.platform !== "linux" || process.getuid?.() !== 0)(
    "on a disk that is too small, nothing is left of it",
    async () => {
      const small = path.join(folder, "small");
      execFileSync("mkdir", ["-p", small]);
      execFileSync("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", small]);
      try {
        const added = parlanceWith({ PARLANCE_MODELS_DIR: small }, "models", "add", path.join(folder, "other.gguf"));
        await expect(added).rejects.toThrow(/needs \d+ MB.*PARLANCE_MODELS_DIR/);
        expect(readdirSync(small).filter((name) => !name.startsWith("."))).toEqual([]);
      } finally {
        execFileSync("umount", [small]);
      }
    },
  );

  test("a truncated file, another format and an unknown architecture are refused with the reason", async () => {
    const truncated = writeTinyLanguageModel(path.join(folder, "truncated.gguf"));
    truncateSync(truncated, 50_000);
    await expect(add(truncated)).rejects.toThrow(/truncated: it has 50000 bytes of \d+\. Fetch it again/);
    truncateSync(truncated, 0);
    await expect(add(truncated)).rejects.toThrow(/truncated within its header/);
    await expect(
      add(writeTinyLanguageModel(path.join(folder, "odd.gguf"), { architecture: "unheard-of" })),
    ).rejects.toThrow(/odd\.gguf cannot be used: .*(unknown model architecture|cannot be loaded)/);
    await expect(add("no-such-model")).rejects.toThrow(/There is no model "no-such-model".*a GGUF file/);
  });
});
