// The list of cues. Rows have one height, and only those in or near the visible part exist.
import { signal, useComputed } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { t } from "../../language/language.ts";
import { type Following, follows, followUntilScrolled } from "../following.ts";
import type { Player } from "../player.ts";
import { CueRow } from "./cue-row.tsx";
import { cueAt } from "./shown-cues.ts";
import type { Subtitles } from "./subtitles.ts";

const NARROW = "(max-width: 700px)";
const ROW_PIXELS = 124;
const NARROW_ROW_PIXELS = 236;
/** Rows beyond the visible part. */
const BESIDE = 6;

export interface ListHandle {
  /** Scrolls a cue into view. */
  show(at: number): void;
  /** Places the caret in the text of a cue. */
  focus(at: number): void;
}

interface ListProps {
  player: Player;
  subtitles: Subtitles;
  handle: { current: ListHandle | undefined };
  following: Following;
}

function useRows({ player, subtitles, handle, following }: ListProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const state = useMemo(() => ({ top: signal(0), height: signal(600), row: signal(ROW_PIXELS) }), []);
  const { top, height, row } = state;
  const playing = useComputed(() => cueAt(subtitles.shown.value?.cues ?? [], player.time.value));
  useEffect(() => {
    const { current: list } = scroller;
    if (!list) return;
    const media = matchMedia(NARROW);
    const resize = () => {
      height.value = list.clientHeight;
      row.value = media.matches ? NARROW_ROW_PIXELS : ROW_PIXELS;
    };
    const show = (at: number) => {
      const y = at * row.peek();
      const isVisible = y >= list.scrollTop && y + row.peek() <= list.scrollTop + list.clientHeight;
      if (!isVisible) list.scrollTop = y - Math.max(0, (list.clientHeight - row.peek()) / 3);
    };
    handle.current = {
      show,
      focus(at) {
        show(at);
        top.value = list.scrollTop;
        requestAnimationFrame(() => {
          list.querySelector<HTMLTextAreaElement>(`[data-at="${at}"] textarea`)?.focus({ preventScroll: true });
        });
      },
    };
    resize();
    const resized = new ResizeObserver(resize);
    resized.observe(list);
    const stop = playing.subscribe((at) => {
      const isTyping = list.contains(document.activeElement);
      if (at >= 0 && follows(following) && player.isPlaying.peek() && !isTyping) show(at);
    });
    const toPlayback = () => show(Math.max(0, playing.peek()));
    toPlayback();
    const stopFollowing = followUntilScrolled(list, following, player, toPlayback);
    return () => {
      resized.disconnect();
      stop();
      stopFollowing();
      handle.current = undefined;
    };
  }, [subtitles]);
  return { ...state, scroller, playing };
}

export function CueList(props: ListProps) {
  const { player, subtitles } = props;
  const { top, height, row, scroller, playing } = useRows(props);
  const { value: shown } = subtitles.shown;
  if (!shown) return null;
  const { cues, limits } = shown;
  const { value: pixels } = row;
  const scrolled = ({ currentTarget }: { currentTarget: HTMLElement }) => {
    top.value = currentTarget.scrollTop;
  };
  const from = Math.max(0, Math.floor(top.value / pixels) - BESIDE);
  const until = Math.min(cues.length, Math.ceil((top.value + height.value) / pixels) + BESIDE);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and must with keys, too
    <section class="cue-scroll" ref={scroller} tabIndex={0} aria-label={t.subtitles.subtitles} onScroll={scrolled}>
      <ol class="cue-list" style={{ height: `${cues.length * pixels}px` }}>
        {cues.slice(from, until).map((cue, place) => {
          const at = from + place;
          const isChosen = cue.id === subtitles.chosen.value;
          return (
            <li
              key={cue.id}
              class={`cue ${isChosen ? "chosen" : ""} ${at === playing.value ? "heard" : ""}`}
              data-at={at}
              aria-setsize={cues.length}
              aria-posinset={at + 1}
              style={{ top: `${at * pixels}px`, height: `${pixels}px` }}
            >
              <CueRow cue={cue} at={at} limits={limits} player={player} subtitles={subtitles} />
            </li>
          );
        })}
      </ol>
    </section>
  );
}
