// One cue in the list: times, text, warnings, actions.
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { t } from "../../language/language.ts";
import { Rich } from "../../language/rich.tsx";
import { endNotice, notice } from "../../parts/notices.tsx";
import { exactClock, parseClock } from "../../time.ts";
import type { Player } from "../player.ts";
import { speakerClass } from "../speakers.ts";
import { type ShownCue, type ShownCues, speedOf, warningTexts } from "./shown-cues.ts";
import type { Subtitles, Times } from "./subtitles.ts";

const STEP_SECONDS = 0.05;

export interface RowProps {
  cue: ShownCue;
  /** Position in the list. */
  at: number;
  limits: ShownCues["limits"];
  player: Player;
  subtitles: Subtitles;
}

interface TimeProps {
  /** Of the message about a mistyped time. */
  subject: string;
  label: string;
  value: number;
  onChange(seconds: number): void;
}

function TimeField({ subject, label, value, onChange }: TimeProps) {
  const typed = useSignal<string | undefined>(undefined);
  // The list shows rows in sight alone: what is typed ends with its row.
  useEffect(() => () => endNotice(subject), [subject]);
  const isWrong = typed.value !== undefined && parseClock(typed.value) === undefined;
  const finish = () => {
    const { value: text = "" } = typed;
    const seconds = parseClock(text);
    // A mistyped time stays in the field until it is corrected, or Escape puts the former one back.
    if (seconds === undefined && text.trim() !== "") {
      notice(t.subtitles.wrongTime(text.trim()), "bad", { subject });
      return;
    }
    endNotice(subject);
    typed.value = undefined;
    if (seconds !== undefined && Math.abs(seconds - value) > 0.0005) onChange(seconds);
  };
  return (
    <input
      class="cue-time"
      aria-label={label}
      aria-invalid={isWrong}
      title={isWrong ? t.subtitles.timeExample : undefined}
      inputMode="decimal"
      value={typed.value ?? exactClock(value)}
      onInput={({ currentTarget }) => {
        typed.value = currentTarget.value;
      }}
      onBlur={finish}
      onKeyDown={(event) => {
        if (event.isComposing) return;
        if (event.key === "Enter") finish();
        if (event.key === "Escape") {
          typed.value = undefined;
          endNotice(subject);
        }
        const direction = { ArrowUp: 1, ArrowDown: -1 }[event.key];
        if (direction === undefined) return;
        event.preventDefault();
        const now = parseClock(typed.value ?? "") ?? value;
        typed.value = exactClock(Math.max(0, now + direction * STEP_SECONDS));
      }}
    />
  );
}

function CueTimes({ cue, at, player, subtitles }: RowProps) {
  const number = at + 1;
  const times = subtitles.timesOf(cue);
  const retime = (part: Partial<Times>) => subtitles.retime(cue.id, { ...times, ...part });
  const seconds = times.end - times.start;
  return (
    <div class="cue-times">
      <button
        type="button"
        class="stamp"
        aria-label={t.subtitles.play(number)}
        onClick={() => player.playStretch(times.start, times.end)}
      >
        ▶ {number}
      </button>
      <TimeField
        subject={`start of cue ${cue.id}`}
        label={t.subtitles.start(number)}
        value={times.start}
        onChange={(start) => retime({ start })}
      />
      <TimeField
        subject={`end of cue ${cue.id}`}
        label={t.subtitles.end(number)}
        value={times.end}
        onChange={(end) => retime({ end })}
      />
      <span class="hint cue-speed">{t.subtitles.speed(seconds, speedOf({ ...cue, ...times }))}</span>
    </div>
  );
}

const textBefore = (text: string, offset: number) => text.slice(0, offset).replace(/\s+/gu, "").length;

/** Places the caret in the text of a cue, once it is shown. @param characters  before the caret, without spaces */
function focusText(list: Element | null, at: number, characters: number): void {
  requestAnimationFrame(() => {
    const area = list?.querySelector<HTMLTextAreaElement>(`[data-at="${at}"] textarea`);
    if (!area) return;
    let caret = 0;
    for (let passed = 0; passed < characters && caret < area.value.length; caret++) {
      if (/\S/u.test(area.value[caret] ?? "")) passed++;
    }
    area.focus();
    area.setSelectionRange(caret, caret);
  });
}

const LIST = ".cue-list";

