import { expect, test } from "vitest";
import type { Closing, StopCause } from "../../events/closing.ts";
import { FinalClosing } from "./final-closing.ts";

const audio = (bytes: number) => ({ kind: "audio", bytes: Buffer.alloc(bytes) }) as const;

/** How a connection is closed when the end is stored. */
function closed(ending: FinalClosing): Closing | undefined {
  const closings: Closing[] = [];
  ending.close({ close: (closing) => closings.push(closing) }, 1.5);
  return closings[0];
}

/** A client that sends two chunks and stops. */
function stopped(storedBytes: number): FinalClosing {
  const ending = new FinalClosing(undefined);
  ending.attached();
  for (const command of [audio(200), audio(100), { kind: "stop" } as const, audio(400), { kind: "stop" } as const])
    ending.receives(command);
  ending.stores(storedBytes);
  ending.stops("client");
  return ending;
}

test("a session is complete only if everything that its client sent before the stop is stored", () => {
  expect(closed(stopped(300))).toEqual({ kind: "complete", storedSeconds: 1.5 });
  expect(closed(stopped(299))).toEqual({ kind: "ended", storedSeconds: 1.5, cause: "client" });
});

test("what follows the stop, or is resent to a session that is stopped, changes nothing", () => {
  for (const storedBytes of [300, 299]) {
    const ending = stopped(storedBytes);
    ending.receives({ kind: "stop" });
    const before = closed(ending);
    ending.attached();
    for (const command of [audio(100), { kind: "stop" } as const]) ending.receives(command);
    expect(closed(ending)).toEqual(before);
  }
});

test.each<StopCause>(["idle", "away", "length", "revoked"])("a session that ended by %s is never complete", (cause) => {
  for (const ending of [new FinalClosing(cause), new FinalClosing(undefined)]) {
    ending.attached();
    ending.stops(cause);
    ending.stops("client");
    expect(closed(ending)?.kind).toBe(cause === "idle" ? "idle" : "ended");
    expect(closed(ending)).toEqual({ kind: "ended", storedSeconds: 1.5, cause });
  }
});
