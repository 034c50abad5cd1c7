// The transcript as one editable document, in ProseMirror. The store has the transcript and Editing what is typed; this class
// makes the document read as both do, reports what a person types, and marks words.
import { effect, untracked } from "@preact/signals";
import { history, redo, redoDepth, undo, undoDepth } from "prosemirror-history";
import { EditorState, TextSelection, type Transaction } from "prosemirror-state";
import { EditorView } from "prosemirror-view";
import type { CorrectedTranscription } from "../../../../src/service/transcripts/corrections.ts";
import { language, t } from "../../language/language.ts";
import { isEqual, type ShownDocument } from "../edits.ts";
import { placedWords, shownText, wordAt } from "../placed-words.ts";
import { showBesideText } from "./beside-text.ts";
import type { DocumentHandle, DocumentOptions } from "./handle.ts";
import { InView } from "./in-view.ts";
import { marksOf } from "./marks.ts";
import { ParagraphView } from "./paragraph-view.tsx";
import {
  documentOf,
  follow,
  idsOf,
  type Place,
  placeOf,
  positionOf,
  replaceText,
  type Stretch,
  startsOf,
  stretchesOf,
  textAt,
} from "./paragraphs.ts";
import { Structure } from "./structure.ts";
import { Typing } from "./typing.ts";

const TEXT_BOX = { role: "textbox", "aria-multiline": "true", spellcheck: "false" };
const FROM_TRANSCRIPT = "from-transcript";

export class DocumentView implements DocumentHandle {
  readonly view: EditorView;
  private readonly typing: Typing;
  private readonly stops: (() => void)[];
  private readonly inView: InView;
  /** The transcript that the document shows. */
  private reading: CorrectedTranscription;
  private ids: readonly string[] = [];
  /** Where the caret belongs when the document follows the next change. */
  private caret: Place | undefined;
  private playedWord: string | undefined;

  constructor(
    host: HTMLElement,
    /** Scrolls. */
    private readonly scroller: HTMLElement,
    private readonly options: DocumentOptions,
  ) {
    const { store, editing, hits, hit, unsure } = options;
    const structure = new Structure(store, editing, (place) => {
      this.caret = place;
    });
    this.typing = new Typing(this, structure, options);
    this.inView = new InView(scroller, () => this.redraw());
    this.reading = this.shown.reading;
    this.ids = idsOf(this.reading);
    this.view = new EditorView(host, {
      state: this.freshState(documentOf(this.texts())),
      editable: () => options.isEditable.peek() && store.showsCorrected.peek(),
      attributes: () => ({ ...TEXT_BOX, "aria-label": t.transcript.documentText }),
      nodeViews: { paragraph: () => this.paragraphView() },
      decorations: ({ doc }) => this.marks(doc),
      dispatchTransaction: (transaction) => this.dispatch(transaction),
      handleTextInput: (_, from, until, text) => this.typing.typeOver(from, until, text),
      handleKeyDown: (_, event) => this.typing.press(event),
      clipboardTextSerializer: (slice) => slice.content.textBetween(0, slice.content.size, "\n\n"),
      handleDOMEvents: {
        click: (_, event) => this.click(event),
        // Before ProseMirror reads the clipboard's markup.
        paste: (_, event) => this.typing.paste(event),
        drop: (_, event) => {
          event.preventDefault();
          return true;
        },
        blur: () => {
          void editing.save();
          return false;
        },
        compositionend: () => {
          setTimeout(() => this.update(), 0);
          return false;
        },
      },
    });
    this.update();
    this.stops = [
      effect(() => {
        void editing.document.value;
        void options.isEditable.value;
        void language.value;
        untracked(() => this.update());
      }),
      effect(() => {
        for (const one of [hits, hit, unsure, options.showsUnsure, store.notes.items]) void one.value;
        untracked(() => this.redraw());
      }),
      effect(() => {
        const { value: time } = options.time;
        untracked(() => this.markPlayed(time));
      }),
    ];
  }

