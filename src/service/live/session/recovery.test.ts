import { expect, test } from "vitest";
import type { JournalEntry } from "../log/log-contract.ts";
import { recoveredState } from "./recovery.ts";
import { mostPosition } from "./session-channels.ts";

const stateAt = (position: number) => ({ position, nextUtterance: 1, context: { startSample: position, settled: [] } });
const entriesWith = (kind: "channel" | "wordless", position: number): JournalEntry[] => [
  { kind: "format", headerBytes: 0, format: { encoding: "wav/pcm", bitDepth: 16, sampleRate: 16_000, channels: 1 } },
  { kind, channel: 0, state: stateAt(position) },
];
const MAXIMUM_MILLISECONDS = 60_000;

test("a state behind audio that arrived much faster than in real time is valid", () => {
  const most = mostPosition(3_600, MAXIMUM_MILLISECONDS);
  for (const kind of ["channel", "wordless"] as const) {
    expect(recoveredState(entriesWith(kind, 3_600 * 16_000), most).channels.size).toBe(1);
  }
});

test("a state far beyond the stored audio is damaged", () => {
  const entries = entriesWith("channel", 3_600 * 16_000);
  expect(recoveredState(entries, mostPosition(30, MAXIMUM_MILLISECONDS)).channels.size).toBe(0);
});
