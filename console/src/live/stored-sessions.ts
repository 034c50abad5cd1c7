// Live sessions that pages of this browser have begun and that may still run. Any page can continue one: after a reload, or in place of another page.
import { signal } from "@preact/signals";
import { accountName } from "../account.ts";
import { ApiError, get } from "../api.ts";
import { forget, namesOf, readChoice, storeChoice, whenStoredElsewhere } from "../memory.ts";
import { page } from "../open-pages.ts";
import type { Job } from "../shapes.ts";
import { KEPT_MILLISECONDS, removeForgottenAudio } from "../upload-store.ts";

export interface StoredSession {
  id: string;
  /** Name of the account. */
  account: string;
  /** Opens the session, and nothing else. */
  token: string;
  /** Token that reads its captions; absent for sessions that an earlier version began. */
  viewerToken?: string;
  sampleRate: number;
  /** When it began, milliseconds. */
  at: number;
  /** The page that continues it. */
  page: string;
  isPaused?: boolean;
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

const storedSession = (id: string) => readChoice<StoredSession | undefined>(PREFIX + id, undefined);

/** Calls `listener` when another page continues the session. @returns stops that */
export function whenContinuedElsewhere(id: string, listener: () => void): () => void {
  return whenStoredElsewhere(PREFIX + id, () => {
    if ((storedSession(id)?.page ?? page) !== page) listener();
  });
}

const sessionsOfAll = () => namesOf(PREFIX).flatMap((name) => storedSession(name.slice(PREFIX.length)) ?? []);

/** Newest first. */
export function storedSessions(account: string | undefined): StoredSession[] {
  const own = sessionsOfAll().filter((session) => session.account === account);
  return own.sort((left, right) => right.at - left.at);
}

/** Forgets those of these sessions that have ended. The navigation, which looks again after each change, removes their audio. */
export async function forgetEnded(sessions: readonly StoredSession[]): Promise<void> {
  for (const { id, account } of sessions) {
    // For another account, the session does not exist.
    if (account !== accountName()) return;
    if (await hasEnded(id)) forgetSession(id);
  }
}

async function hasEnded(id: string): Promise<boolean> {
  try {
    const { status } = await get<Job>(`/v2/live/${id}`);
    return status === "done" || status === "error";
  } catch (error) {
    return error instanceof ApiError && error.status === 404;
  }
}

/** Forgets sessions of every account that were left behind for days, and removes the audio of forgotten sessions. */
export async function forgetOld(isOpen: (other: string) => boolean): Promise<void> {
  const old = sessionsOfAll().filter((one) => Date.now() - one.at > KEPT_MILLISECONDS && !isOpen(one.page));
  for (const { id } of old) forgetSession(id);
  await removeForgottenAudio((id) => storedSession(id) !== undefined);
}
