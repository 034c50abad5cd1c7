import { afterEach, expect, test, vi } from "vitest";
import { AudioTicks } from "./audio-ticks.ts";
import { FrameQueue } from "./frame-queue.ts";

interface Chunk {
  bytes: Buffer;
  source: string;
}

function queue(ticks?: AudioTicks) {
  const events: string[] = [];
  const waiting: number[] = [];
  const frames = new FrameQueue<Chunk>({
    process: async (chunks) => void events.push(`${chunks[0]?.source}: ${chunks.map(({ bytes }) => bytes.length)}`),
    onFailed: (error) => events.push((error as Error).message),
    onWaiting: (bytes) => waiting.push(bytes),
    ticks,
  });
  return { frames, events, waiting };
}

const chunk = (source: string, bytes: number): Chunk => ({ source, bytes: Buffer.alloc(bytes) });

/** Of a process with so many connected clients. */
function ticksOf(clients: number): AudioTicks {
  const ticks = new AudioTicks();
  for (let client = 0; client < clients; client++) ticks.clientConnected();
  return ticks;
}

afterEach(() => vi.useRealTimers());

test("with few clients, a chunk is processed when it arrives", async () => {
  const { frames, events } = queue(ticksOf(3));
  frames.addChunk(chunk("a", 10));
  expect(events).toEqual(["a: 10"]);
});

test("with more clients, chunks of one source wait for the next tick and are processed together", async () => {
  vi.useFakeTimers();
  const ticks = ticksOf(4);
  const { frames, events } = queue(ticks);
  for (const bytes of [10, 20, 30]) frames.addChunk(chunk("a", bytes));
  frames.addChunk(chunk("b", 40));
  await vi.advanceTimersByTimeAsync(30);
  expect(events).toEqual([]);
  await vi.advanceTimersByTimeAsync(20);
  expect(events).toEqual(["a: 10,20,30", "b: 40"]);
  ticks.clientLeft();
  frames.addChunk(chunk("b", 50));
  await vi.advanceTimersByTimeAsync(0);
  expect(events.at(-1)).toBe("b: 50");
});

test("a task does not wait for the tick, and runs after the chunks before it", async () => {
  vi.useFakeTimers();
  const { frames, events } = queue(ticksOf(4));
  frames.addChunk(chunk("a", 10));
  frames.add(0, async () => void events.push("task"));
  frames.addChunk(chunk("a", 20));
  await vi.advanceTimersByTimeAsync(0);
  expect(events).toEqual(["a: 10", "task", "a: 20"]);
});

test("chunks do not wait for the tick when they have much memory, and large ones are processed alone", async () => {
  vi.useFakeTimers();
  const { frames, events } = queue(ticksOf(4));
  for (const bytes of [30_000, 30_000, 30_000, 100_000]) frames.addChunk(chunk("a", bytes));
  await vi.advanceTimersByTimeAsync(0);
  expect(events).toEqual(["a: 30000,30000", "a: 30000", "a: 100000"]);
});

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

test("a queue that is never empty leaves turns to the others", async () => {
  const busy = (milliseconds: number) => {
    const until = performance.now() + milliseconds;
    while (performance.now() < until);
  };
  const [flooded, other] = [queue(), queue()];
  let isOver = false;
  const flood = async () => {
    await Promise.resolve();
    if (isOver) return;
    busy(4);
    for (let count = 0; count < 2; count++) flooded.frames.add(1, flood);
  };
  const task = async () => {
    busy(4);
    other.events.push("task");
  };
  flooded.frames.add(1, flood);
  // Timers run between the turn whose time the flood has used and the next one, which the flood waits for already.
  await new Promise((resolve) => setTimeout(resolve, 30));
  for (let count = 0; count < 10; count++) other.frames.add(1, task);
  for (let turn = 0; turn < 40; turn++) await new Promise((resolve) => setImmediate(resolve));
  isOver = true;
  expect(other.events).toHaveLength(10);
});

test.each([1, 2, 3])("what is added when the queue has become empty %i moments ago is processed", async (moments) => {
  const { frames, events } = queue();
  frames.addChunk(chunk("a", 10));
  await frames.settled();
  // Time is left in this turn of the event loop: the queue does not wait for the next one.
  frames.addChunk(chunk("b", 10));
  for (let moment = 0; moment < moments; moment++) await Promise.resolve();
  frames.add(0, async () => void events.push("later"));
  for (let turns = 0; turns < 20; turns++) await new Promise((resolve) => setImmediate(resolve));
  expect(events).toEqual(["a: 10", "b: 10", "later"]);
});
