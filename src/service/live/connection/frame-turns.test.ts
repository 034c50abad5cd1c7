import { expect, test } from "vitest";
import { eventLoopTurn } from "../../../platform/process/sleep.ts";
import { FrameTurns } from "./frame-turns.ts";

const FRAMES = 40;
const FRAME_MILLISECONDS = 2;

function busy(milliseconds: number): void {
  const until = performance.now() + milliseconds;
  while (performance.now() < until);
}

/** Pushes FRAMES frames at once. @returns the order of events, and the turns of the event loop in which frames were read */
async function read(connections: number) {
  const events: string[] = [];
  let turn = 0;
  const turnsOfFrames: number[] = [];
  const all = Array.from({ length: connections }, (_, connection) => {
    const frames: FrameTurns = new FrameTurns({
      onFrame: (bytes) => {
        busy(FRAME_MILLISECONDS);
        events.push(`${connection} ${bytes}`);
        turnsOfFrames.push(turn);
      },
      onWaiting: () => events.push(`${connection} ${frames.isWaiting ? "waits" : "continues"}`),
    });
    return frames;
  });
  let open = all.length;
  for (const frames of all) {
    for (let at = 0; at < FRAMES; at++) frames.push(Buffer.from(String(at)), false);
    frames.afterFrames(() => open--);
  }
  for (; open > 0; turn++) await eventLoopTurn();
  return { events, turnsOfFrames };
}

test.each([1, 4])(
  "frames of %i connections at once are read in order, some in each turn of the event loop",
  async (connections) => {
    const { events, turnsOfFrames } = await read(connections);
    for (let connection = 0; connection < connections; connection++) {
      const own = events.filter((event) => event.startsWith(`${connection} `)).map((event) => event.split(" ")[1]);
      expect(own.filter((event) => /\d/.test(event ?? ""))).toEqual(
        Array.from({ length: FRAMES }, (_, at) => String(at)),
      );
      // The connection is closed behind its last frame.
      expect(own.at(-1)).toBe("continues");
    }
    const perTurn = new Map<number, number>();
    for (const turn of turnsOfFrames) perTurn.set(turn, (perTurn.get(turn) ?? 0) + 1);
    expect(Math.max(...perTurn.values()) * FRAME_MILLISECONDS).toBeLessThan(40);
  },
);

test("a frame alone is read at once", async () => {
  await eventLoopTurn();
  const events: string[] = [];
  const frames = new FrameTurns({
    onFrame: (bytes) => events.push(String(bytes)),
    onWaiting: () => events.push("waits"),
  });
  frames.push(Buffer.from("one"), false);
  frames.afterFrames(() => events.push("closed"));
  expect(events).toEqual(["one", "closed"]);
});

test("a connection whose frames never end leaves turns to the others", async () => {
  let isOver = false;
  const flood: FrameTurns = new FrameTurns({
    onFrame: () => {
      if (isOver) return;
      busy(4);
      for (let count = 0; count < 2; count++) flood.push(Buffer.alloc(1), false);
    },
    onWaiting: () => undefined,
  });
  flood.push(Buffer.alloc(1), false);
  let read = 0;
  const other = new FrameTurns({ onFrame: () => read++, onWaiting: () => undefined });
  for (let count = 0; count < 5; count++) other.push(Buffer.alloc(1), false);
  for (let turn = 0; turn < 20; turn++) await eventLoopTurn();
  isOver = true;
  expect(read).toBe(5);
});
