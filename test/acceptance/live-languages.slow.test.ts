// Languages that change in a running session, with real weights; skipped where ../shared has none.
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { installModel } from "../../src/service/models/installer.ts";
import { ModelStore } from "../../src/service/models/store.ts";
import { ListenClient } from "../fixtures/listen-client.ts";
import { createSession, LiveClient } from "../fixtures/live-client.ts";
import { RealtimeClient } from "../fixtures/realtime-client.ts";
import { hasWhisper, references, silence, WHISPER_BASE } from "../fixtures/recordings.ts";
import { decodeSpeech, encodePcm } from "../fixtures/speech.ts";
import { isThorough } from "../fixtures/thorough.ts";
import { normalizedWords, wordErrors } from "../fixtures/word-error-rate.ts";
import { call, type RunningService, ready, startService, TEST_KEY } from "../service.ts";

const MODEL = "whisper-base";
const SAMPLE_RATE = 16_000;
/** Most of a recording's words that may be wrong with these small weights. */
const MOST_ERRORS = 0.5;
const ENGLISH = { endpointing: 0.3, language_config: { languages: ["en"] } };
const GERMAN = { language_config: { languages: ["de"] } };

interface Spoken {
  language: string;
  text: string;
  start: number;
  end: number;
  channel: number;
}

