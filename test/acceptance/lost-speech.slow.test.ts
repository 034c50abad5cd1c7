// Speech that a pass of a model or the voice activity detector would leave out: short answers, quiet voices, pauses, a second language.
// Needs the shared cases; the last test also needs the multilingual weights.
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { installModel } from "../../src/service/models/installer.ts";
import { ModelStore } from "../../src/service/models/store.ts";
import { createSession, LiveClient } from "../fixtures/live-client.ts";
import { hasWhisper, WHISPER_BASE } from "../fixtures/recordings.ts";
import { decodeChannels, decodeSpeech, encodePcm } from "../fixtures/speech.ts";
import { normalizedWords } from "../fixtures/word-error-rate.ts";
import { finished, type RunningService, ready, startService, submit } from "../service.ts";

const CASES = path.resolve("../shared/cases");

/** Whether a start of speech belongs to an utterance. */
const overlaps = ({ start, end }: { start: number; end: number }, time: number) => time > start - 0.5 && time < end;

describe.skipIf(!existsSync(CASES))("no speech is lost (needs ../shared/cases)", () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), "parlance-lost-speech-"));
  let service: RunningService;
  beforeAll(async () => {
    const store = new ModelStore(path.join(folder, "models"));
    if (hasWhisper) await installModel(WHISPER_BASE, store, { hub: { base: "" }, progress: () => undefined });
    service = await startService({ folder });
    await ready(service);
  });
  afterAll(async () => {
    await service.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  const wordsOf = async (file: string, params: object = {}) => {
    const { status, result } = await finished(
      service,
      await submit(service, readFileSync(path.join(CASES, file)), params),
    );
    expect(status).toBe("done");
    return normalizedWords(result.transcription.full_transcript);
  };

  // The recogniser reads the synthetic voice of the other answers as other words; they must not be empty.
  const RECOGNISED = ["yes", "agent", "no"];
  test.each(["yes", "help", "agent", "no"])("the answer %s, recorded and live", async (word) => {
    const file = `short-${word}-synthetic.flac`;
    const recorded = await wordsOf(file);
    if (RECOGNISED.includes(word)) expect(recorded).toEqual([word]);
    else expect(recorded).toHaveLength(1);
    const { url } = await createSession(service, { sample_rate: 16_000 });
    const client = await LiveClient.connect(url);
    client.send(encodePcm([await decodeSpeech(path.join(CASES, file))]));
    client.stop();
    await client.closed;
    expect(normalizedWords(client.text()).length).toBeGreaterThan(0);
  });

  test.each([
    ["two-voices-leak-between-channels.flac", /^it is of the first importance.*ugly ones$/, /country|fellow/],
    ["agent-echo-in-caller-channel.flac", /^drop the two when you add the figures$/, /importance/],
  ])("%s, live: the other channel starts no speech, and no word is lost", async (file, words, foreign) => {
    const { url } = await createSession(service, { sample_rate: 16_000, channels: 2, endpointing: 0.3 });
    const client = await LiveClient.connect(url);
    const pcm = encodePcm(await decodeChannels(path.join(CASES, file), 2));
    for (let at = 0; at < pcm.length; at += 6_400) client.send(pcm.subarray(at, at + 6_400));
    client.stop();
    await client.closed;
    const near = client.finals().filter(({ data }) => data.utterance.channel === 0);
    const text = normalizedWords(near.map(({ data }) => data.utterance.text).join(" ")).join(" ");
    expect(text).toMatch(words);
    expect(text).not.toMatch(foreign);
    // Every start of speech is that of an utterance with words of this person.
    const starts = client.of("speech_start").filter(({ data }) => data.channel === 0);
    expect(starts.map(({ data }) => near.some(({ data: { utterance } }) => overlaps(utterance, data.time)))).toEqual(
      starts.map(() => true),
    );
  });

  test("quiet voices, alone and behind a louder one", async () => {
    const quiet = await wordsOf("quiet-40dB.flac");
    // Nothing is lost. Whether the model reads "ask" or "as" depends on the rounding of the processor.
    expect(quiet.join(" ")).toMatch(/\bask? not what your country can do for you/);
    expect((await wordsOf("loud-then-quiet-voice.flac")).join(" ")).toContain("for although the chinese");
  });

  test.skipIf(!hasWhisper)("a sentence behind a pause, also in another language (needs ../shared/models)", async () => {
    const twice = await wordsOf("german-twice.flac", {
      model: "whisper-base",
      language_config: { languages: ["de"] },
    });
    const half = twice.length / 2;
    expect(twice.slice(half).filter((word) => twice.slice(0, half).includes(word)).length).toBeGreaterThan(half / 2);
    for (const languages of [[], ["de", "es"]]) {
      const both = await wordsOf("german-then-spanish.flac", { model: "whisper-base", language_config: { languages } });
      expect(both.join(" ")).toMatch(/las arenas/);
    }
  });
});
