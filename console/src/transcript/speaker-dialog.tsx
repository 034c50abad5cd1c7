// Corrects a speaker: renames it in this transcript, gives an utterance or some of its words to another speaker, merges it with
// another speaker, or splits it from a time on.

import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { speakersOf } from "../../../src/contract/transcript/speaker-names.ts";
import type { CorrectedTranscription } from "../../../src/service/transcripts/corrections.ts";
import { errorMessage } from "../api.ts";
import { t } from "../language/language.ts";
import { DialogHead, Problem } from "../parts/dialog-parts.tsx";
import { useWork } from "../parts/use-work.ts";
import { clock } from "../time.ts";
import { useTyped } from "../typed-text.ts";
import { SpeakerSelect } from "./speaker-select.tsx";
import { newSpeaker, positionAfter, shownSpeaker, speakerClass, targetOf, wordAfter } from "./speakers.ts";
import type { TranscriptChange, TranscriptStore } from "./store.ts";

export interface SpeakerChoice {
  speaker: number | undefined;
  /** Where the dialog was opened. */
  place?: UtterancePlace;
}

/** An utterance. Other people may change the transcript while the dialog is open. */
export interface UtterancePlace {
  reading: CorrectedTranscription;
  /** Position in `reading`. */
  at: number;
}

interface PartProps {
  reading: CorrectedTranscription;
  choice: SpeakerChoice;
  /** Stores the change and closes the dialog. @param onStored  called before it closes */
  onChange(change: TranscriptChange, onStored?: () => void): void;
}

function Part({ title, onSubmit, children }: { title: string; onSubmit(): void; children: ComponentChildren }) {
  return (
    <form
      aria-label={title}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      <h3>{title}</h3>
      {children}
    </form>
  );
}

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

function WordSelect({
  label,
  words,
  value,
  onChange,
}: {
  label: string;
  words: readonly { word: string; start: number }[];
  value: number;
  onChange(at: number): void;
}) {
  return (
    <label class="row">
      {label}
      <select value={String(value)} onChange={({ currentTarget }) => onChange(Number(currentTarget.value))}>
        {words.map(({ word, start }, at) => (
          <option key={at} value={String(at)}>
            {word.trim()} ({clock(start)})
          </option>
        ))}
      </select>
    </label>
  );
}

function Reassign({ reading, choice, at, onChange }: PartProps & { at: number }) {
  const words = reading.utterances[at]?.words ?? [];
  // Positions among the words that were shown when they were chosen: other people may change the text.
  const chosen = useSignal({ words, from: 0, until: words.length - 1 });
  const now = (position: number) => wordAfter(chosen.value.words, position, words);
  const [from, until] = [now(chosen.value.from), now(chosen.value.until)];
  const others = speakersOf(reading).filter((one) => one !== choice.speaker);
  const speaker = useSignal(others[0] ?? newSpeaker(reading));
  const submit = () => {
    const [first, last] = [Math.min(from, until), Math.max(from, until)];
    onChange({ utterances: [{ ...targetOf(reading, at, first, last), speaker: speaker.value }] });
  };
  return (
    <Part title={t.speakers.who} onSubmit={submit}>
      {words.length > 1 ? (
        <div class="row wrap">
          <WordSelect
            label={t.speakers.firstWord}
            words={words}
            value={from}
            onChange={(one) => {
              chosen.value = { words, from: one, until };
            }}
          />
          <WordSelect
            label={t.speakers.lastWord}
            words={words}
            value={until}
            onChange={(one) => {
              chosen.value = { words, from, until: one };
            }}
          />
        </div>
      ) : null}
      <div class="row wrap">
        <label for="reassign-to">{t.speakers.saidByLabel}</label>
        <SpeakerSelect
          id="reassign-to"
          reading={reading}
          value={speaker.value}
          without={choice.speaker}
          onChange={(one) => {
            speaker.value = one;
          }}
        />
        <button type="submit" class="primary">
          {t.speakers.change}
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
      {at === undefined ? null : at < 0 ? <p>{t.saving.changedMeanwhile}</p> : <Reassign {...parts} at={at} />}
      {speaker === undefined ? null : <Merge {...parts} speaker={speaker} />}
      {speaker === undefined ? null : <Split {...parts} speaker={speaker} />}
    </dialog>
  );
}
