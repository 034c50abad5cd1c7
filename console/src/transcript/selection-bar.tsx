// A bar that appears while words are selected. It assigns another speaker to them, or recognises them again.

import { useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { speakersOf } from "../../../src/contract/transcript/speaker-names.ts";
import { errorMessage } from "../api.ts";
import { t } from "../language/language.ts";
import { notice } from "../parts/notices.tsx";
import { useWork } from "../parts/use-work.ts";
import type { DocumentHandle } from "./document/handle.ts";
import type { Editing } from "./editing.ts";
import { NoteButtons, noteActions } from "./notes/new-note.tsx";
import { RecogniseAgain } from "./recognise-again.tsx";
import { type SelectedWords, selectedWords, type WordRange } from "./selection.ts";
import { SpeakerSelect } from "./speaker-select.tsx";
import { newSpeaker } from "./speakers.ts";
import type { TranscriptStore } from "./store.ts";

/** The selected words, and the speaker that is suggested for them. */
function useSelectedWords(
  store: TranscriptStore,
  handle: RefObject<DocumentHandle | undefined>,
  bar: RefObject<HTMLFormElement | null>,
) {
  const selected = useSignal<SelectedWords | undefined>(undefined);
  const speaker = useSignal<number | undefined>(undefined);
  useEffect(() => {
    const follow = () => {
      const reading = store.reading.peek();
      if (!handle.current || !reading) return;
      // An unsure word is selected to be typed over.
      const now = handle.current.isProofReading ? undefined : selectedWords(handle.current.selected(), reading);
      // A click on the bar may clear the selection.
      if (!now && bar.current?.matches(":focus-within, :active, :hover")) return;
      selected.value = now;
      speaker.value = now && (speakersOf(reading).find((one) => one !== now.speaker) ?? newSpeaker(reading));
    };
    document.addEventListener("selectionchange", follow);
    return () => document.removeEventListener("selectionchange", follow);
  }, [store]);
  return { selected, speaker };
}

export function SelectionBar({
  store,
  editing,
  handle,
}: {
  store: TranscriptStore;
  editing: Editing;
  handle: RefObject<DocumentHandle | undefined>;
}) {
  const bar = useRef<HTMLFormElement>(null);
  const { selected, speaker } = useSelectedWords(store, handle, bar);
  const again = useSignal<readonly WordRange[] | undefined>(undefined);
  const actions = noteActions(store);
  const { run } = useWork();
  const { value: words } = selected;
  const reading = store.reading.value;
  if (again.value) {
    const end = () => {
      again.value = undefined;
    };
    return <RecogniseAgain store={store} ranges={again.value} onClose={end} />;
  }
  if (!words || !reading) return null;
  const close = () => {
    selected.value = undefined;
    getSelection()?.removeAllRanges();
  };
  /** The words that are selected, once what is typed is stored: the times of its words follow from the stored text. */
  const storedWords = async () => {
    const stretches = handle.current?.selected() ?? [];
    await editing.leave();
    const now = store.reading.peek();
    return (now && selectedWords(stretches, now)) ?? words;
  };
  const recogniseAgain = async () => {
    const { ranges } = await storedWords();
    close();
    again.value = ranges;
  };
  const note = async (make: (ranges: readonly WordRange[]) => unknown) => {
    const { ranges } = await storedWords();
    close();
    await make(ranges);
  };
  const change = async () => {
    const { value: to } = speaker;
    if (to === undefined) return;
    const { targets } = await storedWords();
    try {
      await store.correct({ utterances: targets.map((target) => ({ ...target, speaker: to })) });
    } catch (error) {
      notice(errorMessage(error), "bad");
    }
    close();
  };
  return (
    <form
      ref={bar}
      class="card selection-bar"
      aria-label={t.speakers.selected}
      onSubmit={(event) => {
        event.preventDefault();
        void run(change);
      }}
      onKeyDown={({ key }) => {
        if (key === "Escape") close();
      }}
    >
      <label for="selection-speaker">{t.speakers.saidBy(words.count)}</label>
      <SpeakerSelect
        id="selection-speaker"
        reading={reading}
        value={speaker.value}
        onChange={(one) => {
          speaker.value = one;
        }}
      />
      <button type="submit" class="primary">
        {t.speakers.change}
      </button>
      <NoteButtons
        onHighlight={() => void run(() => note(actions.highlight))}
        onNote={() => void run(async () => note(actions.write))}
      />
      <button type="button" onClick={() => void recogniseAgain()}>
        {t.speakers.recogniseAgain}
      </button>
      <button type="button" class="quiet" onClick={close}>
        {t.frame.cancel}
      </button>
    </form>
  );
}
