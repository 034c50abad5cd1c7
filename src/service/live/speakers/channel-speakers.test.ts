// One channel: words never wait, networks that fail are retried and then given up, and another process continues.
import { expect, test } from "vitest";
import type { Utterance } from "../../../contract/transcript/transcript.ts";
import { errors, type ParlanceError } from "../../../platform/errors.ts";
import { SAMPLE_RATE } from "../../../speech/audio/sample-rate.ts";
import type { LiveNetworks } from "../../../speech/speakers/live-diarizer.ts";
import type { LiveRevisions } from "../../../speech/speakers/live-words.ts";
import { WINDOW_FRAMES } from "../../../speech/speakers/speaker-networks.ts";
import type { ChannelSpeakersState } from "../channel/channel-contract.ts";
import { ChannelSpeakers } from "./channel-speakers.ts";

const ONE_SPEAKER = 0b001001;
const talking: LiveNetworks = {
  segment: async () => new Uint8Array(WINDOW_FRAMES).fill(ONE_SPEAKER),
  voices: async (stretches) => ({
    dimensions: 2,
    voices: Float32Array.from(stretches.flatMap(() => [1, 0])),
  }),
};

function channel(
  networks: LiveNetworks,
  start: { startSample: number; state?: ChannelSpeakersState } = { startSample: 0 },
) {
  let next = start.state?.nextNumber ?? 0;
  const revisions: LiveRevisions[] = [];
  const failures: ParlanceError[] = [];
  const speakers = new ChannelSpeakers(
    {
      networks,
      bounds: { minimum: 1, maximum: 30 },
      nextNumber: () => next++,
      isReady: () => true,
      mayHaveSpeech: () => true,
      onRevised: (one) => revisions.push(one),
      onFailed: (error) => failures.push(error),
    },
    start,
  );
  return { speakers, revisions, failures };
}

const final = (start: number): Utterance => ({
  text: " Hello.",
  language: "en",
  start,
  end: start + 0.5,
  confidence: 1,
  channel: 0,
  words: [{ word: " Hello.", start, end: start + 0.5, confidence: 1 }],
});
/** The networks here answer at once: all that follows is done in these turns of the event loop. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
}

test("a word before the first voice is assigned at once, and the first voice gets its number", async () => {
  const { speakers, revisions } = channel(talking);
  expect(speakers.assign("00_0", final(0.2))).toEqual([0]);
  speakers.append(new Float32Array(4 * SAMPLE_RATE));
  await settle();
  expect(speakers.assign("00_1", final(2.5))).toEqual([0]);
  expect(revisions.flatMap(({ words }) => words)).toEqual([]);
  expect(speakers.prints).toEqual([{ speaker: 0, print: [1, 0], seconds: expect.any(Number) }]);
});

test("another process continues with the same numbers", async () => {
  const first = channel(talking);
  first.speakers.append(new Float32Array(12.5 * SAMPLE_RATE));
  await settle();
  expect(first.speakers.assign("00_0", final(10))).toEqual([0]);
  const state = JSON.parse(JSON.stringify({ ...first.speakers.state, nextNumber: 1 })) as ChannelSpeakersState;
  const second = channel(talking, { startSample: 2.4 * SAMPLE_RATE, state });
  second.speakers.append(new Float32Array(SAMPLE_RATE));
  second.speakers.append(new Float32Array(13 * SAMPLE_RATE));
  await settle();
  expect(second.speakers.assign("00_1", final(14))).toEqual([0]);
});

test("a full queue is waited for; networks that fail three times are given up", async () => {
  let calls = 0;
  const full = channel({
    ...talking,
    segment: (samples) => (++calls === 1 ? Promise.reject(errors.recognitionQueueFull()) : talking.segment(samples)),
  });
  full.speakers.append(new Float32Array(SAMPLE_RATE));
  await expect.poll(() => full.revisions.length, { timeout: 5_000 }).toBe(2);
  expect(full.failures).toEqual([]);

  const broken = channel({ ...talking, segment: () => Promise.reject(errors.processDied("recogniser", "killed")) });
  broken.speakers.append(new Float32Array(SAMPLE_RATE));
  await expect.poll(() => broken.failures, { timeout: 5_000 }).toMatchObject([{ code: "process.died" }]);
  broken.speakers.append(new Float32Array(SAMPLE_RATE));
  await settle();
  expect(broken.revisions).toEqual([]);
});
