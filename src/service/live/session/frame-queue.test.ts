import { expect, test } from "vitest";
import { FrameQueue } from "./frame-queue.ts";

function queue() {
  const events: string[] = [];
  const frames = new FrameQueue(
    (error) => events.push((error as Error).message),
    () => events.push("pause"),
    () => events.push("resume"),
  );
  return { frames, events };
}

test("frames run in order, also after one that fails", async () => {
  const { frames, events } = queue();
  frames.add(1, async () => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    events.push("first");
  });
  frames.add(1, () => Promise.reject(new Error("second")));
  frames.add(1, async () => void events.push("third"));
  await frames.settled();
  expect(events).toEqual(["first", "second", "third"]);
});

test.each([
  ["large frames", 10, 200_000],
  ["empty frames", 10_000, 0],
])("%s that wait hold the connection back until half of them are done", async (_name, count, bytes) => {
  const { frames, events } = queue();
  for (let added = 0; added < count; added++) frames.add(bytes, async () => undefined);
  expect(events).toEqual(["pause"]);
  await frames.settled();
  expect(events).toEqual(["pause", "resume"]);
});
