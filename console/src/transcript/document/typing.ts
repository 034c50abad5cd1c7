// What keys, input methods and the clipboard do to the text and the paragraphs.
import { TextSelection, type Transaction } from "prosemirror-state";
import type { EditorView } from "prosemirror-view";
import { placedWords, wordAt } from "../placed-words.ts";
import type { DocumentOptions } from "./handle.ts";
import { type Place, pastedText, placeOf, positionOf, replaceText, textAt } from "./paragraphs.ts";
import type { Structure } from "./structure.ts";
import { typingActionOf } from "./typing-keys.ts";

interface TypingHost {
  readonly view: EditorView;
  /** Whether the chosen unsure word is selected. */
  readonly isProofReading: boolean;
  dispatch(transaction: Transaction): void;
  leaveText(): boolean;
  undoOrRedo(isRedo: boolean): boolean;
}

export class Typing {
  constructor(
    private readonly host: TypingHost,
    private readonly structure: Structure,
    private readonly options: DocumentOptions,
  ) {}

  typeOver(from: number, until: number, text: string): boolean {
    const { doc } = this.host.view.state;
    if (placeOf(doc, from).at === placeOf(doc, until).at) return false;
    this.host.dispatch(replaceText(this.host.view.state, from, until, text));
    return true;
  }

  paste(event: ClipboardEvent): boolean {
    event.preventDefault();
    const text = event.clipboardData?.getData("text/plain") ?? "";
    if (!this.host.view.editable || text === "") return true;
    const { from, to } = this.host.view.state.selection;
    const { text: joined, offsets } = pastedText(text);
    const { at, offset } = placeOf(this.host.view.state.doc, from);
    this.host.dispatch(replaceText(this.host.view.state, from, to, joined));
    const places = offsets.map((place) => offset + place);
    const { doc } = this.host.view.state;
    if (places.length > 0) this.structure.divideAt(at, places, textAt(doc, at), offset + joined.length);
    return true;
  }

  /** Begins a paragraph in place of the selection. */
  private divide(): boolean {
    const { state } = this.host.view;
    const { from, to, empty } = state.selection;
    const [first, last] = [placeOf(state.doc, from), placeOf(state.doc, to)];
    if (!empty) this.host.dispatch(replaceText(state, from, to, ""));
    const { doc, tr } = this.host.view.state;
    if (first.at === last.at) this.structure.divide(first, textAt(doc, first.at));
    // Between two paragraphs, there is a break already.
    else this.host.dispatch(tr.setSelection(TextSelection.create(doc, positionOf(doc, { at: last.at, offset: 0 }))));
    return true;
  }

  /** @returns the start of the word at a place, or of its paragraph, in seconds */
  private timeAt({ at, offset }: Place): number {
    const utterance = this.options.editing.document.peek()?.reading.utterances[at];
    if (!utterance) return 0;
    const words = placedWords(utterance, textAt(this.host.view.state.doc, at));
    return wordAt(words, offset)?.start ?? utterance.start;
  }

  press(event: KeyboardEvent): boolean {
    const { state } = this.host.view;
    const { from, to, empty } = state.selection;
    const place = placeOf(state.doc, from);
    const text = textAt(state.doc, place.at);
    switch (
      typingActionOf(event, {
        isProofReading: this.host.isProofReading,
        choices: this.options.choices.peek(),
      })
    ) {
      case "leave":
        return this.host.leaveText();
      case "undo":
        return this.host.undoOrRedo(false);
      case "redo":
        return this.host.undoOrRedo(true);
      case "save":
        void this.options.editing.save();
        return true;
      case "save-and-next":
        void this.options.editing.save();
        this.options.onNext(placeOf(state.doc, to).at, this.timeAt(placeOf(state.doc, to)));
        return true;
      case "next":
      case "previous":
      case "accept":
        this.options.onUnsure(event.key === "Enter" ? "accept" : event.shiftKey ? "previous" : "next");
        return true;
      case "choose":
        this.options.onUnsure(Number(event.key));
        return true;
      case "divide":
        return this.divide();
      case "back":
      case "ahead":
        break;
      default:
        return false;
    }
    if (!empty) {
      if (place.at === placeOf(state.doc, to).at) return false;
      this.host.dispatch(replaceText(state, from, to, ""));
      return true;
    }
    const isAtEdge = event.key === "Backspace" ? place.offset === 0 : place.offset === text.length;
    if (isAtEdge) this.structure.join(event.key === "Backspace" ? place.at : place.at + 1);
    return isAtEdge;
  }
}
