// Random voices: points around a centre per speaker, as in an embedding space.

import { describe, expect, test } from "vitest";
import { randomOf } from "../../../test/fixtures/random.ts";
import { diarize, speakerHints } from "./diarize.ts";
import type { SpeakerEmbeddings, SpeakerSpace } from "./embedder.ts";

const DIMENSIONS = 16;
const SPACE: SpeakerSpace = { dimensions: DIMENSIONS, speakerVariance: new Array<number>(DIMENSIONS).fill(12) };
const FREE = speakerHints({});

function randomNumbers(seed: number): () => number {
  const next = randomOf(seed);
  return () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
}

/** Turns of `turn` windows, one speaker after another. */
function conversation(speakers: number, windows: number, turn: number, seed = 1) {
  const normal = randomNumbers(seed);
  const places = Array.from({ length: speakers }, () =>
    SPACE.speakerVariance.map((variance) => Math.sqrt(variance) * normal()),
  );
  const truth = Array.from({ length: windows }, (_, window) => Math.floor(window / turn) % speakers);
  const rows = new Float32Array(windows * DIMENSIONS);
  for (const [window, speaker] of truth.entries()) {
    for (let at = 0; at < DIMENSIONS; at++) rows[window * DIMENSIONS + at] = (places[speaker]?.[at] ?? 0) + normal();
  }
  const embeddings: SpeakerEmbeddings = { times: Float32Array.from(truth, (_, window) => window / 4), rows };
  return { embeddings, truth };
}

/** Whether two labellings agree up to the numbers. */
function isSamePartition(labels: ArrayLike<number>, truth: number[]): boolean {
  const names = new Map<number, number>();
  for (const [at, speaker] of truth.entries()) {
    const label = labels[at] as number;
    if (!names.has(speaker)) names.set(speaker, label);
    if (names.get(speaker) !== label) return false;
  }
  return new Set(names.values()).size === names.size;
}

describe("diarize", () => {
  test.each([1, 2, 3, 4, 6])("finds %i speakers and attributes them, without hints", (speakers) => {
    const { embeddings, truth } = conversation(speakers, 60 * speakers, 12, 40 + speakers);
    expect(isSamePartition(diarize(embeddings, SPACE, FREE), truth)).toBe(true);
  });
  test("an hour of four speakers is clustered in blocks with the same result", () => {
    const { embeddings, truth } = conversation(4, 8_000, 20);
    expect(isSamePartition(diarize(embeddings, SPACE, FREE), truth)).toBe(true);
  });
  test("hints apply: never more than the maximum, and one speaker if one is requested", () => {
    const { embeddings } = conversation(4, 240, 12);
    expect(new Set(diarize(embeddings, SPACE, speakerHints({ number_of_speakers: 1 }))).size).toBe(1);
    expect(new Set(diarize(embeddings, SPACE, speakerHints({ max_speakers: 2 }))).size).toBe(2);
    expect(new Set(diarize(embeddings, SPACE, speakerHints({ number_of_speakers: 4 }))).size).toBe(4);
  });
  test("no windows, one window, and hints above the number of windows work", () => {
    expect(diarize({ times: new Float32Array(), rows: new Float32Array() }, SPACE, FREE)).toHaveLength(0);
    const { embeddings } = conversation(1, 1, 1);
    expect([...diarize(embeddings, SPACE, speakerHints({ number_of_speakers: 5 }))]).toEqual([0]);
  });
});

describe("speakerHints", () => {
  test("the exact number takes precedence, zero means no hint", () => {
    expect(speakerHints({ number_of_speakers: 3, min_speakers: 1, max_speakers: 9 })).toEqual({
      minimum: 3,
      maximum: 3,
    });
    expect(speakerHints({ min_speakers: 0, max_speakers: 0 })).toEqual(FREE);
    expect(speakerHints({ min_speakers: 20 })).toEqual({ minimum: 20, maximum: 20 });
  });
});
