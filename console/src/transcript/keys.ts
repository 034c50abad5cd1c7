// The keys of the transcript page: one table, which the page obeys and the help shows.
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

interface KeyRule {
  does: string;
  action: keyof KeyActions;
  /** `event.key` where no text is typed. */
  keys: string[];
  /** `event.code` with Alt, also while text is typed; "Digit" for 1 to 9. */
  alt?: string;
  /** `event.key` with Ctrl or ⌘, also while text is typed if `typing`. */
  ctrl?: { key: string; shift?: boolean; typing?: boolean };
  /** As the help shows the keys. */
  shown: string[];
}

export const KEYS: readonly KeyRule[] = [
  { does: "Play or pause", action: "toggle", keys: [" ", "k"], alt: "KeyK", shown: ["Space", "K", "Alt + K"] },
  { does: "Back three seconds", action: "back", keys: ["j"], alt: "KeyJ", shown: ["J", "Alt + J"] },
  { does: "Ahead three seconds", action: "ahead", keys: ["l"], alt: "KeyL", shown: ["L", "Alt + L"] },
  { does: "Slower", action: "slower", keys: ["<"], alt: "Comma", shown: ["<", "Alt + ,"] },
  { does: "Faster", action: "faster", keys: [">"], alt: "Period", shown: [">", "Alt + ."] },
  { does: "Next unsure word", action: "nextUnsure", keys: ["n"], alt: "KeyN", shown: ["N", "Alt + N"] },
  { does: "Previous unsure word", action: "previousUnsure", keys: ["p"], alt: "KeyP", shown: ["P", "Alt + P"] },
  { does: "Accept the unsure word", action: "accept", keys: ["Enter"], alt: "Enter", shown: ["Enter", "Alt + Enter"] },
  { does: "Replace the unsure word with an alternative", action: "choose", keys: ["1", "2", "3"], shown: ["1 to 3"] },
  { does: "Speaker of the paragraph, by number", action: "speaker", keys: [], alt: "Digit", shown: ["Alt + 1 to 9"] },
  { does: "Correct the speaker", action: "correctSpeaker", keys: ["s"], alt: "KeyS", shown: ["S", "Alt + S"] },
  { does: "Find and replace", action: "find", keys: [], ctrl: { key: "f", typing: true }, shown: ["Ctrl + F"] },
  { does: "Type where the playback is", action: "edit", keys: ["e"], shown: ["E"] },
  { does: "Undo a correction", action: "undo", keys: [], ctrl: { key: "z" }, shown: ["Ctrl + Z"] },
  { does: "Redo a correction", action: "redo", keys: [], ctrl: { key: "z", shift: true }, shown: ["Ctrl + Shift + Z"] },
  { does: "Redo a correction", action: "redo", keys: [], ctrl: { key: "y" }, shown: ["Ctrl + Y"] },
  { does: "Show these keys", action: "help", keys: ["?"], alt: "KeyH", shown: ["?", "Alt + H"] },
];

/** Keys that the document has while text is typed. */
export const TYPING_KEYS: readonly { does: string; shown: string[] }[] = [
  { does: "New paragraph", shown: ["Enter"] },
  { does: "Join with the paragraph before", shown: ["Backspace at its beginning"] },
  { does: "Join with the paragraph after", shown: ["Delete at its end"] },
  { does: "Next or previous unsure word, while one is selected", shown: ["Tab", "Shift + Tab"] },
  { does: "Accept the selected unsure word", shown: ["Enter"] },
  { does: "Replace it with an alternative", shown: ["1 to 3"] },
  { does: "Save", shown: ["Ctrl + S"] },
  { does: "Save, and leave the text", shown: ["Esc"] },
  { does: "Play from a word", shown: ["Alt + click"] },
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
 * @returns the action of a key press
 */
export function actionOf(press: Press, place: "page" | "control" | "text" | "dialog"): keyof KeyActions | undefined {
  if (place === "dialog") return undefined;
  const isCtrl = press.ctrlKey || press.metaKey;
  const pressesControl = place === "control" && (press.key === " " || press.key === "Enter");
  const rule = KEYS.find(({ keys, alt, ctrl }) => {
    if (isCtrl) {
      const isRight = ctrl?.key === press.key.toLowerCase() && (ctrl.shift ?? false) === press.shiftKey;
      return !press.altKey && isRight && (place !== "text" || ctrl?.typing === true);
    }
    if (press.altKey) return isPressed(alt, press) && !press.shiftKey;
    return place !== "text" && keys.includes(press.key) && !pressesControl;
  });
  return rule?.action;
}
