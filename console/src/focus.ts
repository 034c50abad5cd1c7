// The focus stays where the person is: if the focused element is removed, hidden with its dialog or disabled, browsers give the
// focus to the body, and the next Tab would begin at the top of the page.

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

/**
 * In a list: the row, or the one in the place of a removed row. Elsewhere the content of the page, so that keys such as Enter and Space
 * do not press a button that nobody chose.
 */
function successorOf(places: readonly Place[], main: HTMLElement): HTMLElement {
  const left = places.find(({ parent }) => parent.isConnected && isShown(parent));
  if (!left || !main.contains(left.parent)) return main;
  const { parent, index } = left;
  const isList = parent.matches("ul, ol, tbody");
  const rows = isList ? [parent.children[index], parent.children[index - 1]] : [parent.closest("li, tr")];
  return rows.map((row) => firstFocusable(row ?? undefined)).find((one) => one !== undefined) ?? main;
}

/** @param main  receives the focus where nothing near is left; it can have it */
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
    // Otherwise somebody clicked beside everything.
    if (!isLost()) focused = undefined;
    else if (!document.querySelector("dialog[open]")) successorOf(places, main).focus({ preventScroll: true });
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
