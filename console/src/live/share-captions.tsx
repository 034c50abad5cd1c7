// The link to the captions of the running session.
import { useSignal } from "@preact/signals";
import { base } from "../address.ts";
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
        Share captions
      </button>
      {isOpen.value ? (
        <div id="share-captions" class="row wrap share-captions">
          <label class="grow">
            <span>Anyone with this link reads the captions, until the recording is deleted</span>
            <input type="text" readOnly value={link} onFocus={({ currentTarget }) => currentTarget.select()} />
          </label>
          <button type="button" onClick={() => copy(link, "The link was copied")}>
            Copy
          </button>
        </div>
      ) : null}
    </>
  );
}
