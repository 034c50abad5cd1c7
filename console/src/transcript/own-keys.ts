// Keys that a person has chosen for actions of the transcript page. This browser keeps them.
import { computed, signal } from "@preact/signals";
import { forget, readChoice, storeChoice, whenStoredElsewhere } from "../memory.ts";
import { actionOf, KEYS, type KeyActions, type KeyRule, type Press } from "./keys.ts";

type Action = keyof KeyActions;

interface OwnKey {
  /** `event.key` where no text is typed. */
  key?: string;
  /** `event.code` with Alt, also while text is typed. */
  alt?: string;
}
/** What is absent has the key of the table. */
export type OwnKeys = Partial<Record<Action, OwnKey>>;

const STORED = "keys";
/** The key that is wanted follows them. */
const INCOMPLETE = /^(?:Shift|Control|Alt|AltGraph|Meta|CapsLock|Dead|Process|Unidentified)$/;
/** Keys that move the focus, scroll, or reload the page. */
const OF_BROWSER = /^(?:Tab|Arrow\w+|Page\w+|Home|End|ContextMenu|F5|F11|F12)$/;
const SHOWN_KEYS: Record<string, string> = { " ": "space", Enter: "enter", Backspace: "backspace", Delete: "delete" };
const SHOWN_CODES: Record<string, string> = { ...SHOWN_KEYS, Space: "space", Comma: ",", Period: ".", Slash: "/" };

/** Whether a person can choose its key. That of the alternatives is their number, and those with Ctrl are of every program. */
export const isChangeable = ({ action, keys }: Pick<KeyRule, "action" | "keys">): boolean =>
  keys.length > 0 && action !== "choose";

const shownKey = (key: string) => SHOWN_KEYS[key] ?? (key.length === 1 ? key.toUpperCase() : key);
const shownCode = (code: string) => SHOWN_CODES[code] ?? code.replace(/^(?:Key|Digit)/, "");

/** A rule of the table with the keys that were chosen for it. */
type OwnRule = Omit<KeyRule, "shown"> & { shown: string[][]; isOwn: boolean };

/** The table with the chosen keys. */
export function rulesWith(own: OwnKeys): OwnRule[] {
  return KEYS.map((rule) => {
    const { key, alt } = own[rule.action] ?? {};
    if (!isChangeable(rule) || (key === undefined && alt === undefined)) return { ...rule, isOwn: false };
    const plain = rule.shown.filter((keys) => keys[0] !== "alt");
    const withAlt = rule.shown.filter((keys) => keys[0] === "alt");
    return {
      ...rule,
      isOwn: true,
      ...(key === undefined ? {} : { keys: [key] }),
      ...(alt === undefined ? {} : { alt }),
      shown: [
        ...(key === undefined ? plain : [[shownKey(key)]]),
        ...(alt === undefined ? withAlt : [["alt", shownCode(alt)]]),
      ],
    };
  });
}

export type KeyChoice =
  | { kind: "chosen"; own: OwnKeys }
  | { kind: "cancelled" | "incomplete" | "browser" }
  | { kind: "taken"; by: Action };

/** @returns what a key press means that is to be the key of an action */
export function choiceOf(press: Press, action: Action, own: OwnKeys): KeyChoice {
  const { key, code, altKey, ctrlKey, metaKey, shiftKey } = press;
  if (key === "Escape") return { kind: "cancelled" };
  if (INCOMPLETE.test(key)) return { kind: "incomplete" };
  if (ctrlKey || metaKey || OF_BROWSER.test(key) || (altKey && shiftKey)) return { kind: "browser" };
  const holder = actionOf(press, "page", rulesWith(own));
  if (holder !== undefined && holder !== action) return { kind: "taken", by: holder };
  return { kind: "chosen", own: { ...own, [action]: { ...own[action], ...(altKey ? { alt: code } : { key }) } } };
}

/** A stored value may be of another version, or damaged. */
function readOwnKeys(): OwnKeys {
  const stored = readChoice<Record<string, OwnKey | undefined> | null>(STORED, {});
  const text = (value: unknown) => (typeof value === "string" && value !== "" ? value : undefined);
  const kept = KEYS.filter(isChangeable).flatMap(({ action }) => {
    const key = text(stored?.[action]?.key);
    const alt = text(stored?.[action]?.alt);
    if (key === undefined && alt === undefined) return [];
    return [[action, { ...(key === undefined ? {} : { key }), ...(alt === undefined ? {} : { alt }) }] as const];
  });
  return Object.fromEntries(kept);
}

export const ownKeys = signal<OwnKeys>(readOwnKeys());

/** The table with the keys that are chosen now. */
export const keysNow = computed(() => rulesWith(ownKeys.value));

export function storeOwnKeys(own: OwnKeys): void {
  ownKeys.value = own;
  storeChoice(STORED, own);
}

export function resetOwnKeys(): void {
  ownKeys.value = {};
  forget(STORED);
}

/** Follows changes in other windows of this browser. @returns stops that */
export const followOwnKeys = (): (() => void) =>
  whenStoredElsewhere(STORED, () => {
    ownKeys.value = readOwnKeys();
  });
