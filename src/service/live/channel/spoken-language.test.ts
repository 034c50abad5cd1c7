import { describe, expect, test } from "vitest";
import { SpokenLanguage } from "./spoken-language.ts";

const ANY = { model: "whisper", englishModel: "moonshine", languages: [], isSwitching: false };
const SPECIALIST = { language: "en", model: "moonshine" };
const detected = (language: string, probability: number) => ({
  language,
  probability,
  probabilities: [[language, probability] as const],
});

describe("a language that is detected", () => {
  test("is open at first, and stays likely after three seconds of speech and after a restart", () => {
    const spoken = new SpokenLanguage(ANY, undefined);
    expect(spoken.route(1, true)).toEqual({ model: "whisper", languages: [], specialist: SPECIALIST, isUnsure: true });
    expect(spoken.addFinal(detected("nn", 0.4), 0.5)).toBe(true);
    expect(spoken.route(1, false).languages).toEqual([]);
    expect(spoken.addFinal(detected("es", 0.97), 3)).toBe(true);
    expect(spoken.addFinal(detected("es", 0.97), 3)).toBe(false);
    for (const one of [spoken, new SpokenLanguage(ANY, JSON.parse(JSON.stringify(spoken.state)))]) {
      expect(one.route(1, false)).toEqual({ model: "whisper", languages: ["es"] });
      // Finals are still checked.
      expect(one.route(3, true)).toMatchObject({ languages: [], languageBias: [{ language: "es" }] });
    }
  });
  test("is restored from states of earlier versions", () => {
    expect(new SpokenLanguage(ANY, "de").route(1, false).languages).toEqual(["de"]);
  });
  test("tries the English model first for English", () => {
    const spoken = new SpokenLanguage(ANY, "en");
    expect(spoken.route(1, false)).toEqual({ model: "moonshine", languages: ["en"] });
    expect(spoken.route(1, true)).toMatchObject({ model: "whisper", specialist: SPECIALIST, isSpecialistLikely: true });
  });
  test("is guessed for partials only, and for one utterance", () => {
    const spoken = new SpokenLanguage(ANY, undefined);
    spoken.guessFrom({ language: "de" }, 0.4);
    expect(spoken.route(1, false).languages).toEqual([]);
    spoken.guessFrom({ language: "de" }, 1.4);
    expect(spoken.route(1.5, false).languages).toEqual(["de"]);
    expect(spoken.route(1.5, true).languages).toEqual([]);
    spoken.begin();
    expect(spoken.route(1, false).languages).toEqual([]);
  });
  test("is reported again when it changes", () => {
    const spoken = new SpokenLanguage(ANY, "de");
    expect(spoken.addFinal(detected("es", 0.99), 3)).toBe(true);
    expect(spoken.route(3, false).languages).toEqual(["es"]);
  });
});

describe("code switching", () => {
  test("detects every utterance, with a bias for the current language in short ones; one utterance stays in its language", () => {
    const spoken = new SpokenLanguage({ ...ANY, isSwitching: true }, undefined);
    spoken.addFinal(detected("es", 0.97), 2);
    const odds = (seconds: number) => spoken.route(seconds, true).languageBias?.[0];
    expect(odds(4)?.language).toBe("es");
    expect(odds(0.5)?.logOdds).toBeGreaterThan(odds(4)?.logOdds ?? 0);
    spoken.settle({ language: "de" });
    expect(spoken.route(12, true).languages).toEqual(["de"]);
    spoken.begin();
    expect(spoken.route(1, true).languages).toEqual([]);
  });
});

test("a language that the request names is never detected", () => {
  const spoken = new SpokenLanguage({ model: "whisper", languages: ["es"], isSwitching: false }, undefined);
  expect(spoken.route(1, true)).toEqual({ model: "whisper", languages: ["es"] });
  expect(spoken.addFinal({ language: "es" }, 1)).toBe(false);
});
