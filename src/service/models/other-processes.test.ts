import { expect, test } from "vitest";
import { OtherProcesses } from "./other-processes.ts";

const process = (machine: string, models: string[], roles = ["worker"]) => ({ machine, models, roles });
const ids = ["a", "b", "c"];

test("models are those of the last reports, by role", () => {
  const others = new OtherProcesses();
  others.take([process("1", ["a"]), process("2", ["b"], ["live"])]);
  expect(ids.map((id) => others.hasModel("worker", id))).toEqual([true, false, false]);
  expect(ids.map((id) => others.hasModel("live", id))).toEqual([false, true, false]);
  others.take([process("1", ["c"]), process("2", ["b"], ["live"])]);
  expect(ids.map((id) => others.hasModel("worker", id))).toEqual([false, false, true]);
  // It runs, and no longer has the model.
  expect(others.mayHaveModel("worker", "a")).toBe(false);
});

test("a process that stopped may return with its models within ten minutes", () => {
  let now = 0;
  const others = new OtherProcesses(() => now);
  others.take([process("1", ["a"])]);
  others.take([]);
  expect([others.hasModel("worker", "a"), others.mayHaveModel("worker", "a")]).toEqual([false, true]);
  expect(others.mayHaveModel("live", "a")).toBe(false);
  now = 599_000;
  others.take([]);
  expect(others.mayHaveModel("worker", "a")).toBe(true);
  now = 601_000;
  others.take([]);
  expect(others.mayHaveModel("worker", "a")).toBe(false);
  others.take([process("1", ["a"])]);
  now = 602_000;
  others.take([process("1", [])]);
  expect(others.mayHaveModel("worker", "a")).toBe(false);
});

test("reports of the previous version name models, which this process describes", () => {
  const others = new OtherProcesses();
  const model = { engine: "whisper", languages: ["es"], capabilities: {}, licence: "MIT" };
  const installed = [{ ...model, id: "b", source: "hf:o/b", bytes: 1 }];
  others.take([process("1", ["a", "unknown"]), { ...process("2", ["a", "b"]), installed }]);
  const known = { ...model, id: "a", capabilities: {} as never };
  const found = others.models("worker", (id) => (id === "a" ? known : undefined));
  expect(found).toEqual([known, { ...model, id: "b", manifest: { source: "hf:o/b" }, bytes: 1 }]);
  expect(others.hasModel("worker", "hf:o/b")).toBe(true);
});
