// One utterance: speaker, time, words; and the form that corrects it.
import { useSignal } from "@preact/signals";
import { Fragment } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { speakerName } from "../../../src/transcript/transcript.ts";
import { errorMessage } from "../api.ts";
import { notice } from "../parts/notices.tsx";
import type { Utterance as UtteranceData } from "../shapes.ts";
import { clock } from "../time.ts";
import type { TranscriptStore } from "./store.ts";

/** Words with a lower confidence are highlighted. */
const LOW_CONFIDENCE = 0.55;
const COLOURS = 8;

export const speakerClass = (speaker: number | undefined) =>
  speaker === undefined ? "" : `speaker-${speaker % COLOURS}`;

interface UtteranceProps {
  index: number;
  utterance: UtteranceData;
  names: Record<string, string>;
  speakers: readonly number[];
  isCorrected: boolean;
  isEditing: boolean;
  showsLowConfidence: boolean;
  search: RegExp | undefined;
  store: TranscriptStore;
  onSeek(seconds: number): void;
  onEdit(isEditing: boolean): void;
}

export function Utterance(props: UtteranceProps) {
  const { index, utterance, names, isCorrected, isEditing, showsLowConfidence, search, onSeek, onEdit } = props;
  const { speaker } = utterance;
  return (
    <article class={`utterance ${speakerClass(speaker)}`} aria-label={`Utterance ${index + 1}`}>
      <header>
        {speaker === undefined ? null : <span class="speaker">{speakerName(speaker, names)}</span>}
        <button
          type="button"
          class="stamp"
          onClick={() => onSeek(utterance.start)}
          aria-label={`Play from ${clock(utterance.start)}`}
        >
          {clock(utterance.start)}
        </button>
        {isCorrected ? <span class="tag">corrected</span> : null}
        <button type="button" class="edit quiet" onClick={() => onEdit(!isEditing)}>
          {isEditing ? "Close" : "Edit"}
        </button>
      </header>
      {isEditing ? (
        <Editor {...props} />
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
          {utterance.words.map((word, at) => (
            <Fragment key={at}>
              {/^\s/.test(word.word) ? " " : ""}
              <span
                class={`word${word.confidence < LOW_CONFIDENCE ? " unsure" : ""}${search?.test(word.word) ? " found" : ""}`}
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

function Editor({ index, utterance, names, speakers, store, onEdit }: UtteranceProps) {
  const text = useSignal(utterance.text.trim());
  const speaker = useSignal(utterance.speaker === undefined ? "" : String(utterance.speaker));
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => area.current?.focus(), []);
  const next = Math.max(-1, ...speakers) + 1;
  const save = async () => {
    const textChanged = text.value.trim() !== utterance.text.trim();
    const speakerChanged = speaker.value !== "" && Number(speaker.value) !== utterance.speaker;
    if (!textChanged && !speakerChanged) return onEdit(false);
    try {
      await store.correct({
        utterances: [
          {
            index,
            ...(textChanged ? { text: text.value } : {}),
            ...(speakerChanged ? { speaker: Number(speaker.value) } : {}),
          },
        ],
      });
      onEdit(false);
    } catch (error) {
      notice(errorMessage(error), "bad");
    }
  };
  return (
    <form
      class="editor"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
      onKeyDown={(event) => {
        if (event.key === "Escape") onEdit(false);
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void save();
        event.stopPropagation();
      }}
    >
      <label>
        <span class="unseen">Text</span>
        <textarea
          ref={area}
          rows={3}
          dir="auto"
          value={text.value}
          onInput={({ currentTarget }) => {
            text.value = currentTarget.value;
          }}
        />
      </label>
      <div class="row">
        <label for={`speaker-of-${index}`}>Speaker</label>
        <select
          id={`speaker-of-${index}`}
          value={speaker.value}
          onChange={({ currentTarget }) => {
            speaker.value = currentTarget.value;
          }}
        >
          {utterance.speaker === undefined ? <option value="">Not errorMessage</option> : null}
          {[...speakers, next].map((one) => (
            <option key={one} value={String(one)}>
              {one === next ? `New: ${speakerName(one, names)}` : speakerName(one, names)}
            </option>
          ))}
        </select>
        <button type="submit" class="primary">
          Save
        </button>
        <button type="button" onClick={() => onEdit(false)}>
          Cancel
        </button>
      </div>
    </form>
  );
}
