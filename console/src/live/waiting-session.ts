// Whether a live session of this browser still runs that no window continues, for the navigation of every page.
import { effect, signal } from "@preact/signals";
import { account, accountName } from "../account.ts";
import { openPages, page } from "../open-pages.ts";
import { changesOfSessions, storedSessions } from "./stored-sessions.ts";

export const hasWaitingSession = signal(false);

async function look(): Promise<void> {
  const sessions = storedSessions(accountName()).filter((session) => session.page !== page);
  const isOpen = sessions.length > 0 ? await openPages() : () => true;
  hasWaitingSession.value = sessions.some((session) => !isOpen(session.page));
}

effect(() => {
  void account.value;
  void changesOfSessions.value;
  void look();
});
