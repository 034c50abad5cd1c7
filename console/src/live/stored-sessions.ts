// Live sessions that pages of this browser have begun and that may still run. Any page can continue one: after a reload, or in place of another page.
import { signal } from "@preact/signals";
import { forget, namesOf, readChoice, storeChoice, whenStoredElsewhere } from "../memory.ts";

export interface StoredSession {
  id: string;
  /** Name of the account. */
  account: string;
  /** Opens the session, and nothing else. */
  token: string;
  sampleRate: number;
  /** When it began, milliseconds. */
  at: number;
  /** The page that continues it. */
  page: string;
}

const PREFIX = "live.";

/** Increases with every change, also of another page. */
export const changesOfSessions = signal(0);
const changed = () => {
  changesOfSessions.value++;
};
whenStoredElsewhere(PREFIX, changed);

export function storeSession(session: StoredSession): void {
  storeChoice(PREFIX + session.id, session);
  changed();
}

export function forgetSession(id: string): void {
  forget(PREFIX + id);
  changed();
}

/** Newest first. */
export function storedSessions(account: string | undefined): StoredSession[] {
  const all = namesOf(PREFIX).flatMap((name) => readChoice<StoredSession | undefined>(name, undefined) ?? []);
  return all.filter((session) => session.account === account).sort((left, right) => right.at - left.at);
}
