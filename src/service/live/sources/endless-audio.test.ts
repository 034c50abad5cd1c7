// Metadata within an endless stream, and the joint of two connections.
import { expect, test } from "vitest";
import { randomOf } from "../../../../test/fixtures/random.ts";
import { Joint, WithoutMetadata } from "./endless-audio.ts";

const random = randomOf(1);
const bytesOf = (count: number) => Buffer.from(Array.from({ length: count }, () => Math.floor(random() * 256)));

test("blocks of metadata are left out, whatever the split of the bytes", () => {
  const audio = bytesOf(1_000);
  const block = (text: string) => Buffer.concat([Buffer.of(text.length / 16), Buffer.from(text)]);
  const sent = Buffer.concat([
    ...[audio.subarray(0, 400), block("x".repeat(32)), audio.subarray(400, 800), block(""), audio.subarray(800)],
  ]);
  for (const step of [1, 7, 400, 401, 5_000]) {
    const filter = new WithoutMetadata(400);
    const pieces: Buffer[] = [];
    for (let at = 0; at < sent.length; at += step) pieces.push(filter.push(sent.subarray(at, at + step)));
    expect(Buffer.concat(pieces).equals(audio), `steps of ${step}`).toBe(true);
  }
  expect(new WithoutMetadata(undefined).push(audio)).toEqual(audio);
});

test("a connection that begins with what the previous one had continues it exactly", () => {
  const stream = bytesOf(20_000);
  const joint = new Joint();
  joint.begin();
  expect(joint.isSearching).toBe(false);
  for (let at = 0; at < 10_000; at += 700) joint.note(stream.subarray(at, Math.min(at + 700, 10_000)));
  joint.begin();
  expect(joint.search(stream.subarray(6_000, 9_500), false)).toBeUndefined();
  expect(joint.search(stream.subarray(9_500, 12_000), false)).toEqual({
    isJoined: true,
    bytes: stream.subarray(10_000, 12_000),
  });
  expect(joint.isSearching).toBe(false);
});

test("other bytes begin another stream", () => {
  const joint = new Joint();
  joint.note(bytesOf(5_000));
  joint.begin();
  const other = bytesOf(3_000);
  expect(joint.search(other.subarray(0, 1_000), false)).toBeUndefined();
  expect(joint.search(other.subarray(1_000), true)).toEqual({ isJoined: false, bytes: other });
});
