import { expect, test } from "vitest";
import { FrameQueue } from "./frame-queue.ts";

function queue() {
  const events: string[] = [];
  const waiting: number[] = [];
  const frames = new FrameQueue(
    (error) => events.push((error as Error).message),
    (bytes) => waiting.push(bytes),
  );
  return { frames, events, waiting };
}

test("frames run in order, also after one that fails", async () => {
  const { frames, events } = queue();
  frames.add(1, async () => {
    await new Promise((resolve) => setImmediate(resolve));
    events.push("first");
  });
  frames.add(1, () => Promise.reject(new Error("second")));
  frames.add(1, async () => void events.push("third"));
  await frames.settled();
  expect(events).toEqual(["first", "second", "third"]);
});

test("frames count until they are done, each with its bytes and a little more", async () => {
  const { frames, waiting } = queue();
  frames.add(1_000, async () => undefined);
  frames.add(0, async () => undefined);
  expect(waiting).toEqual([1_256, 1_512]);
  await frames.settled();
  expect(waiting).toEqual([1_256, 1_512, 256, 0]);
});
