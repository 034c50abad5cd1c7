// Tools in the bar above the text: switches, speakers, finding, unsure words, undo.
import type { Signal } from "@preact/signals";
import { speakersOf } from "../../../src/contract/transcript/speaker-names.ts";
import { t } from "../language/language.ts";
import { SignalCheck } from "../parts/check.tsx";
import { Fold } from "../parts/fold.tsx";
import { EditSwitch, RecognisedHint } from "./edit-switch.tsx";
import type { Editing } from "./editing.ts";
import { type Find, FindForm } from "./find.tsx";
import type { Following } from "./following.ts";
import { KeepVoice } from "./keep-voice.tsx";
import { Speakers } from "./speaker-names.tsx";
import type { TranscriptStore } from "./store.ts";
import { type UndoActions, UndoButtons } from "./undo.tsx";
import { SaveStatus } from "./unsaved.tsx";
import { type Unsure, UnsureBar } from "./unsure-bar.tsx";

interface ToolsProps {
  store: TranscriptStore;
  editing: Editing;
  find: Find;
  unsure: Unsure;
  following: Following;
  showsLowConfidence: Signal<boolean>;
  isEditable: Signal<boolean>;
  undo: UndoActions;
  onSpeaker(speaker: number): void;
}

export function Tools(props: ToolsProps) {
  const { store, editing, find, unsure, following, showsLowConfidence, isEditable, undo, onSpeaker } = props;
  const reading = store.reading.value;
  if (!reading) return null;
  const speakers = speakersOf(reading);
  return (
    <>
      <Fold title={t.transcript.view}>
        <EditSwitch isEditable={isEditable} showsCorrected={store.showsCorrected} />
        <SignalCheck signal={following.isOn}>{t.transcript.follow}</SignalCheck>
        <SignalCheck signal={showsLowConfidence}>{t.transcript.markUnsure}</SignalCheck>
      </Fold>
      {speakers.length > 0 ? (
        <Fold title={t.transcript.speakers}>
          <Speakers speakers={speakers} names={reading.speaker_names} onChoose={onSpeaker} />
          <KeepVoice jobId={store.id} speakers={speakers} names={reading.speaker_names} onKept={store.load} />
        </Fold>
      ) : null}
      <FindForm find={find} />
      <RecognisedHint showsCorrected={store.showsCorrected} />
      <UnsureBar unsure={unsure} />
      <UndoButtons store={store} actions={undo} />
      <SaveStatus editing={editing} />
    </>
  );
}
