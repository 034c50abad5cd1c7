import { expect, test } from "vitest";
import type { LeakedSound } from "../../../speech/audio/leaks/leak-removal.ts";
import { OwnSpeech } from "./own-speech.ts";

const WINDOW = 512;
const THRESHOLD = 0.6;

/** @param leaks  one character for each window: f is a leak that was found, p one that is possible @param isSpeech  whether an utterance is in progress */
function probabilities(leaks: string, found: readonly number[], isSpeech = false) {
  const sounds: Record<string, LeakedSound> = { f: "found", p: "possible" };
  const own = new OwnSpeech((sample) => sounds[leaks[sample / WINDOW] ?? ""], THRESHOLD);
  const counted = found.map((value, window) => own.probability(window * WINDOW, value, isSpeech));
  return { counted, held: own.heldSamples / WINDOW };
}

const speech = (windows: number) => new Array<number>(windows).fill(0.9);

test("what leaks into a channel is not its speech", () => {
  expect(probabilities(".ff.", speech(4)).counted).toEqual([0.9, 0, 0, 0.9]);
});

test("a possible leak holds back the start of speech, and does not end speech", () => {
  expect(probabilities(".pp.", speech(4)).counted).toEqual([0.9, 0, 0, 0.9]);
  expect(probabilities(".pp.", speech(4), true).counted).toEqual(speech(4));
});

test("speech that was held back for a leak that does not exist belongs to the utterance that follows", () => {
  expect(probabilities("ppppp.", speech(6)).held).toBe(5);
  expect(probabilities("......", speech(6)).held).toBe(0);
});

test("speech that was held back for a leak that is found does not", () => {
  expect(probabilities("pppff.", speech(6)).held).toBe(0);
});

test("speech that was held back before a pause does not", () => {
  const pause = new Array<number>(9).fill(0.1);
  expect(probabilities(`pp${"p".repeat(9)}.`, [...speech(2), ...pause, 0.9]).held).toBe(0);
  expect(probabilities(`pp${"p".repeat(4)}.`, [...speech(2), ...pause.slice(5), 0.9]).held).toBe(6);
});

test("at most two seconds were held back", () => {
  expect(probabilities(`${"p".repeat(200)}.`, speech(201)).held * WINDOW).toBeLessThanOrEqual(32_000);
});
