import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { type AddonCall, limitProviders, nextTurn, onBehalfOf, withProviderSlot, withTimeLimit } from "./turns.ts";

const LONG_MILLISECONDS = 60_000;
const late = () => new Error("late");
const callOf = (tenant: string, more: Partial<AddonCall> = {}): AddonCall => ({
  tenant,
  signal: new AbortController().signal,
  onTurn: () => undefined,
  ...more,
});
/** Keeps the process busy, as an add-on does. */
function compute(milliseconds: number): void {
  for (const until = performance.now() + milliseconds; performance.now() < until; );
}

test("accounts compute in turns, and the call that computes is known", async () => {
  const order: string[] = [];
  const turns: string[] = [];
  const work = (tenant: string, name: string) =>
    onBehalfOf(callOf(tenant, { onTurn: () => turns.push(name) }), () =>
      withTimeLimit(LONG_MILLISECONDS, late, async () => {
        compute(5);
        order.push(name);
      }),
    );
  await Promise.all([...["a1", "a2", "a3"].map((name) => work("a", name)), work("b", "b1")]);
  expect(order).toEqual(["a1", "a2", "b1", "a3"]);
  expect(turns).toEqual(order);
});

test("a call that waits for a provider lets others compute; its answers may come side by side", async () => {
  let answer: () => void = () => undefined;
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const waiting = onBehalfOf(callOf("a"), () =>
    withTimeLimit(LONG_MILLISECONDS, late, () =>
      Promise.all(
        [1, 2].map(() => withTimeLimit(LONG_MILLISECONDS, late, () => withProviderSlot(async () => await answered))),
      ),
    ),
  );
  for (let count = 0; count < 3; count++) {
    await onBehalfOf(callOf("a"), () => withTimeLimit(LONG_MILLISECONDS, late, async () => compute(1)));
  }
  answer();
  expect(await waiting).toHaveLength(2);
});

test("requests to providers are bounded for one account, and waiting for a place does not use up the time", async () => {
  limitProviders({ requests: 2, requestsPerTenant: 1 });
  let under = 0;
  let most = 0;
  const ask = (tenant: string) =>
    onBehalfOf(callOf(tenant), () =>
      withTimeLimit(400, late, () =>
        withProviderSlot(async () => {
          most = Math.max(most, ++under);
          await pause(100);
          under--;
          return tenant;
        }),
      ),
    );
  expect(await Promise.all(["a", "a", "a", "a", "a", "a", "a", "b"].map(ask))).toHaveLength(8);
  expect(most).toBe(2);
});

test("a call over its time limit ends with its own error, and its request is aborted", async () => {
  let isAborted = false;
  const hanging = onBehalfOf(callOf("a"), () =>
    withTimeLimit(50, late, () =>
      withProviderSlot(async (signal) => {
        await pause(LONG_MILLISECONDS, undefined, { signal }).catch(() => {
          isAborted = true;
        });
      }),
    ),
  );
  await expect(hanging).rejects.toThrow("late");
  await nextTurn();
  expect(isAborted).toBe(true);
});

test("a call that is given up ends at once, wherever it waits", async () => {
  const giveUp = new AbortController();
  const call = callOf("a", { signal: giveUp.signal });
  const hang = () => new Promise<void>(() => undefined);
  const works = [hang, () => withProviderSlot(hang)].map((work) =>
    onBehalfOf(call, () => withTimeLimit(LONG_MILLISECONDS, late, work)),
  );
  const outcomes = Promise.allSettled(works);
  await nextTurn();
  giveUp.abort();
  for (const outcome of await outcomes) expect(outcome).toMatchObject({ reason: { code: "work.aborted" } });
  await expect(onBehalfOf(call, () => withTimeLimit(50, late, async () => 1))).rejects.toMatchObject({
    code: "work.aborted",
  });
});
