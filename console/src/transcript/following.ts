// Whether the text follows the playback. It pauses when the reader scrolls, until the reader returns to the playback.
import { type Signal, signal } from "@preact/signals";
import { storedSignal } from "../stored-signal.ts";
import { SCROLL_KEYS } from "./keys.ts";
import type { Player } from "./player.ts";

export interface Following {
  /** The choice of the person, which the browser stores. */
  isOn: Signal<boolean>;
  /** The reader has scrolled elsewhere. */
  isAway: Signal<boolean>;
}

export const createFollowing = (): Following => ({
  isOn: storedSignal("follows-playback", true),
  isAway: signal(false),
});

export const follows = ({ isOn, isAway }: Following): boolean => isOn.peek() && !isAway.peek();

/**
 * Calls `listener` when a person scrolls an element: with the wheel, a finger, keys, or its scroll bar. Other code may scroll it, too.
 * @returns stops that
 */
function whenReaderScrolls(element: HTMLElement, listener: () => void): () => void {
  const end = new AbortController();
  const { signal: aborted } = end;
  let holdsBar = false;
  const options = { passive: true, signal: aborted };
  element.addEventListener("wheel", listener, options);
  element.addEventListener("touchmove", listener, options);
  element.addEventListener(
    "keydown",
    ({ target, key }) => {
      if (target === element && SCROLL_KEYS.has(key)) listener();
    },
    options,
  );
  // The bar belongs to the element itself, not to its content.
  element.addEventListener(
    "pointerdown",
    ({ target }) => {
      holdsBar = target === element;
    },
    options,
  );
  addEventListener(
    "pointerup",
    () => {
      holdsBar = false;
    },
    options,
  );
  element.addEventListener("scroll", () => holdsBar && listener(), options);
  return () => end.abort();
}

/**
 * Pauses the following while the recording plays and the reader scrolls.
 * @param show  scrolls to the playback, when the reader returns to it @returns stops that
 */
export function followUntilScrolled(
  element: HTMLElement,
  { isOn, isAway }: Following,
  player: Pick<Player, "isPlaying">,
  show: () => void,
): () => void {
  const stopListening = whenReaderScrolls(element, () => {
    if (isOn.peek() && player.isPlaying.peek()) isAway.value = true;
  });
  let wasAway = isAway.peek();
  const stopReturning = isAway.subscribe((away) => {
    if (wasAway && !away) show();
    wasAway = away;
  });
  return () => {
    stopListening();
    stopReturning();
  };
}
