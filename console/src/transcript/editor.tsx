// The form that corrects the text and the speaker of an utterance.
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { CorrectedTranscription } from "../../../src/service/transcripts/corrections.ts";
import { errorMessage } from "../api.ts";
import { notice } from "../parts/notices.tsx";
import { SpeakerSelect } from "./speaker-select.tsx";
import { targetOf } from "./speakers.ts";
import type { TranscriptStore } from "./store.ts";

interface EditorProps {
  /** Position among the shown utterances. */
  at: number;
  reading: CorrectedTranscription;
  store: TranscriptStore;
  onClose(): void;
}

export function Editor({ at, reading, store, onClose }: EditorProps) {
  // The transcript when the form was opened: a correction by another person must not move this change to other words.
  const opened = useRef({ utterance: reading.utterances[at], target: targetOf(reading, at) });
  const { utterance, target } = opened.current;
  const text = useSignal(utterance?.text.trim() ?? "");
  const speaker = useSignal(utterance?.speaker);
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => area.current?.focus(), []);
  const save = async () => {
    const textChanged = text.value.trim() !== utterance?.text.trim();
    const speakerChanged = speaker.value !== utterance?.speaker;
    if (!textChanged && !speakerChanged) return onClose();
    try {
      await store.correct({
        utterances: [
          {
            ...target,
            ...(textChanged ? { text: text.value } : {}),
            ...(speakerChanged && speaker.value !== undefined ? { speaker: speaker.value } : {}),
          },
        ],
      });
      onClose();
    } catch (error) {
      notice(errorMessage(error), "bad");
    }
  };
  return (
    <form
      class="editor"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
      onKeyDown={(event) => {
        if (event.key === "Escape") onClose();
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void save();
        event.stopPropagation();
      }}
    >
      <label>
        <span class="unseen">Text</span>
        <textarea
          ref={area}
          rows={3}
          dir="auto"
          value={text.value}
          onInput={({ currentTarget }) => {
            text.value = currentTarget.value;
          }}
        />
      </label>
      <div class="row">
        <label for={`speaker-of-${at}`}>Speaker</label>
        <SpeakerSelect
          id={`speaker-of-${at}`}
          reading={reading}
          value={speaker.value}
          onChange={(one) => {
            speaker.value = one;
          }}
        />
        <button type="submit" class="primary">
          Save
        </button>
        <button type="button" onClick={onClose}>
          Cancel
        </button>
      </div>
    </form>
  );
}
