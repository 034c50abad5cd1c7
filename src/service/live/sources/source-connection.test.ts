import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { PAUSE_SECONDS, SourceConnection } from "./source-connection.ts";

const open = (secondsWithoutAudio = () => 0) =>
  new SourceConnection(1, { add: async () => undefined }, secondsWithoutAudio);

test("a result is there while the connection is open, and undefined from its end on", async () => {
  const connection = open();
  expect(await connection.whileOpen(Promise.resolve("reached"))).toBe("reached");
  await expect(connection.whileOpen(Promise.reject(new Error("lost")))).rejects.toThrow("lost");
  const waiting = connection.whileOpen(new Promise(() => undefined));
  connection.close({ kind: "complete" });
  expect(await waiting).toBeUndefined();
  expect(await connection.whileOpen(Promise.resolve("reached"))).toBeUndefined();
});

test("results of an open connection do not stay in memory", async () => {
  const connection = open();
  let freed = 0;
  const registry = new FinalizationRegistry(() => freed++);
  const many = 200;
  const one = async (at: number) => {
    const result = { at };
    registry.register(result, at);
    expect((await connection.whileOpen(Promise.resolve(result)))?.at).toBe(at);
  };
  for (let at = 0; at < many; at++) await one(at);
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  await expect
    .poll(() => {
      collect();
      return freed;
    })
    .toBeGreaterThan(many / 2);
  expect(await connection.whileOpen(Promise.resolve("open"))).toBe("open");
});

test("a turn may end only after a long time without audio, not between two parts", async () => {
  const withoutAudio = [PAUSE_SECONDS - 0.02, PAUSE_SECONDS - 0.01, PAUSE_SECONDS];
  await open(() => withoutAudio.shift() as number).turnMayEnd();
  expect(withoutAudio).toEqual([]);
});

test("no turn ends after the end of its connection", async () => {
  const connection = open();
  const mayEnd = connection.turnMayEnd();
  connection.close({ kind: "complete" });
  await expect(mayEnd).rejects.toThrow();
});
