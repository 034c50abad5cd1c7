// Sessions that still run and that this page does not continue: after a reload, or because another window does.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { useLocation } from "preact-iso";
import { accountName } from "../account.ts";
import { useEvery } from "../every.ts";
import { formats, t } from "../language/language.ts";
import { openPages, page } from "../open-pages.ts";
import type { LiveRecording } from "./live-recording.ts";
import { changesOfSessions, forgetEnded, type StoredSession, storedSessions } from "./stored-sessions.ts";

const PAGES_MILLISECONDS = 2_000;

export function LeftSessions({ live }: { live: LiveRecording }) {
  const { query, route, path } = useLocation();
  const isOpen = useSignal<(other: string) => boolean>(() => true);
  const look = async () => {
    isOpen.value = await openPages();
  };
  const continueWith = (session: StoredSession) => void live.rejoin(session);
  useEffect(() => {
    const begin = async () => {
      await forgetEnded(storedSessions(accountName()));
      await look();
      const sessions = storedSessions(accountName());
      // A link names a session; otherwise one that no window continues is taken.
      const named = sessions.find(({ id }) => id === query["session"]);
      const left = sessions.filter((one) => one.page === page || !isOpen.value(one.page));
      if (query["session"]) route(path, true);
      const chosen = named ?? (left.length === 1 ? left[0] : undefined);
      if (chosen && !live.running.peek() && !live.isStarting.peek()) continueWith(chosen);
    };
    void begin();
  }, []);
  useEvery(PAGES_MILLISECONDS, look);
  void changesOfSessions.value;
  const sessions = storedSessions(accountName());
  if (sessions.length === 0) return null;
  return (
    <>
      <ul class="plain left-sessions" aria-label={t.live.running}>
        {sessions.map((session) => (
          <li key={session.id} class="row wrap">
            <span>
              {(session.page !== page && isOpen.value(session.page) ? t.live.inOtherWindow : t.live.interrupted)(
                formats.moment(new Date(session.at)),
              )}
            </span>
            <button type="button" disabled={live.isStarting.value} onClick={() => continueWith(session)}>
              {t.live.continueHere}
            </button>
          </li>
        ))}
      </ul>
      <p class="hint">{t.live.orNew}</p>
    </>
  );
}
