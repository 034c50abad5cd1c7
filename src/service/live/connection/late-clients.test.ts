import { afterEach, expect, test, vi } from "vitest";
import { LateClients } from "./late-clients.ts";

afterEach(() => {
  vi.useRealTimers();
});

const client = () => ({ expire: vi.fn(), displace: vi.fn() });

test("the client that waits longest makes room for another one", () => {
  const late = new LateClients({ most: 2 });
  const [first, second, third, fourth] = [client(), client(), client(), client()] as const;
  const found = late.add(first);
  late.add(second);
  found();
  late.add(third);
  expect([first, second, third].map(({ displace }) => displace.mock.calls.length)).toEqual([0, 0, 0]);
  late.add(fourth);
  expect([first, second, third, fourth].map(({ displace }) => displace.mock.calls.length)).toEqual([0, 1, 0, 0]);
  expect(late.size).toBe(2);
});

test("a client waits for 30 s at most; not one whose session was found", () => {
  vi.useFakeTimers();
  const late = new LateClients();
  const [waits, leaves] = [client(), client()] as const;
  late.add(waits);
  const found = late.add(leaves);
  vi.advanceTimersByTime(29_000);
  found();
  expect(waits.expire).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1_000);
  expect(waits.expire).toHaveBeenCalledOnce();
  expect(leaves.expire).not.toHaveBeenCalled();
  expect(late.size).toBe(0);
});
