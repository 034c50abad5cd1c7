// Corrects a speaker: renames it in this transcript, gives an utterance or some of its words to another speaker (reassign.tsx), merges it
// with another speaker, or splits it from a time on.

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { speakersOf } from "../../../src/contract/transcript/speaker-names.ts";
import type { CorrectedTranscription } from "../../../src/service/transcripts/corrections.ts";
import { errorMessage } from "../api.ts";
import { t } from "../language/language.ts";
import { DialogHead, Problem } from "../parts/dialog-parts.tsx";
import { useWork } from "../parts/use-work.ts";
import { clock } from "../time.ts";
import { useTyped } from "../typed-text.ts";
import { Reassign } from "./reassign.tsx";
import { Part, type PartProps, type SpeakerChoice, type UtterancePlace } from "./speaker-part.tsx";
import { SpeakerSelect } from "./speaker-select.tsx";
import { newSpeaker, positionAfter, shownSpeaker, speakerClass } from "./speakers.ts";
import type { TranscriptChange, TranscriptStore } from "./store.ts";

function Rename({ job, reading, speaker, onChange }: PartProps & { job: string; speaker: number }) {
  const name = useTyped({ field: `speaker ${speaker}`, job, first: reading.speaker_names[speaker] });
  return (
    <Part
      title={t.speakers.nameHere}
      onSubmit={() => onChange({ speakers: [{ speaker, name: name.value }] }, () => name.sent())}
    >
      <div class="row wrap">
        <input
          type="text"
          aria-label={t.speakers.name}
          dir="auto"
          maxLength={100}
          placeholder={shownSpeaker(speaker, {})}
          value={name.value}
          onInput={({ currentTarget }) => {
            name.value = currentTarget.value;
          }}
        />
        <button type="submit" class="primary">
          {t.speakers.rename}
        </button>
      </div>
    </Part>
  );
}

function Merge({ reading, speaker, onChange }: PartProps & { speaker: number }) {
  const [first] = speakersOf(reading).filter((one) => one !== speaker);
  const into = useSignal(first);
  if (first === undefined) return null;
  const submit = () => {
    if (into.value !== undefined) onChange({ merges: [{ speaker, into: into.value }] });
  };
  return (
    <Part title={t.speakers.samePerson} onSubmit={submit}>
      <div class="row wrap">
        <label for="merge-into">{t.speakers.mergeInto}</label>
        <SpeakerSelect
          id="merge-into"
          reading={reading}
          value={into.value}
          without={speaker}
          hasNew={false}
          onChange={(one) => {
            into.value = one;
          }}
        />
        <button type="submit">{t.speakers.merge}</button>
      </div>
    </Part>
  );
}

/** Starts of the speaker's utterances, without the first one: a split there leaves words on both sides. */
function splitPlaces({ utterances }: CorrectedTranscription, speaker: number) {
  const own = utterances.filter((one) => one.speaker === speaker && one.words.length > 0);
  return own.slice(1).map(({ start, words, text }) => ({ shown: start, start: words[0]?.start ?? start, text }));
}

const BEGINNING_CHARACTERS = 32;

function Split({ reading, choice, speaker, onChange }: PartProps & { speaker: number }) {
  const places = splitPlaces(reading, speaker);
  const here = choice.place?.reading.utterances[choice.place.at]?.words[0]?.start;
  const start = useSignal(places.find((place) => place.start === here)?.start ?? places[0]?.start);
  if (start.value === undefined) return null;
  const submit = () => {
    if (start.value !== undefined) onChange({ splits: [{ speaker, start: start.value, into: newSpeaker(reading) }] });
  };
  return (
    <Part title={t.speakers.twoPeople} onSubmit={submit}>
      <div class="row wrap">
        <label for="split-from">{t.speakers.newFrom}</label>
        <select
          id="split-from"
          value={String(start.value)}
          onChange={({ currentTarget }) => {
            start.value = Number(currentTarget.value);
          }}
        >
          {places.map(({ shown, start: value, text }) => (
            <option key={value} value={String(value)}>
              {clock(shown)} {text.trim().slice(0, BEGINNING_CHARACTERS)}
            </option>
          ))}
        </select>
        <button type="submit">{t.speakers.split}</button>
      </div>
    </Part>
  );
}

/** Follows an utterance through the changes of the transcript. @returns its position; -1 if its words are no longer one utterance */
export function placeNow(
  place: { current: UtterancePlace | undefined },
  reading: CorrectedTranscription,
): number | undefined {
  const { current: former } = place;
  if (!former || former.reading === reading || former.at < 0) return former?.at;
  const at = positionAfter(former.reading, former.at, reading);
  place.current = { reading, at };
  return at;
}

export function SpeakerDialog({
  choice,
  store,
  onClose,
}: {
  choice: SpeakerChoice;
  store: TranscriptStore;
  onClose(): void;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const problem = useSignal("");
  const { run } = useWork();
  useEffect(() => dialog.current?.showModal(), []);
  const place = useRef(choice.place);
  const reading = store.reading.value;
  if (!reading) return null;
  const { speaker } = choice;
  const at = placeNow(place, reading);
  const change = async (what: TranscriptChange, onStored?: () => void) => {
    try {
      await store.correct(what, reading);
      onStored?.();
      dialog.current?.close();
    } catch (error) {
      problem.value = errorMessage(error);
    }
  };
  const onChange: PartProps["onChange"] = (what, onStored) => void run(() => change(what, onStored));
  const parts = { reading, choice, onChange };
  const title = speaker === undefined ? t.speakers.speaker : shownSpeaker(speaker, reading.speaker_names);
  return (
    <dialog ref={dialog} class={`speaker-dialog ${speakerClass(speaker)}`} aria-label={title} onClose={onClose}>
      <DialogHead of={dialog}>{title}</DialogHead>
      <Problem text={problem.value} />
      {speaker === undefined ? null : <Rename {...parts} job={store.id} speaker={speaker} />}
      {at === undefined ? null : at < 0 ? (
        <p>{t.saving.changedMeanwhile}</p>
      ) : (
        <Reassign {...parts} job={store.id} at={at} />
      )}
      {speaker === undefined ? null : <Merge {...parts} speaker={speaker} />}
      {speaker === undefined ? null : <Split {...parts} speaker={speaker} />}
    </dialog>
  );
}
