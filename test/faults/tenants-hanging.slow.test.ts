// What one account does costs another one nothing: receivers of callbacks and language models that hang, and processes that hang with
// its work.
import { readFileSync } from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { ProviderServer } from "../fixtures/language-model.ts";
import { createSession, LiveClient } from "../fixtures/live-client.ts";
import { signalChildren } from "../fixtures/processes.ts";
import { Receiver } from "../fixtures/receiver.ts";
import { HELLO_MP3, silence, wav } from "../fixtures/recordings.ts";
import { decodeSpeech } from "../fixtures/speech.ts";
import type { Tenant } from "../fixtures/tenant.ts";
import { DONE, startWithTenants } from "../fixtures/two-tenants.ts";
import { processIdsOf, type RunningService } from "../service.ts";

const HELLO = readFileSync(HELLO_MP3);
const isOpen = ({ completed_at }: { completed_at: string | null }) => completed_at === null;
/** In a prompt: the language model does not answer. */
const STUCK = "No answer comes to this.";

let service: RunningService;
let busy: Tenant;
let other: Tenant;

const start = async (environment: Record<string, string>) => {
  ({ service, busy, other } = await startWithTenants(environment));
};

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
