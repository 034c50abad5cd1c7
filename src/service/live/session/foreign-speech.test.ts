import { pino } from "pino";
import { expect, test } from "vitest";
import type { LiveEvent } from "../events/live-event.ts";
import { ForeignSpeech } from "./foreign-speech.ts";

function watched() {
  const events: LiveEvent[] = [];
  let fetched = 0;
  const model = {
    id: "whisper-small",
    installedPlan: async () => undefined,
    plan: () => {
      fetched++;
      return Promise.reject(new Error("it may not be fetched"));
    },
  };
  const report = (event: LiveEvent) => events.push(event);
  const speech = new ForeignSpeech(model, pino({ enabled: false }), { report, usePlan: () => undefined });
  return { speech, events, fetched: () => fetched };
}

test("doubtful speech is reported once and is no failure; the result has the warning", () => {
  const { speech, events } = watched();
  expect(speech.warning).toBeUndefined();
  speech.doubted();
  speech.doubted();
  expect(events).toMatchObject([{ kind: "error", code: "language_uncertain" }]);
  expect(speech.warning).toMatch(/may not be in English.*whisper-small/);
  expect(speech.problem).toBeUndefined();
});

test("foreign speech replaces the doubt", async () => {
  const { speech, events } = watched();
  speech.doubted();
  await speech.found({ languages: [], codeSwitching: false });
  speech.doubted();
  expect(events.map((event) => "code" in event && event.code)).toEqual(["language_uncertain", "language_unavailable"]);
  expect(speech.warning).toMatch(/not in English/);
  expect(speech.problem?.code).toBe("recognition.not_english");
});

test("the next process of a session has what the lost one reported, and fetches the model again", async () => {
  const [lost, next] = [watched(), watched()];
  lost.speech.doubted();
  for (const event of lost.events) next.speech.observe(event);
  expect(next.speech.warning).toBe(lost.speech.warning);
  next.speech.doubted();
  expect(next.events).toEqual([]);
  await lost.speech.found({ languages: [], codeSwitching: false });
  for (const event of lost.events) next.speech.observe(event);
  expect([next.speech.warning, next.speech.problem?.code]).toEqual([lost.speech.warning, "recognition.not_english"]);
  expect(next.fetched()).toBe(0);
  await next.speech.found({ languages: [], codeSwitching: false });
  await next.speech.found({ languages: [], codeSwitching: false });
  expect([next.events, next.fetched()]).toEqual([[], 1]);
});
