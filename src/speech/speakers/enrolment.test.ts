import { expect, test } from "vitest";
import { type EnrolmentPiece, judgeEnrolment } from "./enrolment.ts";
import { FRAME_SECONDS } from "./speaker-networks.ts";

const SPOKEN = () => 1;
const frames = (seconds: number) => Math.round(seconds / FRAME_SECONDS);

/** Pieces of a voice in the direction of an axis. @param noise  size of a second component that differs in each piece */
function pieces(axis: number, seconds: readonly number[], noise = 0.2): EnrolmentPiece[] {
  let at = axis * 10_000;
  return seconds.map((length, index) => {
    const print = new Float32Array(32);
    print[axis] = Math.sqrt(1 - noise * noise);
    print[8 + ((axis * 7 + index) % 24)] = noise;
    const piece = { start: at, end: at + frames(length) };
    at = piece.end + 10;
    return { piece, print };
  });
}
const problem = (found: readonly EnrolmentPiece[], share = SPOKEN, least?: number) => {
  const judged = judgeEnrolment(found, share, least);
  return "problem" in judged ? judged.problem : undefined;
};

test("one voice is accepted with its length", () => {
  const judged = judgeEnrolment(pieces(0, [3, 4, 3]), SPOKEN);
  if (!("voice" in judged)) throw new Error(judged.problem);
  expect(judged.voice.seconds).toBeCloseTo(10, 0);
  expect(Math.hypot(...judged.voice.print)).toBeCloseTo(1, 5);
  expect(judged.voice.print[0]).toBeGreaterThan(0.95);
});

test("a second voice is refused, unless it has no more than a word", () => {
  expect(problem([...pieces(0, [3, 4]), ...pieces(1, [3])])).toMatch(/more than one voice \(7\.0 s and 3\.0 s\)/);
  expect(problem([...pieces(0, [4, 4, 4]), ...pieces(1, [0.8])])).toBeUndefined();
});

test("nothing, too little, and sound that is not speech are refused with the reason", () => {
  expect(problem([])).toMatch(/no speech/);
  expect(problem([{ piece: { start: 0, end: 500 }, print: new Float32Array(32) }])).toMatch(/no speech/);
  expect(problem(pieces(0, [2]))).toMatch(/2\.0 s of speech.*at least 4 s/);
  expect(problem(pieces(0, [2]), SPOKEN, 1)).toBeUndefined();
  expect(problem(pieces(0, [4, 4]), () => 0.05)).toMatch(/music or noise/);
});
