// The cues over the waveform. An hour is a wide strip, of which only the visible part is drawn.
import { effect, signal, useComputed } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { t } from "../../language/language.ts";
import { exactClock } from "../../time.ts";
import type { Player } from "../player.ts";
import { speakerClass } from "../speakers.ts";
import { type Dragging, draggingOf } from "./dragging.ts";
import { StretchPeaks } from "./peaks.ts";
import { cueAt, type ShownCue } from "./shown-cues.ts";
import type { Subtitles } from "./subtitles.ts";

const ZOOMS = [20, 40, 80, 160, 320];
/** Distance of the playhead from the left edge after a jump, as a share of the width. */
const PLAYED_SHARE = 0.25;
const BAR_PIXELS = 3;

interface View {
  left: number;
  width: number;
  scale: number;
}

function draw(canvas: HTMLCanvasElement, peaks: StretchPeaks, { left, width, scale }: View): void {
  const context = canvas.getContext("2d");
  if (!context || width === 0) return;
  const ratio = devicePixelRatio;
  const height = canvas.clientHeight;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  context.scale(ratio, ratio);
  context.fillStyle = getComputedStyle(canvas).color;
  const offset = left % BAR_PIXELS;
  for (let x = -offset; x < width; x += BAR_PIXELS) {
    const from = (left + x) / scale;
    const peak = peaks.between(from, from + BAR_PIXELS / scale);
    const bar = Math.max(1, peak * height * 0.9);
    context.fillRect(x, (height - bar) / 2, BAR_PIXELS - 1, bar);
  }
}

interface TimelineProps {
  path: string;
  player: Player;
  subtitles: Subtitles;
  onChoose(cue: ShownCue): void;
}

function Edge({
  cue,
  grip,
  dragging,
  number,
}: {
  cue: ShownCue;
  grip: "start" | "end";
  dragging: Dragging;
  number: number;
}) {
  const value = cue[grip];
  return (
    <div
      class={`cue-edge ${grip}`}
      role="slider"
      tabIndex={0}
      aria-label={grip === "start" ? t.subtitles.start(number) : t.subtitles.end(number)}
      aria-valuemin={0}
      aria-valuemax={dragging.length}
      aria-valuenow={Math.round(value * 1000) / 1000}
      aria-valuetext={exactClock(value)}
      onPointerDown={(event) => dragging.drag(cue, grip, event)}
      onKeyDown={(event) => dragging.press(cue, grip, event)}
      onBlur={() => dragging.store(cue.id)}
    />
  );
}

interface BlockProps {
  cue: ShownCue;
  number: number;
  scale: number;
  isChosen: boolean;
  dragging: Dragging;
  onChoose(): void;
}

function Block({ cue, number, scale, isChosen, dragging, onChoose }: BlockProps) {
  const { start, end, speaker, warnings, rows } = cue;
  const flags = `${isChosen ? "chosen" : ""} ${warnings.length > 0 ? "warned" : ""}`;
  return (
    <div
      class={`cue-block ${speakerClass(speaker)} ${flags}`}
      style={{ left: `${start * scale}px`, width: `${Math.max(2, (end - start) * scale)}px` }}
    >
      <div
        class="cue-body"
        dir="auto"
        onPointerDown={(event) => {
          onChoose();
          dragging.drag(cue, "whole", event);
        }}
      >
        <span>{rows.join(" ")}</span>
      </div>
      {isChosen ? (
        <>
          <Edge cue={cue} grip="start" dragging={dragging} number={number} />
          <Edge cue={cue} grip="end" dragging={dragging} number={number} />
        </>
      ) : (
        <>
          <div
            class="cue-edge start"
            aria-hidden="true"
            onPointerDown={(event) => dragging.drag(cue, "start", event)}
          />
          <div class="cue-edge end" aria-hidden="true" onPointerDown={(event) => dragging.drag(cue, "end", event)} />
        </>
      )}
    </div>
  );
}

