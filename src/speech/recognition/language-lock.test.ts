import { describe, expect, test } from "vitest";
import { LanguageLock } from "./language-lock.ts";

type Probabilities = [string, number][];
const SPANISH: Probabilities = [
  ["es", 0.98],
  ["pt", 0.01],
];
const ENGLISH: Probabilities = [
  ["en", 0.95],
  ["cy", 0.03],
];
/** Language probabilities of a short "Okay." of an English speaker. */
const SHORT: Probabilities = [
  ["en", 0.8],
  ["es", 0.02],
];

/** The language that the next utterance is transcribed in. */
function chosen(lock: LanguageLock, probabilities: Probabilities, seconds: number): string {
  const bias = new Map(lock.bias(seconds).map(({ language, logOdds }) => [language, logOdds]));
  const scored = probabilities.map(([language, p]): [string, number] => [
    language,
    Math.log(p) + (bias.get(language) ?? 0),
  ]);
  for (const [language, odds] of bias) {
    if (!probabilities.some(([name]) => name === language)) scored.push([language, Math.log(1e-4) + odds]);
  }
  return scored.sort((left, right) => right[1] - left[1])[0]?.[0] ?? "";
}

function following(...utterances: [Probabilities, number][]): LanguageLock {
  const lock = new LanguageLock();
  for (const [probabilities, seconds] of utterances) lock.add({ probabilities, seconds });
  return lock;
}

describe("before three seconds of speech", () => {
  test("a short word does not fix the language", () => {
    const lock = following([SHORT, 0.5]);
    expect(lock.language).toBe("en");
    expect(lock.isLocked).toBe(false);
    expect(chosen(lock, SPANISH, 3)).toBe("es");
  });
  test("several short words fix it no sooner", () => {
    expect(following([SHORT, 0.5], [SHORT, 0.5], [SHORT, 0.5], [SHORT, 0.5]).isLocked).toBe(false);
    expect(following([ENGLISH, 1.5], [ENGLISH, 1.6]).isLocked).toBe(true);
  });
  test("an uncertain utterance gets the language of the previous one", () => {
    const doubtful: Probabilities = [
      ["pt", 0.5],
      ["es", 0.45],
    ];
    expect(chosen(following([SPANISH, 2]), doubtful, 1)).toBe("es");
  });
});

describe("from then on", () => {
  const english = () => following([ENGLISH, 4], [ENGLISH, 4], [ENGLISH, 4]);
  test("one deviating utterance changes nothing", () => {
    const odd: Probabilities = [
      ["cy", 0.67],
      ["en", 0.3],
    ];
    const lock = english();
    expect(chosen(lock, odd, 3)).toBe("en");
    lock.add({ probabilities: odd, seconds: 3 });
    expect(lock.language).toBe("en");
    expect(chosen(lock, ENGLISH, 3)).toBe("en");
  });
  test("a clear utterance in another language is transcribed in that language", () => {
    const clear: Probabilities = [
      ["es", 0.995],
      ["en", 0.001],
    ];
    expect(chosen(english(), clear, 3)).toBe("es");
  });
  test("two less clear ones in a row change the language, however long the session is", () => {
    const lock = english();
    const lessClear: Probabilities = [
      ["es", 0.9],
      ["en", 0.03],
    ];
    expect(chosen(lock, lessClear, 2)).toBe("en");
    lock.add({ probabilities: lessClear, seconds: 2 });
    expect(chosen(lock, lessClear, 2)).toBe("es");
  });
});

test("the state survives a restart", () => {
  const lock = following([ENGLISH, 2], [SPANISH, 1]);
  const again = new LanguageLock(JSON.parse(JSON.stringify(lock.state)));
  expect(again.state).toEqual(lock.state);
  expect(again.bias(1)).toEqual(lock.bias(1));
});
