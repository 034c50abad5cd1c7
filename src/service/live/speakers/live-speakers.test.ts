// finish() waits for the last corrections as long as the networks complete steps.
import { setTimeout as pause } from "node:timers/promises";
import { pino } from "pino";
import { expect, test } from "vitest";
import { SAMPLE_RATE } from "../../../speech/audio/sample-rate.ts";
import { WINDOW_FRAMES } from "../../../speech/speakers/speaker-networks.ts";
import { LiveSpeakers } from "./live-speakers.ts";
import type { SpeakerServices } from "./speaker-services.ts";

const STEP_TIMEOUT_MILLISECONDS = 1_000;
/** Steps in six seconds of audio. */
const STEPS = 12;

/** @param segment  called for each step */
function speakersWith(segment: () => Promise<unknown>) {
  let steps = 0;
  const recognition = {
    segmentSpeakers: async () => {
      await segment();
      steps++;
      return new Uint8Array(WINDOW_FRAMES);
    },
    voices: async () => ({ dimensions: 0, voices: new Float32Array(0) }),
  };
  const services = {
    ...{ recognition, params: {}, accountId: "account", speakerModel: "voices", mayFetch: false },
    models: { findSpeakerModel: async () => ({}) },
    logger: pino({ level: "silent" }),
  };
  const events = { send: () => undefined, report: () => undefined, finals: new Map() };
  const speakers = new LiveSpeakers(services as unknown as SpeakerServices, events);
  speakers.begin({ distinctCount: 1, isCarried: () => false, mayHaveSpeech: () => true }, new Map());
  speakers.append([new Float32Array((STEPS / 2) * SAMPLE_RATE)]);
  return { speakers, steps: () => steps };
}

test("the end waits for networks that are slow", async () => {
  const { speakers, steps } = speakersWith(() => pause(150));
  await speakers.finish(STEP_TIMEOUT_MILLISECONDS);
  expect(steps()).toBe(STEPS);
});

test("the end does not wait for networks that are stuck", async () => {
  const { speakers } = speakersWith(() => new Promise(() => undefined));
  const start = performance.now();
  await speakers.finish(STEP_TIMEOUT_MILLISECONDS);
  expect(performance.now() - start).toBeLessThan(4 * STEP_TIMEOUT_MILLISECONDS);
});

test("the end waits for a bounded time, and no longer than the process runs", async () => {
  const endless = speakersWith(() => pause(60));
  await endless.speakers.finish(80);
  expect(endless.steps()).toBeLessThan(STEPS);
  const stopped = speakersWith(() => new Promise(() => undefined));
  const finished = stopped.speakers.finish(60_000);
  stopped.speakers.stop();
  await finished;
});
