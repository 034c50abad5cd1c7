// The speakers of the transcript; each one opens the dialog that corrects it.

import { t } from "../language/language.ts";
import { shownSpeaker, speakerClass } from "./speakers.ts";

/** Speakers that have a key. */
const NUMBERED = 9;

export function Speakers({
  speakers,
  names,
  onChoose,
}: {
  speakers: readonly number[];
  names: Record<string, string>;
  onChoose(speaker: number): void;
}) {
  return (
    <fieldset class="speakers row wrap">
      <legend class="unseen">{t.transcript.speakers}</legend>
      {speakers.map((speaker, at) => (
        <button
          key={speaker}
          type="button"
          class={`chip speaker-chip ${speakerClass(speaker)}`}
          aria-haspopup="dialog"
          title={at < NUMBERED ? t.transcript.speakerKeyHint(at + 1) : t.transcript.speakerHint}
          onClick={() => onChoose(speaker)}
        >
          <bdi>{shownSpeaker(speaker, names)}</bdi>
        </button>
      ))}
    </fieldset>
  );
}
