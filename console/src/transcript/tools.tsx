// Tools above the transcript: finding, unsure words, speakers, undo.
import type { Signal } from "@preact/signals";
import { speakersOf } from "../../../src/contract/transcript/speaker-names.ts";
import { Check } from "../parts/check.tsx";
import type { Editing } from "./editing.ts";
import { type Find, FindForm } from "./find.tsx";
import { KeepVoice } from "./keep-voice.tsx";
import { Speakers } from "./speaker-names.tsx";
import type { TranscriptStore } from "./store.ts";
import { UndoButtons } from "./undo.tsx";
import { SaveStatus } from "./unsaved.tsx";
import { type Unsure, UnsureBar } from "./unsure-bar.tsx";

interface ToolsProps {
  store: TranscriptStore;
  editing: Editing;
  find: Find;
  unsure: Unsure;
  follows: Signal<boolean>;
  showsLowConfidence: Signal<boolean>;
  onSpeaker(speaker: number): void;
}

export function Tools({ store, editing, find, unsure, follows, showsLowConfidence, onSpeaker }: ToolsProps) {
  const reading = store.reading.value;
  if (!reading) return null;
  const speakers = speakersOf(reading);
  return (
    <div class="row wrap transcript-tools">
      <FindForm find={find} />
      <Check
        isOn={follows.value}
        onChange={(isOn) => {
          follows.value = isOn;
        }}
      >
        Follow the playback
      </Check>
      <Check
        isOn={showsLowConfidence.value}
        onChange={(isOn) => {
          showsLowConfidence.value = isOn;
        }}
      >
        Mark uncertain words
      </Check>
      {speakers.length > 0 ? <Speakers speakers={speakers} names={reading.speaker_names} onChoose={onSpeaker} /> : null}
      {speakers.length > 0 ? (
        <KeepVoice jobId={store.id} speakers={speakers} names={reading.speaker_names} onKept={store.load} />
      ) : null}
      <UnsureBar unsure={unsure} />
      <UndoButtons store={store} />
      <SaveStatus editing={editing} />
    </div>
  );
}
