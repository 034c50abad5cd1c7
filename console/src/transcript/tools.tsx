// Tools above the transcript: finding, unsure words, speakers, undo.
import type { Signal } from "@preact/signals";
import { speakersOf } from "../../../src/contract/transcript/speaker-names.ts";
import { t } from "../language/language.ts";
import { SignalCheck } from "../parts/check.tsx";
import { EditSwitch } from "./edit-switch.tsx";
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
    <div class="row wrap transcript-tools">
      <FindForm find={find} />
      <EditSwitch isEditable={isEditable} showsCorrected={store.showsCorrected} />
      <SignalCheck signal={following.isOn}>{t.transcript.follow}</SignalCheck>
      <SignalCheck signal={showsLowConfidence}>{t.transcript.markUnsure}</SignalCheck>
      {speakers.length > 0 ? <Speakers speakers={speakers} names={reading.speaker_names} onChoose={onSpeaker} /> : null}
      {speakers.length > 0 ? (
        <KeepVoice jobId={store.id} speakers={speakers} names={reading.speaker_names} onKept={store.load} />
      ) : null}
      <UnsureBar unsure={unsure} />
      <UndoButtons store={store} actions={undo} />
      <SaveStatus editing={editing} />
    </div>
  );
}
