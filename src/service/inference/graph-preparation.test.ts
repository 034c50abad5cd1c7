import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { tryKernelLock } from "../../platform/storage/kernel-lock.ts";
import { BUILT_IN_MODELS } from "../../speech/engines/registry.ts";
import { prepareAhead, prepareElsewhere } from "./graph-preparation.ts";

const folder = mkdtempSync(path.join(os.tmpdir(), "parlance-preparation-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const model = BUILT_IN_MODELS.find(({ id }) => id === "moonshine-tiny-en");
if (!model) throw new Error("there is no moonshine-tiny-en");

const graphsIn = (shared: string) => readdirSync(shared).filter((name) => !name.startsWith("."));

test("another process prepares the graphs once for several callers, and the lock is free afterwards", async () => {
  const shared = path.join(folder, "shared");
  const wait = () => prepareElsewhere(shared, model, async () => graphsIn(shared).length === 2);
  await Promise.all([wait(), wait()]);
  expect(graphsIn(shared).every((name) => name.startsWith(model.id))).toBe(true);
  await expect
    .poll(async () => {
      const lock = await tryKernelLock(path.join(shared, ".lock"));
      await lock?.release();
      return lock !== undefined;
    })
    .toBe(true);
});

test("a preparation begun ahead makes the graphs that others wait for; ended early, it frees the lock", async () => {
  const isLockFree = async (shared: string) => {
    const lock = await tryKernelLock(path.join(shared, ".lock"));
    await lock?.release();
    return lock !== undefined;
  };
  const whole = path.join(folder, "ahead");
  const end = prepareAhead(whole, model);
  await prepareElsewhere(whole, model, async () => graphsIn(whole).length === 2);
  expect(graphsIn(whole)).toHaveLength(2);
  await end();
  expect(await isLockFree(whole)).toBe(true);
  const early = path.join(folder, "ended-early");
  const endEarly = prepareAhead(early, model);
  await expect.poll(() => isLockFree(early).catch(() => true)).toBe(false);
  await endEarly();
  expect(await isLockFree(early)).toBe(true);
  expect(graphsIn(early).length).toBeLessThan(2);
});

test("a model that cannot be prepared ends the wait", async () => {
  const shared = path.join(folder, "missing");
  await prepareElsewhere(shared, { ...model, id: "no-such-model" }, async () => false);
  expect(graphsIn(shared)).toEqual([]);
});
