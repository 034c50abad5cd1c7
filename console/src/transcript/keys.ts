// The keys of the transcript page: one table, which the page obeys and the help shows.
import type { Texts } from "../language/tables/en.ts";

export interface KeyActions {
  toggle(): void;
  back(): void;
  ahead(): void;
  faster(): void;
  slower(): void;
  nextUnsure(): void;
  previousUnsure(): void;
  accept(): void;
  /** @param number  1 to 3 */
  choose(number: number): void;
  find(): void;
  edit(): void;
  correctSpeaker(): void;
  /** @param number  1 to 9 */
  speaker(number: number): void;
  undo(): void;
  redo(): void;
  help(): void;
}

/** A key or a character on it. */
type Shown = keyof Texts["keyNames"] | Uppercase<string>;

/** Names of texts without parameters. */
type Plain<Group> = { [Name in keyof Group]: Group[Name] extends string ? Name : never }[keyof Group];

export interface KeyRule {
  does: Plain<Texts["keys"]>;
  action: keyof KeyActions;
  /** `event.key` where no text is typed. */
  keys: string[];
  /** `event.code` with Alt, also while text is typed; "Digit" for 1 to 9. */
  alt?: string;
  /** `event.key` with Ctrl or ⌘, also while text is typed if `typing`. */
  ctrl?: { key: string; shift?: boolean; typing?: boolean };
  /** As the help shows the keys: those of a list are pressed together. */
  shown: Shown[][];
}

export const KEYS: readonly KeyRule[] = [
  { does: "toggle", action: "toggle", keys: [" ", "k"], alt: "KeyK", shown: [["space"], ["K"], ["alt", "K"]] },
  { does: "back", action: "back", keys: ["j"], alt: "KeyJ", shown: [["J"], ["alt", "J"]] },
  { does: "ahead", action: "ahead", keys: ["l"], alt: "KeyL", shown: [["L"], ["alt", "L"]] },
  { does: "slower", action: "slower", keys: ["<"], alt: "Comma", shown: [["<"], ["alt", ","]] },
  { does: "faster", action: "faster", keys: [">"], alt: "Period", shown: [[">"], ["alt", "."]] },
  { does: "nextUnsure", action: "nextUnsure", keys: ["n"], alt: "KeyN", shown: [["N"], ["alt", "N"]] },
  { does: "previousUnsure", action: "previousUnsure", keys: ["p"], alt: "KeyP", shown: [["P"], ["alt", "P"]] },
  { does: "accept", action: "accept", keys: ["Enter"], alt: "Enter", shown: [["enter"], ["alt", "enter"]] },
  { does: "choose", action: "choose", keys: ["1", "2", "3"], shown: [["oneToThree"]] },
  { does: "speaker", action: "speaker", keys: [], alt: "Digit", shown: [["alt", "oneToNine"]] },
  { does: "correctSpeaker", action: "correctSpeaker", keys: ["s"], alt: "KeyS", shown: [["S"], ["alt", "S"]] },
  { does: "find", action: "find", keys: [], ctrl: { key: "f", typing: true }, shown: [["ctrl", "F"]] },
  { does: "edit", action: "edit", keys: ["e"], shown: [["E"]] },
  { does: "undo", action: "undo", keys: [], ctrl: { key: "z" }, shown: [["ctrl", "Z"]] },
  { does: "redo", action: "redo", keys: [], ctrl: { key: "z", shift: true }, shown: [["ctrl", "shift", "Z"]] },
  { does: "redo", action: "redo", keys: [], ctrl: { key: "y" }, shown: [["ctrl", "Y"]] },
  { does: "help", action: "help", keys: ["?"], alt: "KeyH", shown: [["?"], ["alt", "H"]] },
];

/** Keys with which a browser scrolls. */
export const SCROLL_KEYS: ReadonlySet<string> = new Set(["ArrowUp", "ArrowDown", "PageUp", "PageDown", "Home", "End"]);

/** Keys that the document has while text is typed. */
export const TYPING_KEYS: readonly Pick<KeyRule, "does" | "shown">[] = [
  { does: "newParagraph", shown: [["enter"]] },
  { does: "joinBefore", shown: [["backspace"]] },
  { does: "joinAfter", shown: [["delete"]] },
  { does: "stepUnsure", shown: [["tab"], ["shift", "tab"]] },
  { does: "acceptSelected", shown: [["enter"]] },
  { does: "replaceSelected", shown: [["oneToThree"]] },
  { does: "save", shown: [["ctrl", "S"]] },
  { does: "saveAndNext", shown: [["ctrl", "enter"]] },
  { does: "leave", shown: [["escape"]] },
  { does: "playWord", shown: [["alt", "click"]] },
];

/** Parts of a key press. */
export type Press = Pick<KeyboardEvent, "key" | "code" | "altKey" | "ctrlKey" | "metaKey" | "shiftKey">;

const DIGIT = /^Digit([1-9])$/;

/** @returns the number of a digit key; undefined for other keys */
export const digitOf = ({ code }: Press): number | undefined => {
  const found = DIGIT.exec(code)?.[1];
  return found === undefined ? undefined : Number(found);
};

const isPressed = (alt: string | undefined, press: Press) =>
  alt === "Digit" ? digitOf(press) !== undefined : alt === press.code;

/**
 * @param place  text: in a field; control: on a button or link, which Space and Enter press; dialog: only that has keys
 * @param rules  the table, or that with the keys that a person has chosen
 * @returns the action of a key press
 */
export function actionOf(
  press: Press,
  place: "page" | "control" | "text" | "dialog",
  rules: readonly Omit<KeyRule, "shown">[] = KEYS,
): keyof KeyActions | undefined {
  if (place === "dialog") return undefined;
  const isCtrl = press.ctrlKey || press.metaKey;
  const pressesControl = place === "control" && (press.key === " " || press.key === "Enter");
  const rule = rules.find(({ keys, alt, ctrl }) => {
    if (isCtrl) {
      const isRight = ctrl?.key === press.key.toLowerCase() && (ctrl.shift ?? false) === press.shiftKey;
      return !press.altKey && isRight && (place !== "text" || ctrl?.typing === true);
    }
    if (press.altKey) return isPressed(alt, press) && !press.shiftKey;
    return place !== "text" && keys.includes(press.key) && !pressesControl;
  });
  return rule?.action;
}
