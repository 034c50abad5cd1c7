// State and load of the service, as the pages of Setup show them.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { get } from "../api.ts";
import { useEvery } from "../every.ts";
import type { SystemStatus } from "../shapes.ts";

const POLL_MILLISECONDS = 2_000;
/** Shown at once when another of the pages is opened. */
const last = { status: undefined as SystemStatus | undefined };

/** @returns undefined until the first answer; a request that fails leaves the last answer */
export function useSystem(): { system: SystemStatus | undefined; reload(): Promise<void> } {
  const system = useSignal(last.status);
  const reload = async () => {
    system.value = await get<SystemStatus>("/v2/system").catch(() => system.value);
    last.status = system.value;
  };
  useEffect(() => {
    void reload();
  }, []);
  useEvery(POLL_MILLISECONDS, reload);
  return { system: system.value, reload };
}
