// Every live interface beside the service's own, in a service that is killed or stopped in the middle of a session: its audio so far is a
// finished job, and the next session works at once. Sessions of these interfaces end with their connection; clients open a new one.
import { existsSync, statSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { begunSession, transcriptOf } from "../fixtures/begun-session.ts";
import { freePort } from "../fixtures/free-port.ts";
import { silence } from "../fixtures/recordings.ts";
import { decodeSpeech, inSequence, repeated } from "../fixtures/speech.ts";
import { type Ending, type Place, type Speaker, WIRES, type Wire } from "../fixtures/spoken-wires.ts";
import { call, newDataFolder, type RunningService, ready, startService } from "../service.ts";

// biome-ignore lint/suspicious/noExplicitAny: tests look into results of every shape
type AnyJson = any;

const SENTENCE = /hello from the/gi;
const SAMPLE_RATE = 16_000;
const SAMPLE_BYTES = 2;
/** What a kill may lose, and what a change of the sampling rate rounds off. */
const UNSTORED_SECONDS = 0.15;
const TEST_MILLISECONDS = 600_000;
const POLL = { timeout: 120_000 };
const KEEPING_MILLISECONDS = 1_000;
const RESTARTS: Readonly<Record<string, Ending>> = {
  "/v3/ws": { code: 1013 },
  Wyoming: { error: "live.wyoming_interrupted" },
};

let folder: string;
let environment: Record<string, string>;
let service: RunningService;
let place: Place;
let sentence: Float32Array;

async function start(): Promise<void> {
  service = await startService({ folder, environment });
  await ready(service);
  place = { service, wyomingPort: Number(environment["PARLANCE_WYOMING_PORT"]) };
}

beforeAll(async () => {
  folder = await newDataFolder();
  environment = { PARLANCE_PORT: String(await freePort()), PARLANCE_WYOMING_PORT: String(await freePort()) };
  sentence = await decodeSpeech();
  await start();
});
afterAll(() => service.remove());

const sessions = async (): Promise<AnyJson[]> => (await call(service, "GET", "/v2/live?limit=100")).json.items;

/** @returns the speaker, and the id of the session that its audio began */
async function begun(wire: Wire, samples: Float32Array): Promise<{ speaker: Speaker; id: string }> {
  const { client: speaker, id } = await begunSession(service, async () => {
    const opened = await wire.open(place);
    opened.say(samples);
    return opened;
  });
  return { speaker, id };
}

/** Waits until audio is on disk: clients of these interfaces receive no acknowledgment of it. */
async function stored(id: string, { sampleRate }: Wire, samples: number): Promise<void> {
  const file = path.join(folder, "objects", "live", id, "audio.raw");
  const seconds = () => (existsSync(file) ? statSync(file).size / sampleRate / SAMPLE_BYTES : 0);
  await expect.poll(seconds, POLL).toBeGreaterThan(samples / SAMPLE_RATE - UNSTORED_SECONDS);
}

const sentencesOf = async (id: string) => (await transcriptOf(service, id)).match(SENTENCE)?.length ?? 0;
const expectNoneProcessing = async () =>
  expect((await sessions()).map(({ status }) => status)).not.toContain("processing");

test.each(WIRES.map((wire) => [wire.name, wire] as const))(
  "a kill in the middle of a session of %s",
  { timeout: TEST_MILLISECONDS },
  async (_, wire) => {
    const twice = repeated(sentence, 2, 1);
    // Too short a pause to end an utterance: the third sentence has no final.
    const third = inSequence(sentence, silence(0.2));
    const { speaker, id } = await begun(wire, twice);
    await stored(id, wire, twice.length);
    speaker.say(third);
    await stored(id, wire, twice.length + third.length);
    await service.kill();
    await speaker.closed;
    const shown = speaker.finals();
    await start();
    // At once, while the audio of the earlier session is still being recognised.
    const next = await begun(wire, sentence);
    await stored(next.id, wire, sentence.length);
    next.speaker.leave();
    expect(await sentencesOf(id)).toBe(3);
    const transcript = (await transcriptOf(service, id)).toLowerCase();
    for (const final of shown) expect(transcript).toContain(final.toLowerCase());
    expect(await sentencesOf(next.id)).toBe(1);
    await expectNoneProcessing();
  },
);

test("a stop in the middle of sessions: each interface closes with its own reason", {
  timeout: TEST_MILLISECONDS,
}, async () => {
  const running: { wire: Wire; speaker: Speaker; id: string }[] = [];
  // A session without audio would end.
  const timer = setInterval(() => {
    for (const { speaker } of running) speaker.say(silence(0.1));
  }, KEEPING_MILLISECONDS);
  for (const wire of WIRES) running.push({ wire, ...(await begun(wire, sentence)) });
  for (const { wire, id } of running) await stored(id, wire, sentence.length);
  clearInterval(timer);
  expect(await service.stop()).toBe(0);
  for (const { wire, speaker } of running) {
    expect(await speaker.closed, wire.name).toMatchObject(RESTARTS[wire.name] ?? { code: 1012 });
  }
  await start();
  for (const { wire, id } of running) expect(await sentencesOf(id), wire.name).toBe(1);
  await expectNoneProcessing();
});
