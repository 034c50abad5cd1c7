// The open pages of the console in this browser. What a page keeps in the browser belongs to it; what a closed page left behind is taken over.
import { forget, namesOf, readChoice, storeChoice } from "./memory.ts";

const BEAT_MILLISECONDS = 5_000;
/** Browsers run timers of hidden pages once a minute. */
const LOST_MILLISECONDS = 150_000;

/** Unique in this browser. One of a later time is greater. */
export const newKey = () => `${Date.now().toString(36)}${Math.random().toString(36).slice(2)}`;
/** Of this page, until it is reloaded. */
export const page = newKey();

const LOCK = "parlance.page.";
const beat = () => storeChoice(`page.${page}`, Date.now());

/** @returns whether a page is open. Browsers have locks over TLS and on this machine; elsewhere, pages store the time. */
export async function openPages(): Promise<(other: string) => boolean> {
  if (!navigator.locks)
    return (other) => other === page || Date.now() - readChoice(`page.${other}`, 0) < LOST_MILLISECONDS;
  const { held = [] } = await navigator.locks.query();
  const names = new Set(held.map(({ name }) => name));
  return (other) => other === page || names.has(LOCK + other);
}

/** Marks this page as open. @param onShown  called when the browser shows the page again after it was left */
export function keepPageOpen(onShown: () => void): void {
  addEventListener("pageshow", (event) => {
    if (event.persisted) onShown();
  });
  if (navigator.locks) {
    void navigator.locks.request(LOCK + page, () => new Promise(() => undefined));
    return;
  }
  for (const name of namesOf("page.")) if (Date.now() - readChoice(name, 0) > LOST_MILLISECONDS) forget(name);
  beat();
  setInterval(beat, BEAT_MILLISECONDS);
  addEventListener("pagehide", () => forget(`page.${page}`));
}
