// What one account does costs another one nothing: long recordings, hosts that trickle, language models that hang, and
// processes that hang with its work.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { MEMBERS } from "../fixtures/fleet-servers.ts";
import { ProviderServer } from "../fixtures/language-model.ts";
import { isFleet } from "../fixtures/layout.ts";
import { createSession, LiveClient } from "../fixtures/live-client.ts";
import { longSilence } from "../fixtures/long-recordings.ts";
import { signalChildren } from "../fixtures/processes.ts";
import { Receiver } from "../fixtures/receiver.ts";
import { HELLO_MP3, silence, wav } from "../fixtures/recordings.ts";
import { decodeSpeech } from "../fixtures/speech.ts";
import { Tenant } from "../fixtures/tenant.ts";
import { TrickleServer } from "../fixtures/trickle.ts";
import { processIdsOf, type RunningService, ready, startService } from "../service.ts";

const HELLO = readFileSync(HELLO_MP3);
/** The message comes first where they differ. */
const DONE = { error_message: null, status: "done" };
const isOpen = ({ completed_at }: { completed_at: string | null }) => completed_at === null;

/** Of two seconds and a half of speech: some eight minutes. */
const REPETITIONS = 200;
/** In a prompt: the language model does not answer. */
const STUCK = "No answer comes to this.";
/** Addresses fetched at once for one account. */
const FETCHES = 4;
/** As few places as there can be. */
const NARROW = { PARLANCE_WORKERS: "1", PARLANCE_CONCURRENT_JOBS: "2" };

let service: RunningService;
let busy: Tenant;
let other: Tenant;

async function start(environment: Record<string, string>): Promise<void> {
  service = await startService({ environment: { ...NARROW, ...environment } });
  await ready(service);
  busy = await Tenant.create(service, "busy");
  other = await Tenant.create(service, "other");
}

describe("long recordings", () => {
  beforeAll(() => start({ PARLANCE_CONCURRENT_JOBS: "8" }));
  afterAll(() => service.remove());

  test("while those of one account are decoded, another one's upload and job are served, and so is its own upload", async () => {
    const address = await busy.upload(longSilence(10_800));
    const jobs = await Promise.all(Array.from({ length: 4 }, () => busy.transcribe(address)));
    await busy.until(jobs[0] as string, ({ status }) => status === "processing");
    const id = await other.transcribe(await other.upload(wav([silence(10)])));
    expect(await other.until(id)).toMatchObject(DONE);
    const own = await busy.transcribe(await busy.upload(HELLO));
    expect(await busy.until(own)).toMatchObject(DONE);
    const left = await Promise.all(jobs.map((job) => busy.job(job)));
    expect(left.every(isOpen)).toBe(true);
    await busy.cancel(jobs);
  });

  test("those that are recognised do not hold up another account's short one", { timeout: 400_000 }, async () => {
    const speech = await decodeSpeech();
    const long = new Float32Array(speech.length * REPETITIONS);
    for (let at = 0; at < REPETITIONS; at++) long.set(speech, at * speech.length);
    const address = await busy.upload(wav([long]));
    const jobs = await Promise.all(Array.from({ length: 6 }, () => busy.transcribe(address)));
    for (const job of jobs.slice(0, 2)) await busy.until(job, ({ progress }) => progress?.stage === "recognize");
    const short = await other.upload(HELLO);
    const before = await Promise.all(jobs.map((job) => busy.job(job)));
    const id = await other.transcribe(short);
    expect(await other.until(id)).toMatchObject(DONE);
    // On a busy machine, others may be about to end when the short one is created.
    const isFarFromEnd = (at: number) => (before[at]?.progress?.share ?? 1) < 0.5;
    const left = await Promise.all(jobs.filter((_, at) => isFarFromEnd(at)).map((job) => busy.job(job)));
    expect(left.filter((job) => !isOpen(job))).toEqual([]);
    await busy.cancel(jobs);
  });

  test("an upload whose client leaves is given up, and its file is removed", async () => {
    const folder = path.join(service.folder, "objects", "audio");
    const files = () => (existsSync(folder) ? readdirSync(folder).length : 0);
    const before = files();
    const request = http.request(new URL("/v2/upload", service.base), {
      method: "POST",
      headers: { "x-service-key": busy.key, "content-type": "multipart/form-data; boundary=edge" },
    });
    request.on("error", () => undefined);
    request.write('--edge\r\ncontent-disposition: form-data; name="audio"; filename="audio.bin"\r\n\r\n');
    // The client never sends the rest.
    request.write(longSilence(20_000, 192_000, 2));
    await expect.poll(files).toBe(before + 1);
    request.destroy();
    await expect.poll(files).toBe(before);
  });
});

