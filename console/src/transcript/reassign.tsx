// Gives an utterance or some of its words to another speaker, who is chosen or named.
import { useSignal } from "@preact/signals";
import { speakersOf } from "../../../src/contract/transcript/speaker-names.ts";
import { t } from "../language/language.ts";
import { clock } from "../time.ts";
import { useTyped } from "../typed-text.ts";
import { Part, type PartProps } from "./speaker-part.tsx";
import { SpeakerName, SpeakerSelect } from "./speaker-select.tsx";
import { givenTo, newSpeaker, targetOf, wordAfter } from "./speakers.ts";

/** The touch keyboard of a phone would cover the dialog. */
const hasKeyboard = () => globalThis.matchMedia?.("(pointer: fine)").matches ?? false;

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

export function Reassign({ job, reading, choice, at, onChange }: PartProps & { job: string; at: number }) {
  const words = reading.utterances[at]?.words ?? [];
  // Positions among the words that were shown when they were chosen: other people may change the text.
  const chosen = useSignal({ words, from: 0, until: words.length - 1 });
  const now = (position: number) => wordAfter(chosen.value.words, position, words);
  const [from, until] = [now(chosen.value.from), now(chosen.value.until)];
  const others = speakersOf(reading).filter((one) => one !== choice.speaker);
  const speaker = useSignal(others[0] ?? newSpeaker(reading));
  const start = choice.place?.reading.utterances[choice.place.at]?.start;
  const name = useTyped({ field: `paragraph ${start}`, job });
  const submit = () => {
    const [first, last] = [Math.min(from, until), Math.max(from, until)];
    const target = targetOf(reading, at, first, last);
    onChange(givenTo(reading, [target], name.value, speaker.value), () => name.sent());
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
            name.value = "";
          }}
        />
        <SpeakerName name={name} autofocus={hasKeyboard()} />
        <button type="submit" class="primary">
          {t.speakers.change}
        </button>
      </div>
    </Part>
  );
}
