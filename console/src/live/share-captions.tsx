// The link to the captions of the running session.
import { useSignal } from "@preact/signals";
import { base } from "../address.ts";
import { t } from "../language/language.ts";
import { copy } from "../parts/copy.ts";
import type { StoredSession } from "./stored-sessions.ts";

export function ShareCaptions({ session: { id, viewerToken } }: { session: StoredSession }) {
  const isOpen = useSignal(false);
  if (viewerToken === undefined) return null;
  const link = `${base}/captions/${id}?token=${encodeURIComponent(viewerToken)}`;
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
