import { expect, test } from "vitest";
import { StreamDecoders } from "./stream-decoders.ts";

test("accounts take turns, one step at a time, whatever the number of their streams", async () => {
  const order: string[] = [];
  let running = 0;
  const process = {
    processId: 1,
    start: async () => {},
    stop: async () => {},
    call: async ({ stream }: { stream: string }) => {
      expect(++running).toBe(1);
      order.push(stream);
      await new Promise((resolve) => setImmediate(resolve));
      running--;
      return { kind: "closed" as const };
    },
  };
  const decoders = new StreamDecoders({ environment: {} as never, memoryLimitBytes: 1 }, process as never);
  const streams = ["a1", "a2", "a3", "a4", "a5", "b1"];
  for (const stream of streams) await decoders.start(stream, stream.slice(0, 1));
  await Promise.all(streams.map((stream) => decoders.step({ kind: "more", stream })));
  expect(order).toEqual(["a1", "a2", "b1", "a3", "a4", "a5"]);
  await Promise.all(streams.map((stream) => decoders.close(stream)));
  expect(order).toHaveLength(2 * streams.length);
  await decoders.stop();
});
