// Remembers in this browser where the playback of each recording stopped.
import { useEffect } from "preact/hooks";
import { readChoice, storeChoice } from "../memory.ts";
import type { Player } from "./player.ts";

const NAME = "places";
const MOST_RECORDINGS = 200;
const EVERY_MILLISECONDS = 5_000;
/** Nearer to the beginning, there is nothing to remember. */
const LEAST_SECONDS = 3;

/** Last one last. */
type Places = [id: string, seconds: number][];

const read = (): Places => readChoice<Places>(NAME, []);

export const placeOf = (id: string): number | undefined => read().find(([one]) => one === id)?.[1];

function store(id: string, seconds: number): void {
  const others = read().filter(([one]) => one !== id);
  const own: Places = seconds < LEAST_SECONDS ? [] : [[id, Math.round(seconds * 10) / 10]];
  storeChoice(NAME, [...others, ...own].slice(-MOST_RECORDINGS));
}

/** @param duration  of the recording, seconds: one that was played to its end begins again */
export function useRememberedPlace(id: string, player: Player, duration: number): void {
  useEffect(() => {
    let stored = placeOf(id) ?? 0;
    const keep = () => {
      const time = player.time.peek();
      const place = time > duration - LEAST_SECONDS ? 0 : time;
      if (place === stored) return;
      stored = place;
      store(id, place);
    };
    const timer = setInterval(keep, EVERY_MILLISECONDS);
    addEventListener("pagehide", keep);
    const stop = player.isPlaying.subscribe((isPlaying) => {
      if (!isPlaying) keep();
    });
    return () => {
      clearInterval(timer);
      removeEventListener("pagehide", keep);
      stop();
      keep();
    };
  }, [player]);
}
