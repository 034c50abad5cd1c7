// One utterance: speaker, time, words.
import { Fragment } from "preact";
import type { Word } from "../../../src/contract/job.ts";
import { speakerName } from "../../../src/contract/transcript/transcript.ts";
import type { CorrectedTranscription } from "../../../src/service/transcripts/corrections.ts";
import { clock } from "../time.ts";
import { LOW_CONFIDENCE, type UnsureWord } from "./doubt.ts";
import { type Editing, isSameTarget } from "./editing.ts";
import { Editor } from "./editor.tsx";
import { type Hit, wordsOf } from "./find-text.ts";
import { speakerClass, targetOf } from "./speakers.ts";

interface UtteranceProps {
  /** Position among the shown utterances. */
  at: number;
  reading: CorrectedTranscription;
  editing: Editing;
  showsLowConfidence: boolean;
  /** Found places of this utterance, and the shown one. */
  hits: readonly Hit[];
  hit: Hit | undefined;
  /** The unsure word that is shown. */
  unsure: UnsureWord | undefined;
  onSeek(seconds: number): void;
  onSpeaker(): void;
}

export function Utterance(props: UtteranceProps) {
  const { at, reading, editing, showsLowConfidence, hits, hit, unsure, onSeek, onSpeaker } = props;
  const utterance = reading.utterances[at];
  if (!utterance) return null;
  const { speaker } = utterance;
  const { value: edit } = editing.edit;
  const isEditing = edit !== undefined && isSameTarget(edit.target, targetOf(reading, at));
  const found = new Set(hits.flatMap((one) => wordsOf(utterance, one)));
  const shown = new Set(hit?.at === at ? wordsOf(utterance, hit) : []);
  const marks = (position: number, { confidence, start }: Word) =>
    [
      confidence < LOW_CONFIDENCE ? " unsure" : "",
      found.has(position) ? " found" : "",
      shown.has(position) ? " found-now" : "",
      unsure?.at === at && unsure.start === start ? " unsure-now" : "",
    ].join("");
  const name = speaker === undefined ? "No speaker" : speakerName(speaker, reading.speaker_names);
  return (
    <article class={`utterance ${speakerClass(speaker)}`} aria-label={`Utterance ${at + 1}`} data-at={at}>
      <header>
        <button
          type="button"
          class={speaker === undefined ? "speaker quiet hint" : "speaker"}
          aria-haspopup="dialog"
          title="Correct the speaker"
          onClick={onSpeaker}
        >
          {name}
        </button>
        <button
          type="button"
          class="stamp"
          onClick={() => onSeek(utterance.start)}
          aria-label={`Play from ${clock(utterance.start)}`}
        >
          {clock(utterance.start)}
        </button>
        {reading.corrected_utterances.includes(at) ? <span class="tag">corrected</span> : null}
        <button type="button" class="edit quiet" onClick={() => (isEditing ? void editing.leave() : editing.open(at))}>
          {isEditing ? "Close" : "Edit"}
        </button>
      </header>
      {isEditing ? (
        <Editor at={at} reading={reading} edit={edit} editing={editing} />
      ) : (
        // A click on a word plays it; keyboard users have the time button above.
        // biome-ignore lint/a11y/useKeyWithClickEvents: see above
        <p
          class={showsLowConfidence ? "words unsure-shown" : "words"}
          lang={utterance.language}
          dir="auto"
          onClick={({ target }) => {
            const start = target instanceof HTMLElement ? target.dataset["start"] : undefined;
            if (start !== undefined && getSelection()?.isCollapsed !== false) onSeek(Number(start));
          }}
        >
          {utterance.words.map((word, position) => (
            <Fragment key={position}>
              {/^\s/.test(word.word) ? " " : ""}
              <span
                class={`word${marks(position, word)}`}
                data-start={word.start}
                data-end={word.end}
                title={word.confidence < LOW_CONFIDENCE ? `${Math.round(word.confidence * 100)} % sure` : undefined}
              >
                {word.word.trimStart()}
              </span>
            </Fragment>
          ))}
          {utterance.words.length === 0 ? <em class="hint">Deleted</em> : null}
        </p>
      )}
    </article>
  );
}
