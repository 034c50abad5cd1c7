// Changes of the account's recordings, from the service's stream of events. A page that is shown has one stream; hidden pages have none, because
// browsers open only six connections to a host. Without a stream, pages poll.
import { effect, signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { account } from "./account.ts";
import { at } from "./address.ts";
import { useEvery } from "./every.ts";
import { runsInTurn } from "./runs-in-turn.ts";
import type { JobState } from "./shapes.ts";

/** `reread`: changes may have been missed. */
export type Change = { type: "reread" } | { type: "job"; job: JobState } | { type: "deleted"; id: string };

const AGAIN_MILLISECONDS = 30_000;
/** While the stream is open: for what no event reports, such as the place in the queue. */
const STREAMING_POLL_MILLISECONDS = 15_000;

const isStreaming = signal(false);
const listeners = new Set<(change: Change) => void>();
let source: EventSource | undefined;
let again: ReturnType<typeof setTimeout> | undefined;

function close(): void {
  clearTimeout(again);
  source?.close();
  source = undefined;
  isStreaming.value = false;
}

function take(change: Change): void {
  isStreaming.value = true;
  for (const listener of [...listeners]) listener(change);
}

/** Opens or closes the stream, as this page needs it. */
function update(): void {
  const isWanted = listeners.size > 0 && !document.hidden && account.peek().kind === "in";
  if (!isWanted) close();
  else if (!source) open();
}

function open(): void {
  const stream = new EventSource(at("/v2/events"));
  source = stream;
  stream.addEventListener("reread", () => take({ type: "reread" }));
  stream.addEventListener("job", ({ data }) => take({ type: "job", job: JSON.parse(data) as JobState }));
  stream.addEventListener("deleted", ({ data }) =>
    take({ type: "deleted", id: (JSON.parse(data) as { id: string }).id }),
  );
  stream.onerror = () => {
    isStreaming.value = false;
    // The browser connects again, unless the service refused the stream.
    if (stream.readyState !== EventSource.CLOSED) return;
    close();
    again = setTimeout(update, AGAIN_MILLISECONDS);
  };
}

document.addEventListener("visibilitychange", update);

/**
 * Calls `take` for each change of the account's recordings while this page is shown.
 * @param read  reads everything that the page shows: periodically without a stream, and where changes may have been missed
 */
export function useChanges(
  pollMilliseconds: number,
  read: () => Promise<unknown>,
  take?: (change: Exclude<Change, { type: "reread" }>) => void,
): void {
  const latest = useRef({ read, take });
  latest.current = { read, take };
  const reading = useRef<(() => Promise<void>) | undefined>(undefined);
  reading.current ??= runsInTurn(async () => {
    await latest.current.read().catch(() => undefined);
  });
  useEffect(() => {
    const listener = (change: Change) => {
      const own = latest.current.take;
      if (change.type === "reread" || !own) void reading.current?.();
      else own(change);
    };
    listeners.add(listener);
    const stop = effect(() => {
      // Runs again after a sign-in.
      void account.value;
      update();
    });
    return () => {
      stop();
      listeners.delete(listener);
      update();
    };
  }, []);
  useEvery(
    isStreaming.value ? STREAMING_POLL_MILLISECONDS : pollMilliseconds,
    () => reading.current?.() ?? Promise.resolve(),
  );
}
