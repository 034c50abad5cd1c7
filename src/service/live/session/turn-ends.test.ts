import { expect, test } from "vitest";
import { TurnEnds } from "./turn-ends.ts";

type Parts = ConstructorParameters<typeof TurnEnds>[0];

/** Ends of turns whose finals a test lets arrive. */
function world() {
  const ends: (() => void)[] = [];
  const sent: string[] = [];
  const leaving = new AbortController();
  const audio = { total: 0 };
  let waits = 0;
  const turnEnds = new TurnEnds({
    log: { audio, appendEntries: async () => undefined } as unknown as Parts["log"],
    channels: { endTurn: () => new Promise<void>((resolve) => ends.push(resolve)) } as unknown as Parts["channels"],
    outbox: { send: async ({ kind }: { kind: string }) => void sent.push(kind) } as unknown as Parts["outbox"],
    pressure: {
      during: async (wait) => {
        waits++;
        return wait;
      },
    },
    signal: leaving.signal,
    isRecording: () => !leaving.signal.aborted,
    onStorageError: (error) => {
      throw error;
    },
  });
  /** As the frames of a connection: the next one is read when this one is done. */
  const flood = async (count: number) => {
    for (let at = 1; at <= count; at++) {
      audio.total++;
      await turnEnds.finalize(at);
    }
  };
  return { ends, sent, leaving, flood, waits: () => waits };
}

test("a client that sends finalize faster than its finals are recognised is read no further, and each has an answer", async () => {
  const { ends, sent, flood, waits } = world();
  const flooding = flood(100);
  await expect.poll(waits).toBe(1);
  expect(ends).toHaveLength(16);
  for (let at = 0; at < 100; at++) {
    await expect.poll(() => ends.length).toBeGreaterThan(at);
    expect(ends.length).toBeLessThanOrEqual(at + 16);
    ends[at]?.();
  }
  await flooding;
  await expect.poll(() => sent).toEqual(Array(100).fill("finalized"));
});

test("a process that leaves the session does not wait for finals", async () => {
  const { sent, leaving, flood, waits } = world();
  const flooding = flood(17);
  await expect.poll(waits).toBe(1);
  leaving.abort();
  await flooding;
  expect(sent).toEqual(["finalizeRefused"]);
});
