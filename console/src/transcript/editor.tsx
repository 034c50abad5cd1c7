// The form that corrects the text and the speaker of an utterance.
import { useEffect, useRef } from "preact/hooks";
import { speakerName } from "../../../src/contract/transcript/transcript.ts";
import type { CorrectedTranscription } from "../../../src/service/transcripts/corrections.ts";
import type { Edit, Editing } from "./editing.ts";
import { SpeakerSelect } from "./speaker-select.tsx";

interface EditorProps {
  /** Position among the shown utterances. */
  at: number;
  reading: CorrectedTranscription;
  edit: Edit;
  editing: Editing;
}

/** Both versions of an utterance that two people changed. */
function Conflict({ edit, editing, reading }: Omit<EditorProps, "at">) {
  const { value: theirs } = edit.theirs;
  if (!theirs) return null;
  return (
    <div class="conflict" role="alert">
      <p>
        Someone else changed this utterance. Their version: <q dir="auto">{theirs.text || "(deleted)"}</q>
        {theirs.speaker === undefined ? "" : ` Speaker: ${speakerName(theirs.speaker, reading.speaker_names)}`}
      </p>
      <div class="row">
        <button type="button" onClick={() => void editing.keepMine()}>
          Keep mine
        </button>
        <button type="button" onClick={() => editing.discard()}>
          Use theirs
        </button>
      </div>
    </div>
  );
}

/** What is typed for this utterance in another window of this browser. */
function Elsewhere({ edit, editing, reading }: Omit<EditorProps, "at">) {
  const { value: other } = edit.elsewhere;
  if (!other) return null;
  const { text, speaker } = other.changed;
  return (
    <div class="conflict" role="status">
      <p>
        You also change this utterance in another window: <q dir="auto">{text || "(deleted)"}</q>
        {speaker === undefined || speaker === other.before.speaker
          ? ""
          : ` Speaker: ${speakerName(speaker, reading.speaker_names)}`}
      </p>
      <div class="row">
        <button type="button" onClick={() => editing.takeOther()}>
          Use that version
        </button>
      </div>
    </div>
  );
}

/** Moves the focus to the button that opened the form. Without this, a closed form moves it to the body of the page. */
function returnFocus(at: number): void {
  if (document.activeElement !== document.body) return;
  document.querySelector<HTMLElement>(`.utterance[data-at='${at}'] .edit`)?.focus();
}

export function Editor({ at, reading, edit, editing }: EditorProps) {
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    area.current?.focus();
    return () => void requestAnimationFrame(() => returnFocus(at));
  }, []);
  const { text, speaker } = edit.changed.value;
  const close = () => void editing.leave();
  return (
    <form
      class="editor"
      onSubmit={(event) => {
        event.preventDefault();
        close();
      }}
      onKeyDown={(event) => {
        // Of an input method: it ends the composition of a character.
        if (event.isComposing) return;
        if (event.key === "Escape") close();
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) close();
        event.stopPropagation();
      }}
    >
      <Conflict edit={edit} editing={editing} reading={reading} />
      <Elsewhere edit={edit} editing={editing} reading={reading} />
      <label>
        <span class="unseen">Text</span>
        <textarea
          ref={area}
          rows={3}
          dir="auto"
          value={text}
          onInput={({ currentTarget }) => editing.change({ text: currentTarget.value })}
        />
      </label>
      <div class="row">
        <label for={`speaker-of-${at}`}>Speaker</label>
        <SpeakerSelect
          id={`speaker-of-${at}`}
          reading={reading}
          value={speaker}
          onChange={(one) => editing.change({ speaker: one })}
        />
        {edit.theirs.value ? null : (
          <button type="submit" class="primary">
            Save
          </button>
        )}
        <button type="button" onClick={() => editing.discard()}>
          Discard
        </button>
      </div>
    </form>
  );
}
