import { describe, expect, test } from "vitest";
import { SpokenLanguage } from "./spoken-language.ts";

const ANY = { model: "whisper", englishModel: "moonshine", languages: [], isSwitching: false };
const LEFT = { language: "en", model: "moonshine" };

describe("a language that is heard", () => {
  test("is kept from the first sure utterance on, and after a restart", () => {
    const spoken = new SpokenLanguage(ANY, undefined);
    expect(spoken.way(1, true)).toEqual({ model: "whisper", languages: [], left: LEFT });
    expect(spoken.decide({ language: "nn", probability: 0.4 }, 0.5)).toBe(true);
    expect(spoken.way(1, true).languages).toEqual([]);
    spoken.decide({ language: "es", probability: 0.97 }, 2);
    expect(spoken.way(1, true)).toEqual({ model: "whisper", languages: ["es"] });
    expect(new SpokenLanguage(ANY, spoken.state).way(1, true).languages).toEqual(["es"]);
  });
  test("English goes to the English model", () => {
    expect(new SpokenLanguage(ANY, "en").way(1, true)).toEqual({ model: "moonshine", languages: ["en"] });
  });
  test("is guessed for partials alone, and for one utterance", () => {
    const spoken = new SpokenLanguage(ANY, undefined);
    spoken.suppose({ language: "de" }, 0.4);
    expect(spoken.way(1, false).languages).toEqual([]);
    spoken.suppose({ language: "de" }, 1.4);
    expect(spoken.way(1.5, false).languages).toEqual(["de"]);
    expect(spoken.way(1.5, true).languages).toEqual([]);
    spoken.begin();
    expect(spoken.way(1, false).languages).toEqual([]);
  });
});

describe("code switching", () => {
  test("hears every utterance, short ones with more odds for staying; one utterance stays in its language", () => {
    const spoken = new SpokenLanguage({ ...ANY, isSwitching: true }, undefined);
    spoken.decide({ language: "es", probability: 0.97 }, 2);
    const odds = (seconds: number) => spoken.way(seconds, true).languageBias;
    expect(odds(4)?.language).toBe("es");
    expect(odds(0.5)?.logOdds).toBeGreaterThan(odds(4)?.logOdds ?? 0);
    spoken.settle({ language: "de" });
    expect(spoken.way(12, true).languages).toEqual(["de"]);
    spoken.begin();
    expect(spoken.way(1, true).languages).toEqual([]);
  });
});

test("a language that is told is never heard", () => {
  const spoken = new SpokenLanguage({ model: "whisper", languages: ["es"], isSwitching: false }, undefined);
  expect(spoken.way(1, true)).toEqual({ model: "whisper", languages: ["es"] });
  expect(spoken.decide({ language: "es" }, 1)).toBe(false);
});
