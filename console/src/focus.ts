// Keeps the focus near its last place. If the focused element is removed, disabled, or hidden with its dialog, browsers move the focus to
// the body, and the next Tab begins at the top of the page.

const FOCUSABLE =
  'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), summary, [contenteditable="true"], [tabindex]:not([tabindex="-1"])';

interface Place {
  parent: Element;
  /** Of the element or its ancestor among the children of the parent. */
  index: number;
}

/** Where an element is, from its parent outwards. */
function placesOf(element: Element): Place[] {
  const places: Place[] = [];
  for (let at = element; at.parentElement; at = at.parentElement) {
    places.push({ parent: at.parentElement, index: [...at.parentElement.children].indexOf(at) });
  }
  return places;
}

const isShown = (element: Element) => element.getClientRects().length > 0;

function firstFocusable(element: Element | undefined): HTMLElement | undefined {
  if (!element) return undefined;
  const own = element.matches(FOCUSABLE) ? [element] : [];
  return [...own, ...element.querySelectorAll(FOCUSABLE)].find(isShown) as HTMLElement | undefined;
}

/** @returns in a list or among chosen values, the row of the lost element, or the row that took the place of a removed one */
function successorOf(places: readonly Place[], main: HTMLElement): HTMLElement | undefined {
  const left = places.find(({ parent }) => parent.isConnected && isShown(parent));
  if (!left || !main.contains(left.parent)) return undefined;
  const { parent, index } = left;
  const isList = parent.matches("ul, ol, tbody, .chosen, .entries");
  const rows = isList ? [parent.children[index], parent.children[index - 1]] : [parent.closest("li, tr")];
  return rows.map((row) => firstFocusable(row ?? undefined)).find((one) => one !== undefined);
}

/** @returns the content of the page, where Enter and Space press no button by accident; undefined behind a dialog */
const contentOf = (main: HTMLElement) => (document.querySelector("dialog[open]") ? undefined : main);

/**
 * Moves a lost focus.
 * @param main  receives the focus if no element near the lost one is left; has a tabindex
 * @returns stops it
 */
export function keepFocus(main: HTMLElement): () => void {
  let places: Place[] = [];
  let focused: Element | undefined;
  const remember = () => {
    const { activeElement } = document;
    if (!activeElement || activeElement === document.body) return;
    focused = activeElement;
    places = placesOf(activeElement);
  };
  const isLost = () =>
    focused !== undefined && (!focused.isConnected || focused.matches(":disabled") || !isShown(focused));
  const check = () => {
    if (document.activeElement !== document.body || !focused) return;
    // The element is still there: a click outside of all controls took the focus from it.
    if (!isLost()) focused = undefined;
    else (successorOf(places, main) ?? contentOf(main))?.focus({ preventScroll: true });
  };
  const observer = new MutationObserver(() => queueMicrotask(check));
  const stopped = new AbortController();
  observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ["disabled", "hidden", "open"] });
  document.addEventListener("focusin", remember, { signal: stopped.signal });
  return () => {
    observer.disconnect();
    stopped.abort();
  };
}
