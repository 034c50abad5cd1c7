// A list of the speakers, with a new one at its end, and a field for the name of one.
import { speakersOf } from "../../../src/contract/transcript/speaker-names.ts";
import type { CorrectedTranscription } from "../../../src/service/transcripts/corrections.ts";
import { t } from "../language/language.ts";
import { newSpeaker, shownSpeaker } from "./speakers.ts";

interface SpeakerSelectProps {
  id: string;
  reading: CorrectedTranscription;
  value: number | undefined;
  /** Left out of the list. */
  without?: number | undefined;
  hasNew?: boolean;
  onChange(speaker: number): void;
}

export function SpeakerSelect({ id, reading, value, without, hasNew = true, onChange }: SpeakerSelectProps) {
  const next = newSpeaker(reading);
  const speakers = speakersOf(reading).filter((speaker) => speaker !== without);
  return (
    <select
      id={id}
      value={value === undefined ? "" : String(value)}
      onChange={({ currentTarget }) => onChange(Number(currentTarget.value))}
    >
      {value === undefined ? <option value="">{t.speakers.choose}</option> : null}
      {speakers.map((speaker) => (
        <option key={speaker} value={String(speaker)}>
          {shownSpeaker(speaker, reading.speaker_names)}
        </option>
      ))}
      {hasNew ? (
        <option value={String(next)}>{t.speakers.newSpeaker(shownSpeaker(next, reading.speaker_names))}</option>
      ) : null}
    </select>
  );
}

/** A name in place of a speaker of the list: that of one of them, or of a new one. */
export function SpeakerName({ name, autofocus = false }: { name: { value: string }; autofocus?: boolean }) {
  return (
    <input
      type="text"
      autofocus={autofocus}
      aria-label={t.speakers.orName}
      placeholder={t.speakers.orName}
      title={t.speakers.orNameHint}
      dir="auto"
      maxLength={100}
      autoComplete="off"
      value={name.value}
      onInput={({ currentTarget }) => {
        name.value = currentTarget.value;
      }}
      onKeyDown={(event) => {
        // With an empty field, Enter would submit the form with the first speaker of the list, who was not chosen.
        if (event.key === "Enter" && name.value.trim() === "") event.preventDefault();
      }}
    />
  );
}
