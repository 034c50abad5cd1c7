// The keys of the document, where they differ from those of the browser. Keys with Alt are those of the page.
export type TypingAction =
  | "leave"
  | "undo"
  | "redo"
  | "save"
  | "save-and-next"
  | "next"
  | "previous"
  | "accept"
  | "choose"
  | "divide"
  | "back"
  | "ahead";

type Press = Pick<KeyboardEvent, "key" | "altKey" | "ctrlKey" | "metaKey" | "shiftKey" | "isComposing">;

/**
 * @param isProofReading  an unsure word is selected
 * @param choices         number of its alternatives
 * @returns         undefined for a key that is the browser's
 */
export function typingActionOf(
  { key, altKey, ctrlKey, metaKey, shiftKey, isComposing }: Press,
  { isProofReading, choices }: { isProofReading: boolean; choices: number },
): TypingAction | undefined {
  // Of an input method: it ends the composition of a character.
  if (isComposing) return undefined;
  if (key === "Escape") return "leave";
  if (altKey) return undefined;
  const isCtrl = ctrlKey || metaKey;
  if (isCtrl) {
    const redoes = shiftKey ? "redo" : "undo";
    const letter = key.toLowerCase();
    if (letter === "z") return redoes;
    if (letter === "y") return "redo";
    if (letter === "s") return "save";
    if (key === "Enter" && !shiftKey) return "save-and-next";
  }
  if (key === "Tab" && isProofReading) return shiftKey ? "previous" : "next";
  if (isProofReading && !isCtrl && /^[1-9]$/.test(key) && Number(key) <= choices) return "choose";
  if (key === "Enter" && !isCtrl) return isProofReading ? "accept" : "divide";
  if (key === "Backspace") return "back";
  return key === "Delete" ? "ahead" : undefined;
}