/** The visible part of the strip, and functions that move it. */
function useStrip({ path, player, subtitles }: TimelineProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const state = useMemo(
    () => ({ left: signal(0), width: signal(0), scale: signal(80), peaks: new StretchPeaks(path, subtitles.seconds) }),
    [path, subtitles],
  );
  const { left, width, scale, peaks } = state;
  const show = (time: number) => {
    const { current: strip } = scroller;
    if (!strip) return;
    const x = time * scale.peek();
    const isVisible = x >= strip.scrollLeft && x <= strip.scrollLeft + strip.clientWidth * 0.9;
    if (!isVisible) strip.scrollLeft = x - strip.clientWidth * PLAYED_SHARE;
  };
  useEffect(() => {
    const { current: strip } = scroller;
    if (!strip) return;
    const resized = new ResizeObserver(() => {
      width.value = strip.clientWidth;
    });
    resized.observe(strip);
    const stops = [
      effect(() => {
        const view = { left: left.value, width: width.value, scale: scale.value };
        void peaks.version.value;
        peaks.need(view.left / view.scale, (view.left + view.width) / view.scale);
        if (canvas.current) draw(canvas.current, peaks, view);
      }),
      player.time.subscribe((time) => {
        if (player.isPlaying.peek() && !subtitles.held.peek()) show(time);
      }),
    ];
    show(player.time.peek());
    return () => {
      resized.disconnect();
      for (const stop of stops) stop();
    };
  }, [state]);
  const zoom = (step: number) => {
    const next = ZOOMS[ZOOMS.indexOf(scale.peek()) + step];
    const { current: strip } = scroller;
    if (next === undefined || !strip) return;
    const centre = (strip.scrollLeft + strip.clientWidth / 2) / scale.peek();
    scale.value = next;
    requestAnimationFrame(() => {
      strip.scrollLeft = centre * next - strip.clientWidth / 2;
    });
  };
  return { ...state, scroller, canvas, show, zoom };
}

export function Timeline(props: TimelineProps) {
  const { player, subtitles, onChoose } = props;
  const strip = useStrip(props);
  const { left, width, scale, peaks, scroller, canvas } = strip;
  const dragging = useMemo(() => draggingOf(player, subtitles, () => scale.peek()), [strip.peaks]);
  const visible = useComputed(() => {
    const cues = subtitles.shown.value?.cues ?? [];
    const [from, until] = [left.value / scale.value, (left.value + width.value) / scale.value];
    const last = cueAt(cues, until);
    const found: { cue: ShownCue; number: number }[] = [];
    for (let at = 0; at <= last; at++) {
      const cue = cues[at] as ShownCue;
      const times = subtitles.timesOf(cue);
      if (times.end >= from) found.push({ cue: { ...cue, ...times }, number: at + 1 });
    }
    return found;
  });
  const { value: chosen } = subtitles.chosen;
  useEffect(() => {
    const cue = subtitles.find(chosen)?.cue;
    if (cue) strip.show(cue.start);
  }, [chosen]);
  const { value: pixels } = scale;
  return (
    <section class="card timeline" aria-label={t.subtitles.timeline}>
      <div
        class="timeline-strip"
        ref={scroller}
        onScroll={({ currentTarget }) => {
          left.value = currentTarget.scrollLeft;
        }}
        onPointerDown={({ target, currentTarget, clientX, button }) => {
          if (button !== 0 || !(target instanceof HTMLElement) || target.closest(".cue-block")) return;
          const x = clientX - currentTarget.getBoundingClientRect().left + currentTarget.scrollLeft;
          player.seek(x / pixels);
        }}
      >
        <canvas class="timeline-wave" ref={canvas} />
        <div class="timeline-inner" style={{ width: `${subtitles.seconds * pixels}px` }}>
          {visible.value.map(({ cue, number }) => (
            <Block
              key={cue.id}
              cue={cue}
              number={number}
              scale={pixels}
              isChosen={cue.id === chosen}
              dragging={dragging}
              onChoose={() => onChoose(cue)}
            />
          ))}
          <Playhead player={player} scale={pixels} />
        </div>
      </div>
      <div class="row timeline-tools">
        <button type="button" aria-label={t.subtitles.longer} onClick={() => strip.zoom(-1)}>
          −
        </button>
        <button type="button" aria-label={t.subtitles.shorter} onClick={() => strip.zoom(1)}>
          +
        </button>
        <span class="hint">{peaks.hasFailed.value ? t.transcript.noWaveform : t.subtitles.dragHint}</span>
      </div>
    </section>
  );
}

function Playhead({ player, scale }: { player: Player; scale: number }) {
  return <div class="playhead" style={{ transform: `translateX(${player.time.value * scale}px)` }} />;
}
