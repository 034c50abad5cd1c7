import { expect, test } from "vitest";
import {
  type KnownPerson,
  LEAST_MARGIN,
  LEAST_SIMILARITY,
  matchVoice,
  matchVoices,
  meanVoice,
} from "./known-voices.ts";

/** A vector of unit length at an angle, in the plane of two axes of eight. */
function at(cosine: number, axis = 0): Float32Array {
  const vector = new Float32Array(8);
  vector[axis] = cosine;
  vector[7] = Math.sqrt(1 - cosine * cosine);
  return vector;
}
const person = (name: string, ...prints: Float32Array[]): KnownPerson => ({
  id: name,
  name,
  prints,
  seconds: prints.map(() => 10),
});
const MARIA = person("Maria", at(1));

test("a voice is named from the least similarity on, with more confidence the nearer it is", () => {
  const near = matchVoice({ print: [...at(0.9)], seconds: 10 }, [MARIA]);
  const far = matchVoice({ print: [...at(LEAST_SIMILARITY + 0.01)], seconds: 10 }, [MARIA]);
  expect(near).toMatchObject({ name: "Maria", similarity: expect.closeTo(0.9, 5) });
  expect(far?.confidence).toBeGreaterThan(0.5);
  expect(near?.confidence).toBeGreaterThan(far?.confidence ?? 1);
  expect(near?.confidence).toBeLessThan(1);
  expect(matchVoice({ print: [...at(LEAST_SIMILARITY - 0.01)], seconds: 10 }, [MARIA])).toBeUndefined();
});

test("little speech needs more similarity, and very little is not matched", () => {
  const print = [...at(LEAST_SIMILARITY + 0.02)];
  expect(matchVoice({ print, seconds: 10 }, [MARIA])).toBeDefined();
  expect(matchVoice({ print, seconds: 1 }, [MARIA])).toBeUndefined();
  expect(matchVoice({ print: [...at(1)], seconds: 0.3 }, [MARIA])).toBeUndefined();
});

test("a voice that is about as similar to two people is not matched", () => {
  const twin = person("Twin", at(1 - LEAST_MARGIN / 10));
  expect(matchVoice({ print: [...at(1)], seconds: 10 }, [MARIA, twin])).toBeUndefined();
  expect(matchVoice({ print: [...at(1)], seconds: 10 }, [MARIA, person("Other", at(1, 1))])).toMatchObject({
    name: "Maria",
  });
});

test("prints of another model are left out, and two speakers can be one person", () => {
  expect(
    matchVoice({ print: [...at(1)], seconds: 10 }, [person("Old", new Float32Array(4).fill(0.5))]),
  ).toBeUndefined();
  const speakers = [0, 1, 2].map((speaker) => ({ speaker, print: [...at(1, speaker === 2 ? 1 : 0)], seconds: 10 }));
  expect(matchVoices(speakers, [MARIA]).map(({ speaker }) => speaker)).toEqual([0, 1]);
});

test("the mean of voices has unit length and follows the weights", () => {
  const mean = meanVoice([at(1, 0), at(1, 1)], [3, 1]);
  expect(Math.hypot(...mean)).toBeCloseTo(1, 5);
  expect(mean[0]).toBeGreaterThan(mean[1] ?? 1);
});
