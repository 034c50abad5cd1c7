import { expect, test } from "vitest";
import type { LiveEvent } from "../events/live-event.ts";
import { FrameReports } from "./frame-reports.ts";

async function reasons(...frames: string[][]): Promise<string[]> {
  const sent: LiveEvent[] = [];
  const reports = new FrameReports({
    send: async (event) => void sent.push(event),
    persistAndSendOnce: async (event) => void sent.push(event),
  });
  for (const names of frames) await reports.unknownFields(names);
  return sent.flatMap((event) => (event.kind === "error" ? [event.reason] : []));
}

const names = (count: number, from = 0) => Array.from({ length: count }, (_, at) => `f${from + at}`);

test("an unknown field is reported once", async () => {
  expect(await reasons(["a", "b"], ["a"], ["b", "c"])).toEqual([
    "unknown fields are ignored: a, b",
    "unknown fields are ignored: c",
  ]);
});

test("after twenty, the others of a frame are counted, and no later one is reported", async () => {
  expect(await reasons(names(33), names(40))).toEqual([
    `unknown fields are ignored: ${names(20).join(", ")} and 13 more; further ones are not reported`,
  ]);
  expect(await reasons(names(18), names(3, 18), ["z"])).toEqual([
    `unknown fields are ignored: ${names(18).join(", ")}`,
    "unknown fields are ignored: f18, f19 and 1 more; further ones are not reported",
  ]);
});
