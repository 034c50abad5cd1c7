import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { LiveReservation } from "./live-reservation.ts";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test("the end is reported once, after the last live work", () => {
  let ends = 0;
  const reservation = new LiveReservation(() => ends++);
  reservation.begin();
  vi.advanceTimersByTime(2_000);
  reservation.begin();
  vi.advanceTimersByTime(2_500);
  expect([ends, reservation.isActive]).toEqual([0, true]);
  vi.advanceTimersByTime(600);
  expect([ends, reservation.isActive]).toEqual([1, false]);
  reservation.begin();
  expect(reservation.isActive).toBe(true);
});
