// One utterance: who says it, when, word by word; and the form in which it is put right.
import { useSignal } from "@preact/signals";
import { Fragment } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { speakerName } from "../../../src/transcripts/corrections.ts";
import { told } from "../api.ts";
import { notice } from "../parts/notices.tsx";
import type { Utterance as Said } from "../shapes.ts";
import { clock } from "../time.ts";
import type { TranscriptStore } from "./store.ts";

/** Words that the recogniser was not sure of. */
export const UNSURE = 0.55;
const COLOURS = 8;

export const speakerClass = (speaker: number | undefined) =>
  speaker === undefined ? "" : `speaker-${speaker % COLOURS}`;

interface UtteranceProps {
  index: number;
  said: Said;
  names: Record<string, string>;
  speakers: readonly number[];
  isCorrected: boolean;
  isEditing: boolean;
  showsUnsure: boolean;
  search: RegExp | undefined;
  store: TranscriptStore;
  onSeek(seconds: number): void;
  onEdit(isEditing: boolean): void;
}

export function Utterance(props: UtteranceProps) {
  const { index, said, names, isCorrected, isEditing, showsUnsure, search, onSeek, onEdit } = props;
  const { speaker } = said;
  return (
    <article class={`utterance ${speakerClass(speaker)}`} aria-label={`Utterance ${index + 1}`}>
      <header>
        {speaker === undefined ? null : <span class="speaker">{speakerName(speaker, names)}</span>}
        <button
          type="button"
          class="stamp"
          onClick={() => onSeek(said.start)}
          aria-label={`Play from ${clock(said.start)}`}
        >
          {clock(said.start)}
        </button>
        {isCorrected ? <span class="tag">corrected</span> : null}
        <button type="button" class="edit quiet" onClick={() => onEdit(!isEditing)}>
          {isEditing ? "Close" : "Edit"}
        </button>
      </header>
      {isEditing ? (
        <Editor {...props} />
      ) : (
        // Words are played by a click anywhere near them; keys use the time above.
        // biome-ignore lint/a11y/useKeyWithClickEvents: see above
        <p
          class={showsUnsure ? "words unsure-shown" : "words"}
          lang={said.language}
          dir="auto"
          onClick={({ target }) => {
            const start = target instanceof HTMLElement ? target.dataset["start"] : undefined;
            if (start !== undefined && getSelection()?.isCollapsed !== false) onSeek(Number(start));
          }}
        >
          {said.words.map((word, at) => (
            <Fragment key={at}>
              {/^\s/.test(word.word) ? " " : ""}
              <span
                class={`word${word.confidence < UNSURE ? " unsure" : ""}${search?.test(word.word) ? " found" : ""}`}
                data-start={word.start}
                data-end={word.end}
                title={word.confidence < UNSURE ? `${Math.round(word.confidence * 100)} % sure` : undefined}
              >
                {word.word.trimStart()}
              </span>
            </Fragment>
          ))}
          {said.words.length === 0 ? <em class="hint">Taken out</em> : null}
        </p>
      )}
    </article>
  );
}

function Editor({ index, said, names, speakers, store, onEdit }: UtteranceProps) {
  const text = useSignal(said.text.trim());
  const speaker = useSignal(said.speaker === undefined ? "" : String(said.speaker));
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => area.current?.focus(), []);
  const next = Math.max(-1, ...speakers) + 1;
  const save = async () => {
    const isRead = text.value.trim() !== said.text.trim();
    const isSaid = speaker.value !== "" && Number(speaker.value) !== said.speaker;
    if (!isRead && !isSaid) return onEdit(false);
    try {
      await store.correct({
        utterances: [
          {
            index,
            ...(isRead ? { text: text.value } : {}),
            ...(isSaid ? { speaker: Number(speaker.value) } : {}),
          },
        ],
      });
      onEdit(false);
    } catch (error) {
      notice(told(error), "bad");
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
          {said.speaker === undefined ? <option value="">Not told</option> : null}
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
