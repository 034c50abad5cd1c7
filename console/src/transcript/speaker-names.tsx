// The speakers of the transcript; each one opens the dialog that corrects it.
import { speakerName } from "../../../src/contract/transcript/transcript.ts";
import { speakerClass } from "./speakers.ts";

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
      <legend class="unseen">Speakers</legend>
      {speakers.map((speaker, at) => (
        <button
          key={speaker}
          type="button"
          class={`chip speaker-chip ${speakerClass(speaker)}`}
          aria-haspopup="dialog"
          title={`Rename, merge or split this speaker.${at < 9 ? ` Alt + ${at + 1} gives it the paragraph with the caret.` : ""}`}
          onClick={() => onChoose(speaker)}
        >
          {speakerName(speaker, names)}
        </button>
      ))}
    </fieldset>
  );
}
