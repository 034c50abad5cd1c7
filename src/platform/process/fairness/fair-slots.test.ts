import { expect, test } from "vitest";
import { errors } from "../../errors.ts";
import { FairQueue } from "./fair-queue.ts";
import { FairSlots } from "./fair-slots.ts";

test("tenants take turns, whatever the number of their items", () => {
  const queue = new FairQueue<string>();
  for (const item of ["a1", "a2", "a3", "a4"]) queue.add("a", item);
  queue.add("b", "b1");
  queue.add("c", "c1");
  expect(queue.remove("a", "a2")).toBe(true);
  expect(queue.remove("a", "a2")).toBe(false);
  expect(Array.from({ length: 6 }, () => queue.next())).toEqual(["a1", "b1", "c1", "a3", "a4", undefined]);
  expect(queue.length).toBe(0);
});

test("a freed slot goes to the waiting tenant that holds the fewest", async () => {
  const slots = new FairSlots({ slots: 2 });
  const granted: string[] = [];
  const releases: (() => void)[] = [];
  const ask = (name: string, tenant: string) =>
    slots.acquire(tenant).then((release) => {
      granted.push(name);
      releases.push(release);
    });
  const all = [ask("a1", "a"), ask("a2", "a"), ask("a3", "a"), ask("a4", "a"), ask("b1", "b")];
  await Promise.all(all.slice(0, 2));
  releases[0]?.();
  await all[4];
  expect(granted).toEqual(["a1", "a2", "b1"]);
  releases[1]?.();
  releases[2]?.();
  await Promise.all(all);
  expect(granted).toEqual(["a1", "a2", "b1", "a3", "a4"]);
});

test("one tenant never exceeds its share, even while slots are free", async () => {
  const slots = new FairSlots({ slots: 3, slotsPerTenant: 2 });
  await slots.acquire("a");
  const release = await slots.acquire("a");
  let isThird = false;
  const third = slots.acquire("a").then(() => {
    isThird = true;
  });
  await slots.acquire("b");
  expect(isThird).toBe(false);
  release();
  release();
  await third;
  expect(slots.waiting).toBe(0);
});

test("a full queue rejects with the given error; an aborted request leaves the queue", async () => {
  const slots = new FairSlots({ slots: 1, waitingPerTenant: 1, waiting: 2, full: errors.decodersBusy });
  const release = await slots.acquire("a");
  const abort = new AbortController();
  const gone = slots.acquire("a", abort.signal);
  await expect(slots.acquire("a")).rejects.toMatchObject({ code: "decode.queue_full", status: 503 });
  const other = slots.acquire("b");
  await expect(slots.acquire("c")).rejects.toMatchObject({ code: "decode.queue_full" });
  abort.abort();
  await expect(gone).rejects.toMatchObject({ code: "work.aborted" });
  release();
  (await other)();
  await expect(slots.run("a", async () => "done")).resolves.toBe("done");
});
