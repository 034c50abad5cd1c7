// Edges of cues, and whole ones, while a person drags them or moves them with keys.
import type { Player } from "../player.ts";
import { type Grip, moved, roomOf } from "./drag.ts";
import type { ShownCue } from "./shown-cues.ts";
import type { Subtitles } from "./subtitles.ts";

const SNAP_PIXELS = 7;
const STEP_SECONDS = 0.05;
const LONG_STEP_SECONDS = 0.5;
/** A change by keys is stored after this time without a key press. */
const KEY_PAUSE_MILLISECONDS = 600;

/** @param scale  pixels of a second */
export function draggingOf(player: Player, subtitles: Subtitles, scale: () => number) {
  const timesNear = (cue: ShownCue, isFree: boolean) => {
    const at = subtitles.find(cue.id)?.at ?? 0;
    const { seconds: length, cues } = subtitles;
    return { room: isFree ? undefined : roomOf(cues[at - 1], cues[at + 1], length), length };
  };
  const drag = (cue: ShownCue, grip: Grip, event: PointerEvent) => {
    const { currentTarget, clientX, pointerId } = event;
    if (!(currentTarget instanceof HTMLElement) || event.button !== 0) return;
    event.preventDefault();
    event.stopPropagation();
    currentTarget.setPointerCapture(pointerId);
    const { start, end } = cue;
    const listeners = new AbortController();
    const { signal: over } = listeners;
    const finish = (isKept: boolean) => {
      listeners.abort();
      const { value: held } = subtitles.held;
      subtitles.held.value = undefined;
      subtitles.chosen.value = cue.id;
      if (isKept && held) subtitles.retime(cue.id, held);
    };
    const move = ({ clientX: now, shiftKey }: PointerEvent) => {
      // A click is no move.
      if (Math.abs(now - clientX) < 2 && !subtitles.held.peek()) return;
      const snap = { places: [player.time.peek()], within: SNAP_PIXELS / scale() };
      const times = moved({ start, end }, grip, (now - clientX) / scale(), { ...timesNear(cue, shiftKey), snap });
      subtitles.held.value = { id: cue.id, ...times };
    };
    currentTarget.addEventListener("pointermove", move, { signal: over });
    currentTarget.addEventListener("pointerup", () => finish(true), { signal: over });
    currentTarget.addEventListener("pointercancel", () => finish(false), { signal: over });
    addEventListener(
      "keydown",
      (press) => {
        if (press.key !== "Escape") return;
        press.stopPropagation();
        finish(false);
      },
      { signal: over, capture: true },
    );
  };
  let pause: ReturnType<typeof setTimeout> | undefined;
  const store = (id: number) => {
    clearTimeout(pause);
    const { value: held } = subtitles.held;
    if (held?.id !== id) return;
    subtitles.held.value = undefined;
    subtitles.retime(id, held);
  };
  const press = (cue: ShownCue, grip: Grip, event: KeyboardEvent) => {
    const direction = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[event.key];
    if (direction === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    const step = event.shiftKey ? LONG_STEP_SECONDS : STEP_SECONDS;
    const times = moved(subtitles.timesOf(cue), grip, direction * step, timesNear(cue, false));
    subtitles.held.value = { id: cue.id, ...times };
    clearTimeout(pause);
    pause = setTimeout(() => store(cue.id), KEY_PAUSE_MILLISECONDS);
  };
  return { drag, press, store, length: subtitles.seconds };
}

export type Dragging = ReturnType<typeof draggingOf>;