/** Keys in the text of a cue. @returns whether the key was one of them */
function pressIn(area: HTMLTextAreaElement, event: KeyboardEvent, { cue, at, subtitles }: RowProps): boolean {
  const { selectionStart, selectionEnd, value } = area;
  const isCaret = selectionStart === selectionEnd;
  const list = area.closest(LIST);
  // The key belongs to an input method, which composes a character.
  if (event.isComposing) return false;
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
    if (subtitles.split(cue.id, textBefore(value, selectionStart))) focusText(list, at + 1, 0);
    return true;
  }
  if (event.key === "s" && (event.ctrlKey || event.metaKey)) {
    void subtitles.commit();
    return true;
  }
  if (event.key === "Backspace" && isCaret && selectionStart === 0 && at > 0) {
    const before = subtitles.cues[at - 1];
    if (before && subtitles.canMerge(at - 1)) {
      const text = before.rows.join("");
      subtitles.merge(before.id);
      focusText(list, at - 1, textBefore(text, text.length));
    }
    return true;
  }
  if (event.key === "Delete" && isCaret && selectionStart === value.length) {
    if (subtitles.canMerge(at)) {
      subtitles.merge(cue.id);
      focusText(list, at, textBefore(value, value.length));
    }
    return true;
  }
  if (event.key === "Escape") {
    area.blur();
    return true;
  }
  return false;
}

function CueText(props: RowProps) {
  const { cue, at, player, subtitles } = props;
  const area = useRef<HTMLTextAreaElement>(null);
  const typed = useSignal<string | undefined>(undefined);
  const isRowTouched = useRef(false);
  const stored = cue.rows.join("\n");
  // Another person changed the text, or the cue was divided.
  useEffect(() => {
    if (subtitles.isTyping(cue.id) || typed.peek() === undefined) return;
    const isSame = typed.peek()?.replace(/\s+/gu, " ").trim() === stored.replace(/\s+/gu, " ").trim();
    if (!isSame) typed.value = undefined;
  }, [stored]);
  useEffect(() => () => void (subtitles.isTyping(cue.id) && subtitles.commit()), []);
  return (
    <textarea
      ref={area}
      class="cue-words"
      dir="auto"
      rows={2}
      spellcheck
      aria-label={t.subtitles.text(at + 1)}
      aria-describedby={cue.warnings.length > 0 ? `warnings-${cue.id}` : undefined}
      value={typed.value ?? stored}
      onFocus={() => {
        subtitles.chosen.value = cue.id;
        // The picture is that of the cue, unless a person listens.
        if (!player.isPlaying.peek()) player.seek(cue.start);
      }}
      onInput={({ currentTarget: { value } }) => {
        typed.value = value;
        const lines = value.split("\n").map((line) => line.replace(/\s+/gu, " ").trim());
        const shown = lines.filter((line) => line !== "");
        subtitles.type(cue.id, shown, isRowTouched.current || shown.length !== cue.rows.length);
      }}
      onKeyDown={(event) => {
        if (pressIn(event.currentTarget, event, props)) {
          event.preventDefault();
          event.stopPropagation();
        } else if (event.key === "Enter" && !event.isComposing) isRowTouched.current = true;
      }}
      onBlur={() => {
        void subtitles.commit();
        typed.value = undefined;
        isRowTouched.current = false;
      }}
    />
  );
}

function Conflict({ cue, subtitles }: RowProps) {
  const conflict = subtitles.conflictOf(cue);
  if (!conflict) return null;
  return (
    <div class="conflict" role="alert">
      <p>
        <Rich text={t.saving.theirWords} parts={[() => <q dir="auto">{conflict.theirs || t.saving.deleted}</q>]} />
      </p>
      <div class="row">
        <button type="button" onClick={() => void subtitles.keepMine(conflict.at)}>
          {t.saving.keepMine}
        </button>
        <button type="button" onClick={() => subtitles.useTheirs(conflict.at)}>
          {t.saving.useTheirs}
        </button>
      </div>
    </div>
  );
}

export function CueRow(props: RowProps) {
  const { cue, at, limits, subtitles } = props;
  const { id, label, speaker, edited, warnings } = cue;
  const number = at + 1;
  return (
    <>
      <CueTimes {...props} />
      <div class={`cue-text ${speakerClass(speaker)}`}>
        {label === "" ? null : (
          <span class="cue-label" dir="auto">
            {label}
          </span>
        )}
        <CueText {...props} />
        {warnings.length > 0 ? (
          <p class="cue-warnings" id={`warnings-${id}`}>
            {warningTexts(cue, limits).join(" · ")}
          </p>
        ) : null}
        <Conflict {...props} />
      </div>
      <div class="cue-actions">
        <button
          type="button"
          class="quiet"
          aria-label={t.subtitles.splitOne(number)}
          onClick={() => subtitles.split(id)}
        >
          {t.subtitles.split}
        </button>
        <button
          type="button"
          class="quiet"
          aria-label={t.subtitles.mergeOne(number)}
          disabled={!subtitles.canMerge(at)}
          onClick={() => subtitles.merge(id)}
        >
          {t.subtitles.merge}
        </button>
        {edited ? (
          <button
            type="button"
            class="quiet"
            aria-label={t.subtitles.resetOne(number)}
            onClick={({ currentTarget }) => {
              // The button is gone then.
              focusText(currentTarget.closest(LIST), at, 0);
              subtitles.release(id);
            }}
          >
            {t.subtitles.reset}
          </button>
        ) : null}
      </div>
    </>
  );
}
