// The link to the captions of the running session.
import { useSignal } from "@preact/signals";
import { base } from "../address.ts";
import { t } from "../language/language.ts";
import { copy } from "../parts/copy.ts";
import type { StoredSession } from "./stored-sessions.ts";

/** Address of the page that shows the captions; undefined for sessions that an earlier version began. */
export const captionsLink = ({ id, viewerToken }: StoredSession): string | undefined =>
  viewerToken === undefined ? undefined : `${base}/captions/${id}?token=${encodeURIComponent(viewerToken)}`;

export function ShareCaptions({ session }: { session: StoredSession }) {
  const isOpen = useSignal(false);
  const link = captionsLink(session);
  if (link === undefined) return null;
  return (
    <>
      <button
        type="button"
        aria-expanded={isOpen.value}
        aria-controls="share-captions"
        onClick={() => {
          isOpen.value = !isOpen.value;
        }}
      >
        {t.live.share}
      </button>
      {isOpen.value ? (
        <div id="share-captions" class="row wrap share-captions">
          <label class="grow">
            <span>{t.live.shareHint}</span>
            <input
              type="text"
              dir="ltr"
              readOnly
              value={link}
              onFocus={({ currentTarget }) => currentTarget.select()}
            />
          </label>
          <button type="button" onClick={() => copy(link, t.live.linkCopied)}>
            {t.frame.copy}
          </button>
        </div>
      ) : null}
    </>
  );
}
