import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { LiveConnection, type Socket } from "../contract/client/live-connection.ts";
import { MOST_OUTAGE_MILLISECONDS, Outage } from "./live.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A socket that opens, or is refused. */
function socket(opens: boolean): Socket {
  const made: Socket = {
    binaryType: "",
    readyState: opens ? 1 : 3,
    send: () => undefined,
    close: () => undefined,
    onopen: null,
    onmessage: null,
    onclose: null,
    onerror: null,
  };
  setTimeout(() => (opens ? made.onopen?.({} as never) : made.onclose?.({ code: 1006, reason: "" } as never)), 1);
  return made;
}

/** @param opens  whether the service answers now */
function connected(opens: () => boolean) {
  const seen = { begun: 0, tooLong: 0, attempts: 0, last: undefined as Socket | undefined };
  const outage = new Outage(
    () => seen.begun++,
    () => {
      seen.tooLong++;
      connection.leave();
    },
  );
  const open = () => {
    seen.attempts++;
    seen.last = socket(opens());
    return seen.last;
  };
  const connection = new LiveConnection(open, {
    onState: (state) => {
      if (state === "broken") outage.begin();
      if (state === "open") outage.end();
    },
    onMessage: () => outage.end(),
    onEnded: () => outage.end(),
  });
  return seen;
}

test("a service that does not return ends the session after five minutes, with one message", async () => {
  const seen = connected(() => false);
  await vi.advanceTimersByTimeAsync(MOST_OUTAGE_MILLISECONDS - 1_000);
  expect(seen).toMatchObject({ begun: 1, tooLong: 0 });
  expect(seen.attempts).toBeGreaterThan(10);
  await vi.advanceTimersByTimeAsync(2_000);
  const { attempts } = seen;
  await vi.advanceTimersByTimeAsync(MOST_OUTAGE_MILLISECONDS);
  expect(seen).toMatchObject({ begun: 1, tooLong: 1, attempts });
});

test("each outage that passes is reported once", async () => {
  let isThere = false;
  const seen = connected(() => isThere);
  await vi.advanceTimersByTimeAsync(MOST_OUTAGE_MILLISECONDS - 20_000);
  isThere = true;
  await vi.advanceTimersByTimeAsync(2 * MOST_OUTAGE_MILLISECONDS);
  expect(seen).toMatchObject({ begun: 1, tooLong: 0 });
  seen.last?.onclose?.({ code: 1006, reason: "" } as never);
  await vi.advanceTimersByTimeAsync(2 * MOST_OUTAGE_MILLISECONDS);
  expect(seen).toMatchObject({ begun: 2, tooLong: 0 });
});