describe.skipIf(!hasWhisper)("languages of a running session (needs ../shared/models)", () => {
  let folder: string;
  let service: RunningService;
  const speech = new Map<string, Float32Array>();
  const spoken = new Map<string, string>();
  beforeAll(async () => {
    folder = mkdtempSync(path.join(os.tmpdir(), "parlance-live-languages-"));
    const store = new ModelStore(path.join(folder, "models"));
    await installModel(WHISPER_BASE, store, { hub: { base: "" }, progress: () => undefined });
    for (const { file, path: place, transcript = "" } of references()) {
      const code = /^speech-(en|de|fr)\.flac$/.exec(file)?.[1];
      if (!code) continue;
      speech.set(code, await decodeSpeech(place));
      spoken.set(code, transcript);
    }
    await start();
  }, 180_000);
  afterAll(async () => {
    await service.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  async function start() {
    service = await startService({ folder, environment: { PARLANCE_MULTILINGUAL_MODEL: MODEL } });
    await ready(service);
  }

  const of = (code: string) => speech.get(code) as Float32Array;
  const secondsOf = (code: string) => of(code).length / SAMPLE_RATE;
  const errorsIn = (code: string, text: string) => {
    const wanted = normalizedWords(spoken.get(code) ?? "");
    return wordErrors(wanted, normalizedWords(text)) / wanted.length;
  };
  const finalsOf = (...clients: LiveClient[]): Spoken[] => {
    const all = clients.flatMap((client) =>
      client.finals().map(({ data }): [string, Spoken] => [data.id, data.utterance]),
    );
    return [...new Map(all).values()];
  };
  const textIn = (finals: readonly Spoken[], language: string) =>
    finals.flatMap((final) => (final.language === language ? [final.text] : [])).join("");
  const configured = async (client: LiveClient, change: object) => {
    const count = client.of("configure").length;
    client.configure(change);
    await expect.poll(() => client.of("configure").length, { timeout: 30_000 }).toBe(count + 1);
    expect(client.of("configure").at(-1)).toMatchObject({ acknowledged: true, error: null });
    return client.of("configure").at(-1).data.time as number;
  };
  const ended = async (client: LiveClient) => {
    client.stop();
    await client.closed;
  };

  /** English, then German, in one session. @param between  at the change */
  async function both(between: (client: LiveClient, url: string) => Promise<LiveClient> = async (client) => client) {
    const { id, url } = await createSession(service, { ...ENGLISH, messages_config: { receive_turn_events: true } });
    const before = await LiveClient.connect(url);
    before.send(encodePcm([of("en")]));
    const at = await configured(before, GERMAN);
    const after = await between(before, url);
    const whole = Buffer.concat([encodePcm([of("en")]), encodePcm([of("de")])]);
    after.send(whole.subarray(Math.max(before.acknowledged, after.acknowledged)));
    await ended(after);
    const finals = finalsOf(...new Set([before, after]));
    return { at, finals, result: (await call(service, "GET", `/v2/live/${id}`)).json.result, clients: [before, after] };
  }

  /** The session of the first test, if that has run. */
  let undisturbed: Awaited<ReturnType<typeof both>> | undefined;

  test("audio before the change is recognised in the language before it, and audio after it in the next one", async () => {
    undisturbed = await both();
    const { at, finals, result } = undisturbed;
    expect(at).toBeCloseTo(secondsOf("en"), 2);
    expect([...new Set(finals.map(({ language }) => language))]).toEqual(["en", "de"]);
    // The change ended the running utterance without a silence.
    for (const { language, start, end } of finals) {
      if (language === "en") expect(end).toBeLessThanOrEqual(at);
      else expect(start).toBeGreaterThanOrEqual(at - 0.1);
    }
    for (const code of ["en", "de"]) expect(errorsIn(code, textIn(finals, code)), code).toBeLessThan(MOST_ERRORS);
    expect(result.transcription.languages).toEqual(["en", "de"]);
  });

  async function surviveKill(client: LiveClient, url: string): Promise<LiveClient> {
    const { port } = new URL(service.base);
    await service.kill();
    await client.closed;
    await start();
    return LiveClient.connect(url.replace(`:${port}/`, `:${new URL(service.base).port}/`));
  }

  test("a change survives a cut and a kill: the same finals", async () => {
    const expected = (undisturbed ?? (await both())).result.transcription;
    const cut = await both(async (client, url) => {
      await client.drop();
      return LiveClient.connect(url);
    });
    expect(cut.result.transcription.full_transcript).toBe(expected.full_transcript);
    const killed = await both(surviveKill);
    expect(killed.result.transcription.utterances).toEqual(expected.utterances);
  });

  if (isThorough) {
    test("a change survives a kill after a final in the next language: the same finals", async () => {
      const half = async (client: LiveClient) => {
        const german = encodePcm([of("de")]);
        client.send(german.subarray(0, Math.floor(german.length / 4) * 2));
        client.finalize();
        await client.message(
          ({ type, data }) => type === "transcript" && data.is_final && data.utterance.language === "de",
        );
        return client;
      };
      const divided = await both(half);
      const killed = await both(async (client, url) => surviveKill(await half(client), url));
      expect(killed.result.transcription.utterances).toEqual(divided.result.transcription.utterances);
    });
  }

  test("each channel has the change, speakers and translation stay, and the language may be detected again", async () => {
    const { id, url } = await createSession(service, {
      ...{ ...ENGLISH, channels: 2, diarization: true },
      realtime_processing: { translation: true, translation_config: { target_languages: ["en"] } },
    });
    const client = await LiveClient.connect(url);
    const quiet = (code: string) => silence(secondsOf(code));
    client.send(encodePcm([of("en"), quiet("en")]));
    const german = await configured(client, GERMAN);
    client.send(encodePcm([quiet("de"), of("de")]));
    client.send(encodePcm([of("de"), quiet("de")]));
    const any = await configured(client, { language_config: { languages: [] } });
    client.send(encodePcm([quiet("fr"), of("fr")]));
    await ended(client);
    const finals = finalsOf(client);
    const inside = (channel: number, from: number, until: number) =>
      new Set(
        finals
          .filter((final) => final.channel === channel && final.start >= from - 0.1 && final.end <= until + 0.1)
          .map(({ language }) => language),
      );
    expect([...inside(0, 0, german)]).toEqual(["en"]);
    expect([...inside(0, german, any)]).toEqual(["de"]);
    expect([...inside(1, german, any)]).toEqual(["de"]);
    expect([...inside(1, any, Number.POSITIVE_INFINITY)]).toEqual(["fr"]);
    const translated = client.of("translation").map(({ error, data }) => [error, data.original_language]);
    expect(translated).toContainEqual([null, "de"]);
    expect(translated).toContainEqual([null, "fr"]);
    const { result } = (await call(service, "GET", `/v2/live/${id}`)).json;
    const speakers = new Set(result.transcription.utterances.map(({ speaker }: { speaker?: number }) => speaker));
    expect(speakers).toEqual(new Set([0, 1]));
  });

  test("8 kHz: samples that the conversion of the rate holds back do not delay the end of the utterance", async () => {
    const { url } = await createSession(service, { ...ENGLISH, sample_rate: 8_000, endpointing: 5 });
    const client = await LiveClient.connect(url);
    const half = (code: string) => of(code).filter((_, at) => at % 2 === 0);
    client.send(encodePcm([half("en")]));
    await configured(client, GERMAN);
    // Nothing follows.
    await expect.poll(() => client.finals().length, { timeout: 30_000 }).toBeGreaterThan(0);
    expect(finalsOf(client).every(({ language }) => language === "en")).toBe(true);
    client.send(encodePcm([half("de")]));
    await ended(client);
    expect(finalsOf(client).at(-1)?.language).toBe("de");
  });

  test("OpenAI Realtime: session.update with another language", async () => {
    const client = await RealtimeClient.connect(service, { headers: { authorization: `Bearer ${TEST_KEY}` } });
    const format = { type: "audio/pcm", rate: SAMPLE_RATE };
    client.configure({ format, transcription: { language: "en" }, turn_detection: null });
    client.append(encodePcm([of("en")]));
    client.configure({ transcription: { language: "de" } });
    const [, updated] = await client.received("session.updated", 2);
    expect(updated.session.audio.input.transcription).toMatchObject({ language: "de" });
    client.commit();
    const [first] = await client.received("completed");
    client.append(encodePcm([of("de")]));
    client.commit();
    const [, second] = await client.received("completed", 2);
    expect(errorsIn("en", first.transcript)).toBeLessThan(MOST_ERRORS);
    expect(errorsIn("de", second.transcript)).toBeLessThan(MOST_ERRORS);
    expect(client.of("error")).toEqual([]);
    client.socket.close();
  });

  test("Flux: Configure with other language hints ends the turn", async () => {
    const query = `model=flux-general-multi&encoding=linear16&sample_rate=${SAMPLE_RATE}&language_hint=en`;
    const client = await ListenClient.connect(service, query, undefined, "/v2/listen");
    client.stream(encodePcm([of("en")]));
    client.send({ type: "Configure", language_hints: ["de"] });
    await expect.poll(() => client.of("ConfigureSuccess"), { timeout: 30_000 }).toHaveLength(1);
    expect(client.of("ConfigureSuccess")[0].language_hints).toEqual(["de"]);
    client.stream(encodePcm([of("de")]));
    await client.finish();
    const ends = client.of("TurnInfo").filter(({ event }) => event === "EndOfTurn");
    const textOf = (language: string) =>
      ends.flatMap(({ languages, transcript }) => (languages?.includes(language) ? [transcript] : [])).join(" ");
    expect(errorsIn("en", textOf("en"))).toBeLessThan(MOST_ERRORS);
    expect(errorsIn("de", textOf("de"))).toBeLessThan(MOST_ERRORS);
  });

  test("AssemblyAI: UpdateConfiguration with other language codes", async () => {
    const query = `speech_model=universal-streaming-multilingual&sample_rate=${SAMPLE_RATE}&language_codes=en&language_detection=true`;
    const client = await ListenClient.connect(service, query, { headers: { authorization: TEST_KEY } }, "/v3/ws");
    client.stream(encodePcm([of("en")]));
    client.send({ type: "UpdateConfiguration", language_codes: ["de"] });
    client.stream(encodePcm([of("de")]));
    client.send({ type: "Terminate" });
    await client.closed;
    const turns = client.of("Turn").filter(({ end_of_turn }) => end_of_turn);
    const textOf = (language: string) =>
      turns.flatMap(({ language_code, transcript }) => (language_code === language ? [transcript] : [])).join(" ");
    expect(errorsIn("en", textOf("en"))).toBeLessThan(MOST_ERRORS);
    expect(errorsIn("de", textOf("de"))).toBeLessThan(MOST_ERRORS);
    const warnings: string[] = client.of("Warning").map(({ warning }) => warning);
    expect(warnings.filter((warning) => !warning.startsWith("turn_detection has no effect"))).toEqual([]);
  });
});
