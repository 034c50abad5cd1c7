// A bar that appears while words are selected. It assigns another speaker to them, or recognises them again.

import { useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { speakersOf } from "../../../src/contract/transcript/speaker-names.ts";
import { attempt } from "../attempt.ts";
import { t } from "../language/language.ts";
import { notice } from "../parts/notices.tsx";
import { useWork } from "../parts/use-work.ts";
import { useTyped } from "../typed-text.ts";
import type { DocumentHandle } from "./document/handle.ts";
import type { Editing } from "./editing.ts";
import { NoteButtons, noteActions } from "./notes/new-note.tsx";
import { shownText } from "./placed-words.ts";
import { RecogniseAgain } from "./recognise-again.tsx";
import { type SelectedWords, type Selection, selectedAfter, selectedWords, type WordRange } from "./selection.ts";
import { SpeakerName, SpeakerSelect } from "./speaker-select.tsx";
import { givenTo, newSpeaker } from "./speakers.ts";
import type { TranscriptStore } from "./store.ts";

const NOTHING = { words: [], text: "" };

/** The selected words, and the speaker that is suggested for them. */
function useSelectedWords(
  store: TranscriptStore,
  editing: Editing,
  handle: RefObject<DocumentHandle | undefined>,
  bar: RefObject<HTMLFormElement | null>,
) {
  const selected = useSignal<(SelectedWords & { selection: Selection }) | undefined>(undefined);
  const speaker = useSignal<number | undefined>(undefined);
  useEffect(() => {
    const follow = () => {
      const reading = store.reading.peek();
      if (!handle.current || !reading) return;
      // An unsure word is selected to be typed over.
      const stretches = handle.current.isProofReading ? [] : handle.current.selected();
      const words = selectedWords(stretches, reading);
      const texts = stretches.map(({ at }) => editing.typedAt(at) ?? shownText(reading.utterances[at] ?? NOTHING));
      const now = words && { ...words, selection: { reading, stretches, texts } };
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

/** The selected words, once what is typed is stored: the times of its words follow from the stored text. A message says why there are none. */
export async function storedSelection(store: TranscriptStore, editing: Editing, selection: Selection) {
  await editing.leave();
  const now = store.reading.peek();
  const stored = now && selectedAfter(selection, now);
  if (stored) return stored;
  const { value: state } = editing.state;
  notice(state?.kind === "failed" ? state.message : t.saving.changedMeanwhile, "bad");
  return undefined;
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
  const { selected, speaker } = useSelectedWords(store, editing, handle, bar);
  const again = useSignal<SelectedWords | undefined>(undefined);
  const name = useTyped({ field: "selected-speaker", job: store.id });
  const actions = noteActions(store);
  const { run } = useWork();
  const { value: words } = selected;
  const reading = store.reading.value;
  if (again.value) {
    const end = () => {
      again.value = undefined;
    };
    const { reading: selectedIn, ranges } = again.value;
    return <RecogniseAgain store={store} reading={selectedIn} ranges={ranges} onClose={end} />;
  }
  if (!words || !reading) return null;
  const close = () => {
    selected.value = undefined;
    getSelection()?.removeAllRanges();
  };
  const cancel = () => {
    // The next words may be those of another person.
    name.value = "";
    close();
  };
  const storedWords = () => storedSelection(store, editing, words.selection).finally(close);
  const recogniseAgain = async () => {
    again.value = await storedWords();
  };
  const note = async (make: (ranges: readonly WordRange[]) => unknown) => {
    const stored = await storedWords();
    if (stored) await make(stored.ranges);
  };
  const change = async () => {
    const { value: to } = speaker;
    const stored = to === undefined ? undefined : await storedWords();
    if (to === undefined || !stored) return;
    const { value: typed } = name;
    const given = givenTo(stored.reading, stored.targets, typed, to);
    await attempt(async () => {
      await store.correct(given, stored.reading);
      // Other words may be selected meanwhile, and their name typed.
      if (name.value === typed) name.value = "";
    });
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
      onKeyDown={({ key, isComposing }) => {
        if (key === "Escape" && !isComposing) cancel();
      }}
    >
      <label for="selection-speaker">{t.speakers.saidBy(words.count)}</label>
      <SpeakerSelect
        id="selection-speaker"
        reading={reading}
        value={speaker.value}
        onChange={(one) => {
          speaker.value = one;
          name.value = "";
        }}
      />
      <SpeakerName name={name} />
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
      <button type="button" class="quiet" onClick={cancel}>
        {t.frame.cancel}
      </button>
    </form>
  );
}
