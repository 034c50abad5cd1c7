// Whether a live session of this browser still runs that no window continues, for the navigation of every page.
import { effect, signal } from "@preact/signals";
import { account, accountName } from "../account.ts";
import { openPages, page } from "../open-pages.ts";
import { changesOfSessions, forgetEnded, forgetOld, storedSessions } from "./stored-sessions.ts";

export const hasWaitingSession = signal(false);

/** A session that no window continues ends after a while. */
const AGAIN_MILLISECONDS = 10_000;
let again: ReturnType<typeof setTimeout> | undefined;

async function look(): Promise<void> {
  const isOpen = await openPages();
  await forgetOld(isOpen);
  const waiting = () =>
    storedSessions(accountName()).filter((session) => session.page !== page && !isOpen(session.page));
  await forgetEnded(waiting());
  hasWaitingSession.value = waiting().length > 0;
  clearTimeout(again);
  if (hasWaitingSession.value) again = setTimeout(() => void look(), AGAIN_MILLISECONDS);
}

effect(() => {
  void account.value;
  void changesOfSessions.value;
  void look();
});