describe("hosts that trickle", () => {
  let trickle: TrickleServer;
  let host: http.Server;
  beforeAll(async () => {
    trickle = await TrickleServer.start();
    host = http.createServer((_, response) => response.end(HELLO));
    await new Promise<void>((resolve) => host.listen(0, "127.0.0.1", resolve));
    await start({ PARLANCE_ACCOUNT_CONCURRENT_FETCHES: String(FETCHES), PARLANCE_CONCURRENT_FETCHES: "8" });
  });
  afterAll(async () => {
    await service.remove();
    await trickle.stop();
    host.close();
  });
  const good = () => `http://127.0.0.1:${(host.address() as AddressInfo).port}/hello.mp3`;

  test("they take no job's place, not all fetches, and are given up", { timeout: 240_000 }, async () => {
    const stuck = await Promise.all(Array.from({ length: 16 }, () => busy.transcribe(trickle.url)));
    await busy.until(stuck[0] as string, ({ status }) => status === "processing");
    const byAddress = Array.from({ length: 6 }, () => busy.call("POST", "/v2/upload", { audio_url: trickle.url }));
    const uploaded = await busy.transcribe(await busy.upload(HELLO));
    const fetched = await other.transcribe(good());
    const fetchedUpload = await other.call("POST", "/v2/upload", { audio_url: good() });
    expect(fetchedUpload.status).toBe(200);
    const sent = await other.transcribe(fetchedUpload.json.audio_url);
    for (const [tenant, id] of [
      [busy, uploaded],
      [other, fetched],
      [other, sent],
    ] as const) {
      expect(await tenant.until(id)).toMatchObject(DONE);
    }
    const left = await Promise.all(stuck.map((id) => busy.job(id)));
    expect(left.every(isOpen)).toBe(true);
    // For the jobs of the account together, and for its uploads in each process that answers requests.
    const answering = isFleet() ? MEMBERS.filter(({ role }) => role === "api").length : 1;
    expect(trickle.requests).toBeLessThanOrEqual(FETCHES * (1 + answering));
    const first = await busy.until(stuck[0] as string);
    expect(first).toMatchObject({ status: "error", error_code: 424 });
    expect(first.error_message).toMatch(/its host sent \d+ bytes in \d+ s; at least 4000 bytes a second/);
    for (const { status, json } of await Promise.all(byAddress.slice(0, 1))) {
      expect(status).toBe(424);
      expect(json.message).toMatch(/its host sent/);
    }
    await busy.cancel(stuck);
    await Promise.all(byAddress);
  });
});

describe("receivers of callbacks that never answer", () => {
  const hanging: http.Server[] = [];
  let receiver: Receiver;
  beforeAll(async () => {
    receiver = await Receiver.start();
    // A few requests at once go to each host: twelve hosts would take every place.
    for (let count = 0; count < 24; count++) {
      const server = http.createServer(() => undefined);
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      hanging.push(server);
    }
    await start({ PARLANCE_CALLBACK_TIMEOUT_SECONDS: "120" });
  });
  afterAll(async () => {
    await service.remove();
    await receiver.stop();
    for (const server of hanging) {
      server.closeAllConnections();
      server.close();
    }
  });

  test("hundreds of them do not keep another account's callback from going out", async () => {
    const address = await busy.upload(wav([silence(0.2)]));
    const jobs: string[] = [];
    for (const server of hanging) {
      const callback_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
      for (let count = 0; count < 4; count++) jobs.push(await busy.transcribe(address, { callback_url }));
    }
    for (const id of jobs) await busy.until(id);
    const id = await other.transcribe(await other.upload(HELLO), { callback_url: receiver.url });
    await receiver.until(() => receiver.of(id).length > 0);
  });
});

