// The speakers, with a form to name them.
import { speakerName } from "../../../src/transcript/transcript.ts";
import { errorMessage } from "../api.ts";
import { notice } from "../parts/notices.tsx";
import type { TranscriptStore } from "./store.ts";
import { speakerClass } from "./utterance.tsx";

export function Speakers({
  speakers,
  names,
  store,
}: {
  speakers: number[];
  names: Record<string, string>;
  store: TranscriptStore;
}) {
  const rename = async (speaker: number, name: string) => {
    if (name.trim() === (names[speaker] ?? "")) return;
    try {
      await store.correct({ speakers: [{ speaker, name }] });
    } catch (error) {
      notice(errorMessage(error), "bad");
    }
  };
  return (
    <fieldset class="speakers row wrap">
      <legend class="unseen">Speakers</legend>
      {speakers.map((speaker) => (
        <label key={speaker} class={`speaker-name ${speakerClass(speaker)}`}>
          <span class="unseen">Name of {speakerName(speaker, {})}</span>
          <input
            type="text"
            maxLength={100}
            placeholder={speakerName(speaker, {})}
            defaultValue={names[speaker] ?? ""}
            key={names[speaker] ?? ""}
            onChange={({ currentTarget }) => rename(speaker, currentTarget.value)}
          />
        </label>
      ))}
    </fieldset>
  );
}
