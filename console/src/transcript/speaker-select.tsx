// A list of the speakers, with a new one at its end.
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