describe("a language model that hangs", () => {
  let provider: ProviderServer;
  let release: () => void;
  beforeEach(async () => {
    provider = await ProviderServer.start();
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    provider.answer = async ({ body }) => {
      const prompt = JSON.stringify(body.messages);
      if (prompt.includes(STUCK)) await released;
      const isTranslation = prompt.includes("Translate each text");
      return { content: isTranslation ? JSON.stringify({ translations: ["Bonjour"] }) : "An answer." };
    };
    await start({
      PARLANCE_LLM_URL: `${provider.base}/v1`,
      PARLANCE_LLM_TIMEOUT_SECONDS: "900",
      PARLANCE_LLM_CONCURRENCY: "8",
    });
  });
  afterEach(async () => {
    release();
    await service.remove();
    await provider.stop();
  });
  const asking = (prompt: string) => ({ audio_to_llm: true, audio_to_llm_config: { prompts: [prompt] } });

  test("it holds up the jobs that wait for it, and no others", async () => {
    const address = await busy.upload(HELLO);
    const stuck = await Promise.all(Array.from({ length: 12 }, () => busy.transcribe(address, asking(STUCK))));
    await expect.poll(() => provider.asked.length, { timeout: 60_000 }).toBe(4);
    const plain = await busy.transcribe(address);
    const others = await other.upload(HELLO);
    const answered = await Promise.all(Array.from({ length: 3 }, () => other.transcribe(others, asking("quick"))));
    for (const id of answered) {
      expect((await other.until(id)).result.audio_to_llm.results[0].results.response).toBe("An answer.");
    }
    expect(await busy.until(plain)).toMatchObject(DONE);
    expect((await Promise.all(stuck.map((id) => busy.job(id)))).every(isOpen)).toBe(true);
    // Cancelling one that waits ends nothing else.
    await busy.cancel(stuck.slice(0, 1));
    release();
    for (const id of stuck.slice(1)) {
      const { result } = await busy.until(id);
      expect(result.audio_to_llm.results[0].results.response).toBe("An answer.");
    }
  });

  test.skipIf(process.platform !== "linux")(
    "its process is killed meanwhile: every job has its add-ons all the same",
    async () => {
      const address = await busy.upload(HELLO);
      const stuck = await Promise.all(Array.from({ length: 3 }, () => busy.transcribe(address, asking(STUCK))));
      await expect.poll(() => provider.asked.length, { timeout: 60_000 }).toBe(3);
      signalChildren(processIdsOf(service), "intelligence", "SIGKILL");
      await expect.poll(() => provider.asked.length, { timeout: 60_000 }).toBe(6);
      release();
      for (const id of stuck) {
        const { result } = await busy.until(id);
        expect(result.audio_to_llm.results[0].results.response).toBe("An answer.");
      }
    },
  );

  test("live: it holds up the add-ons of its session, and not those of another one", async () => {
    const speech = await decodeSpeech();
    const bytes = Buffer.alloc(speech.length * 2 + 64_000);
    for (const [at, value] of speech.entries()) bytes.writeInt16LE(Math.round(value * 32_767), at * 2);
    const speak = async (tenant: Tenant, context: string) => {
      const translation_config = { target_languages: ["fr"], context_adaptation: true, context };
      const realtime_processing = { translation: true, translation_config };
      const { url } = await createSession(service, { realtime_processing }, tenant.key);
      const client = await LiveClient.connect(url);
      client.send(bytes);
      await client.message(({ type, data }) => type === "transcript" && data.is_final);
      return client;
    };
    const stuck = await Promise.all([speak(busy, STUCK), speak(busy, STUCK), speak(busy, STUCK)]);
    await expect.poll(() => provider.asked.length, { timeout: 60_000 }).toBeGreaterThanOrEqual(3);
    const client = await speak(other, "quick");
    const { data } = await client.message(({ type }) => type === "translation");
    expect(data.translated_utterance.text).toBe(" Bonjour");
    for (const one of stuck) expect(one.of("translation")).toEqual([]);
    release();
    for (const one of stuck) await one.message(({ type }) => type === "translation");
    for (const one of [...stuck, client]) one.stop();
    await Promise.all([...stuck, client].map(({ closed }) => closed));
  });
});

describe.skipIf(process.platform !== "linux")("a process that stops answering", () => {
  beforeAll(() => start({}));
  afterAll(() => service.remove());

  test("the result process is replaced, and the jobs in it have their results", { timeout: 240_000 }, async () => {
    const address = await busy.upload(HELLO);
    const warm = await busy.transcribe(address);
    await busy.until(warm);
    signalChildren(processIdsOf(service), "intelligence", "SIGSTOP");
    const params = { sentiment_analysis: true };
    const [one, two] = [
      await busy.transcribe(address, params),
      await other.transcribe(await other.upload(HELLO), params),
    ];
    expect((await busy.until(one)).result.sentiment_analysis.success).toBe(true);
    expect((await other.until(two)).result.sentiment_analysis.success).toBe(true);
  });

  test("a stopped decoder is noticed long before a tenth of the longest recording", { timeout: 240_000 }, async () => {
    signalChildren(processIdsOf(service), "decode", "SIGSTOP");
    const id = await other.transcribe(await other.upload(HELLO));
    expect(await other.until(id)).toMatchObject(DONE);
  });
});