  /** Undoing begins with this document: earlier changes are undone by the service. */
  private freshState(doc: EditorState["doc"], selection?: TextSelection): EditorState {
    return EditorState.create({ doc, plugins: this.plugins, ...(selection ? { selection } : {}) });
  }
  private readonly plugins = [history()];

  private paragraphView(): ParagraphView {
    const made = new ParagraphView(() => this.inView.remove(made));
    this.inView.add(made);
    return made;
  }

  private get shown(): ShownDocument {
    return this.options.editing.document.peek() as ShownDocument;
  }

  private texts(): string[] {
    const { reading, edits } = this.shown;
    return reading.utterances.map((utterance, at) => edits.get(at)?.text ?? shownText(utterance));
  }

  /** Makes the document read as the transcript with what is typed. */
  private update(): void {
    // An input method composes a character: the document follows afterwards.
    if (this.view.composing) return;
    this.reading = this.shown.reading;
    const shown = { ids: idsOf(this.reading), texts: this.texts() };
    const transaction = follow(this.view.state, this.ids, shown, isEqual);
    this.ids = shown.ids;
    if (transaction) {
      const { caret } = this;
      this.caret = undefined;
      if (caret) transaction.setSelection(TextSelection.create(transaction.doc, positionOf(transaction.doc, caret)));
      this.dispatch(transaction.setMeta(FROM_TRANSCRIPT, true).setMeta("addToHistory", false));
      if (caret) this.reveal(caret.at);
    }
    if (!this.options.editing.isDirty && undoDepth(this.view.state) + redoDepth(this.view.state) > 0) {
      const { doc, selection } = this.view.state;
      this.view.updateState(this.freshState(doc, TextSelection.create(doc, selection.anchor, selection.head)));
    }
    this.view.setProps({});
    showBesideText([...this.view.dom.children], this.inView, this.options.editing);
  }

  dispatch(transaction: Transaction): void {
    const { state } = this.view;
    const isOwn = transaction.getMeta(FROM_TRANSCRIPT) === true;
    if (!isOwn && transaction.doc.childCount !== state.doc.childCount) {
      // Paragraphs are divided and joined by Structure alone.
      const { from, to } = state.selection;
      this.dispatch(replaceText(state, from, to, ""));
      return;
    }
    const next = state.apply(transaction);
    this.view.updateState(next);
    if (isOwn || !transaction.docChanged) return;
    next.doc.forEach((paragraph, _, at) => {
      if (paragraph !== state.doc.maybeChild(at)) this.options.editing.write(at, paragraph.textContent, this.reading);
    });
  }

  leaveText(): boolean {
    void this.options.editing.save();
    this.scroller.focus({ preventScroll: true });
    return true;
  }

  /** Typed text that the service does not have is undone here; earlier changes are undone there. */
  undoOrRedo(isRedo: boolean): boolean {
    const { state } = this.view;
    const isHere = isRedo ? redoDepth(state) > 0 : undoDepth(state) > 0 && this.options.editing.isDirty;
    if (isHere) (isRedo ? redo : undo)(state, (transaction) => this.dispatch(transaction));
    else this.options.onUndo(isRedo);
    return true;
  }

  private click(event: MouseEvent): boolean {
    const { target } = event;
    if (!(target instanceof Element)) return false;
    const at = Number(target.closest<HTMLElement>(".utterance")?.dataset["at"] ?? Number.NaN);
    const utterance = this.shown.reading.utterances[at];
    if (!utterance) return false;
    if (target.closest(".speaker")) this.options.onSpeaker(at);
    else if (target.closest(".stamp")) this.options.onSeek(utterance.start, true);
    else if (target.closest(".words")) this.clickText(event, at);
    return false;
  }

