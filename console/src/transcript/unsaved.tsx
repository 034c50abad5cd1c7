// Whether the corrections are saved, and those that are not.
import { speakerName } from "../../../src/contract/transcript/transcript.ts";
import { clock } from "../time.ts";
import type { StoredDraft } from "./drafts.ts";
import type { Editing } from "./editing.ts";
import type { TranscriptStore } from "./store.ts";

export function SaveStatus({ editing }: { editing: Editing }) {
  const { value: state } = editing.state;
  return (
    <span class="hint save-status" role="status">
      {state?.kind === "saving" ? "Saving…" : null}
      {state?.kind === "saved"
        ? `Saved ${state.at.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" })}`
        : null}
      {state?.kind === "failed" ? <span class="problem">Not saved: {state.message}</span> : null}
    </span>
  );
}

interface UnsavedProps {
  editing: Editing;
  store: TranscriptStore;
  onOpen(draft: StoredDraft): void;
}

function UnsavedDraft({ draft, editing, store, onOpen }: UnsavedProps & { draft: StoredDraft }) {
  const position = editing.drafts.positionOf(draft.target);
  const { speaker } = draft.changed;
  const utterance = store.reading.value?.utterances[position];
  return (
    <li>
      <q dir="auto">{draft.changed.text.trim() || "(deleted)"}</q>
      {speaker === undefined || speaker === draft.before.speaker ? null : (
        <span class="hint">Speaker: {speakerName(speaker, store.reading.value?.speaker_names ?? {})}</span>
      )}
      <span class="row">
        {utterance ? (
          <button type="button" onClick={() => onOpen(draft)}>
            Continue at {clock(utterance.start)}
          </button>
        ) : (
          <span class="hint">This utterance no longer exists. Copy the text if you need it.</span>
        )}
        <button type="button" class="quiet" onClick={() => editing.discardDraft(draft)}>
          Discard
        </button>
      </span>
    </li>
  );
}

export function Unsaved({ editing, store, onOpen }: UnsavedProps) {
  const drafts = editing.unsaved.value;
  if (drafts.length === 0) return null;
  return (
    <section class="card unsaved" aria-label="Changes that are not saved">
      <p>
        {drafts.length === 1
          ? "One change is not saved. It is kept in this browser."
          : `${drafts.length} changes are not saved. They are kept in this browser.`}
      </p>
      <ul class="plain">
        {drafts.map((draft) => (
          <UnsavedDraft key={draft.name} draft={draft} editing={editing} store={store} onOpen={onOpen} />
        ))}
      </ul>
    </section>
  );
}
