// Pieces, clusters and turns, from windows of local speakers.

import { expect, test } from "vitest";
import { randomOf } from "../../../test/fixtures/random.ts";
import { clusterVoices } from "./average-linkage.ts";
import { diarizeWindows } from "./network-diarization.ts";
import { findPieces, WindowedSpeakers } from "./pieces.ts";
import { FRAME_SECONDS, frameSeconds, RAISED_SHIFT, startFrameOf, WINDOW_FRAMES } from "./speaker-networks.ts";

interface Talk {
  person: number;
  start: number;
  end: number;
}

/** Windows as a perfect segmentation marks them; each window numbers people by their first appearance in it. */
function windowsOf(talks: readonly Talk[], count: number): WindowedSpeakers {
  const frames = new Uint8Array(count * WINDOW_FRAMES);
  for (let window = 0; window < count; window++) {
    const locals = new Map<number, number>();
    for (let at = 0; at < WINDOW_FRAMES; at++) {
      const seconds = frameSeconds(startFrameOf(window) + at);
      let speakers = 0;
      for (const { person, start, end } of talks) {
        if (seconds < start || seconds >= end) continue;
        if (!locals.has(person)) locals.set(person, locals.size);
        speakers |= 1 << (locals.get(person) as number);
      }
      frames[window * WINDOW_FRAMES + at] = speakers | (speakers << RAISED_SHIFT);
    }
  }
  return new WindowedSpeakers([{ first: 0, frames }]);
}

/** Each person's voice has a dimension of its own. */
function diarized(
  talks: readonly Talk[],
  count: number,
  bounds = { minimum: 1, maximum: 30 },
  voiceOf = (person: number) => person,
) {
  const windows = windowsOf(talks, count);
  const pieces = findPieces(windows);
  const dimensions = 8;
  const voices = new Float32Array(pieces.length * dimensions);
  for (const [index, { start, end }] of pieces.entries()) {
    const middle = frameSeconds((start + end) / 2);
    const person = talks.find((talk) => middle >= talk.start && middle < talk.end)?.person ?? 0;
    voices[index * dimensions + voiceOf(person)] = 1;
  }
  return diarizeWindows(windows, { pieces, voices, dimensions }, bounds);
}

const shown = (turns: ReturnType<typeof diarized>) => {
  const numbers = new Map<number, number>();
  return turns.map(({ speaker, start, end }) => {
    if (!numbers.has(speaker)) numbers.set(speaker, numbers.size);
    return [numbers.get(speaker), Math.round(start), Math.round(end)];
  });
};

test("a speaker who returns keeps the number, and an overlap has both speakers", () => {
  const talks = [
    { person: 0, start: 1, end: 6 },
    { person: 1, start: 6, end: 12 },
    { person: 0, start: 11, end: 18 },
    { person: 2, start: 19, end: 25 },
    { person: 0, start: 26, end: 30 },
  ];
  expect(shown(diarized(talks, 21))).toEqual([
    [0, 1, 6],
    [1, 6, 12],
    [0, 11, 18],
    [2, 19, 25],
    [0, 26, 30],
  ]);
});

test("two people whom the windows take for one local speaker are separated by their voices", () => {
  // The windows have one local speaker from 1 to 17 s; the voice of the pieces changes at 9 s.
  const windows = windowsOf([{ person: 0, start: 1, end: 17 }], 8);
  const pieces = findPieces(windows);
  const voices = new Float32Array(pieces.length * 2);
  for (const [index, { start, end }] of pieces.entries()) {
    voices[2 * index + (frameSeconds((start + end) / 2) < 9 ? 0 : 1)] = 1;
  }
  const turns = diarizeWindows(windows, { pieces, voices, dimensions: 2 }, { minimum: 1, maximum: 30 });
  expect(shown(turns)).toEqual([
    [0, 1, 9],
    [1, 9, 17],
  ]);
});

test("windows of two steps, as those of recordings, have the times of their frames", () => {
  const talks = [
    { person: 0, start: 1, end: 6 },
    { person: 1, start: 6, end: 12 },
  ];
  const all = windowsOf(talks, 5);
  const frames = Buffer.concat([0, 2, 4].map((window) => all.row(window)));
  const windows = new WindowedSpeakers([{ first: 0, stride: 2, frames }]);
  expect([0, 1, 2].map((window) => windows.startOf(window))).toEqual([0, 2, 4].map(startFrameOf));
  expect(findPieces(windows)).toEqual(findPieces(all));
});

test("pieces are of one speaker, of 0.4 to 4 s, and end where another one begins", () => {
  const pieces = findPieces(
    windowsOf(
      [
        { person: 0, start: 1, end: 6 },
        { person: 1, start: 6, end: 8 },
        { person: 0, start: 9, end: 9.3 },
      ],
      3,
    ),
  );
  const seconds = pieces.map(({ start, end }) =>
    [frameSeconds(start), frameSeconds(end)].map((one) => Math.round(10 * one) / 10),
  );
  expect(seconds).toEqual([
    [1, 3.5],
    [3.5, 6],
    [6, 8],
  ]);
  for (const { start, end } of pieces) expect((end - start) * FRAME_SECONDS).toBeLessThanOrEqual(4);
});

test("a maximum joins voices, and a single voice is never split to reach a number", () => {
  const talks = [0, 1, 2, 3].map((person) => ({ person, start: person * 5, end: person * 5 + 4 }));
  const count = (turns: ReturnType<typeof diarized>) => new Set(turns.map(({ speaker }) => speaker)).size;
  expect(count(diarized(talks, 11))).toBe(4);
  expect(count(diarized(talks, 11, { minimum: 1, maximum: 2 }))).toBe(2);
  expect(count(diarized(talks, 11, { minimum: 1, maximum: 4 }, () => 0))).toBe(1);
});

test("no speech gives no turns, and one short word gives one", () => {
  expect(diarized([], 5)).toEqual([]);
  expect(shown(diarized([{ person: 0, start: 4, end: 5 }], 1))).toEqual([[0, 4, 5]]);
});

test("three hours of many voices are clustered in blocks, with the same result", () => {
  const dimensions = 32;
  const people = 8;
  const count = 3_000;
  const voices = new Float32Array(count * dimensions);
  const next = randomOf(3);
  const random = () => next() - 0.5;
  for (let index = 0; index < count; index++) {
    const row = voices.subarray(index * dimensions, (index + 1) * dimensions);
    for (let at = 0; at < dimensions; at++) row[at] = 0.3 * random() + (at === index % people ? 1 : 0);
    const length = Math.hypot(...row);
    for (let at = 0; at < dimensions; at++) row[at] = (row[at] as number) / length;
  }
  const clusters = clusterVoices(voices, dimensions, { threshold: 0.6, minimum: 1, maximum: 30 });
  expect(clusters).toHaveLength(people);
  for (const { members } of clusters) expect(new Set(members.map((member) => member % people)).size).toBe(1);
  expect(clusters.flatMap(({ members }) => members).sort((left, right) => left - right)).toEqual(
    [...voices.keys()].slice(0, count),
  );
});