  /** A click with Alt, or where nothing is typed, plays; another one places the caret, and the next playback begins there. */
  private clickText(event: MouseEvent, at: number): void {
    if (getSelection()?.isCollapsed === false) return;
    const found = this.view.posAtCoords({ left: event.clientX, top: event.clientY });
    const utterance = this.shown.reading.utterances[at];
    if (!found || !utterance) return;
    const { doc } = this.view.state;
    const word = wordAt(placedWords(utterance, textAt(doc, at)), placeOf(doc, found.pos).offset);
    if (word) this.options.onSeek(word.start, event.altKey || !this.view.editable);
  }

  private redraw(): void {
    if (this.view.composing) return;
    this.view.setProps({ decorations: ({ doc }) => this.marks(doc) });
  }

  private marks(doc: EditorState["doc"]) {
    const { hits, hit, unsure, showsUnsure, time, isPlaying } = this.options;
    return marksOf(doc, startsOf(doc), {
      reading: this.reading,
      inView: this.inView.positions(),
      showsUnsure: showsUnsure.peek(),
      hits: hits.peek(),
      hit: hit.peek(),
      unsure: unsure.peek(),
      notes: this.options.store.notes.items.peek(),
      time: isPlaying.peek() || time.peek() > 0 ? time.peek() : undefined,
    });
  }

  /** Marks the word that is played. */
  private markPlayed(time: number): void {
    const word = this.shown.reading.utterances[this.options.current.peek()]?.words.find(
      ({ start, end }) => start <= time && time < end,
    );
    const played = word && `${word.start}`;
    if (played === this.playedWord) return;
    this.playedWord = played;
    this.redraw();
  }

  get isProofReading(): boolean {
    const { value: unsure } = this.options.unsure;
    const [selected] = this.selected();
    if (!unsure || !selected || selected.at !== unsure.at) return false;
    const word = this.wordOf(unsure.at, unsure.start);
    return word !== undefined && selected.from === word.from && selected.until === word.until;
  }

  private wordOf(at: number, start: number) {
    const utterance = this.shown.reading.utterances[at];
    const words = utterance ? placedWords(utterance, textAt(this.view.state.doc, at)) : [];
    return words.find((word) => word.start === start);
  }

  get hasFocus(): boolean {
    return this.view.hasFocus();
  }

  get caretAt(): number | undefined {
    return this.hasFocus ? placeOf(this.view.state.doc, this.view.state.selection.head).at : undefined;
  }

  /** What is selected in the page. */
  selected(): Stretch[] {
    const selection = getSelection();
    if (!selection || selection.isCollapsed || selection.rangeCount === 0) return [];
    const range = selection.getRangeAt(0);
    if (!this.view.dom.contains(range.commonAncestorContainer)) return [];
    const from = this.view.posAtDOM(range.startContainer, range.startOffset);
    const until = this.view.posAtDOM(range.endContainer, range.endOffset);
    return stretchesOf(this.view.state.doc, from, until);
  }

  /** Places the caret in a paragraph, or selects a word of it. */
  focus(at: number, wordStart?: number): void {
    const { doc } = this.view.state;
    if (at >= doc.childCount) return;
    const word = wordStart === undefined ? undefined : this.wordOf(at, wordStart);
    const [from, until] = word ? [word.from, word.until] : [0, 0];
    const selection = TextSelection.create(
      doc,
      positionOf(doc, { at, offset: from }),
      positionOf(doc, { at, offset: until }),
    );
    this.view.focus();
    this.view.dispatch(this.view.state.tr.setSelection(selection));
    this.show(at);
  }

  show(at: number): void {
    this.inView.show(this.view.dom.children[at]);
  }

  /** Scrolls only as far as a paragraph needs to be visible. */
  private reveal(at: number): void {
    this.view.dom.children[at]?.scrollIntoView({ block: "nearest" });
  }

  destroy(): void {
    for (const stop of this.stops) stop();
    this.inView.end();
    this.view.destroy();
  }
}
