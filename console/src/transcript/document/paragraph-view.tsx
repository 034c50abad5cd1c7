// A paragraph of the document: its speaker and time, which are not text, notes on a conflict, and the text.
import { render } from "preact";
import { language, t } from "../../language/language.ts";
import { clock } from "../../time.ts";
import { speakerClass } from "../speakers.ts";
import { type Note, Notes } from "./notes.tsx";

export interface ParagraphInfo {
  /** Position among the paragraphs. */
  at: number;
  speaker: number | undefined;
  name: string;
  /** Seconds. */
  start: number;
  language: string;
  isCorrected: boolean;
}

function button(className: string): HTMLButtonElement {
  const made = document.createElement("button");
  made.type = "button";
  made.className = className;
  return made;
}

export class ParagraphView {
  readonly dom = document.createElement("article");
  readonly contentDOM = document.createElement("p");
  info: ParagraphInfo | undefined;
  private readonly header = document.createElement("header");
  private readonly notes = document.createElement("div");
  private readonly speaker = button("speaker");
  private readonly stamp = button("stamp");
  private readonly tag = document.createElement("span");
  private shownNote: Note | undefined;
  private language = "";

  constructor(private readonly onRemoved: () => void) {
    this.contentDOM.className = "words";
    this.contentDOM.dir = "auto";
    this.header.contentEditable = "false";
    this.notes.contentEditable = "false";
    this.speaker.setAttribute("aria-haspopup", "dialog");
    this.tag.className = "tag";
    this.header.append(this.speaker, this.stamp);
    this.dom.append(this.header, this.contentDOM);
  }

  /** Shows the speaker, the time and other versions beside the text. */
  show(info: ParagraphInfo): void {
    const before = this.language === language.value ? this.info : undefined;
    this.info = info;
    if (!before) this.showTexts();
    const { at, speaker, name, start, language: spoken, isCorrected } = info;
    if (before?.at !== at) {
      this.dom.dataset["at"] = String(at);
      this.dom.setAttribute("aria-label", t.transcript.utterance(at + 1));
    }
    if (before?.name !== name || before.speaker !== speaker) {
      this.dom.className = `utterance ${speakerClass(speaker)}`;
      this.speaker.className = speaker === undefined ? "speaker quiet hint" : "speaker";
      this.speaker.textContent = name;
    }
    if (before?.start !== start) {
      this.stamp.textContent = clock(start);
      this.stamp.setAttribute("aria-label", t.transcript.playFrom(clock(start)));
    }
    if (before?.language !== spoken) this.contentDOM.lang = spoken;
    if (isCorrected && !before?.isCorrected) this.header.append(this.tag);
    if (!isCorrected && before?.isCorrected) this.tag.remove();
  }

  /** In the language of the interface. */
  private showTexts(): void {
    this.language = language.value;
    this.speaker.title = t.transcript.correctSpeaker;
    this.tag.textContent = t.transcript.corrected;
    // Shown by the style sheet where the text is empty.
    this.contentDOM.dataset["deleted"] = t.transcript.deleted;
  }

  /** Shows another version of the text. */
  showNote(note: Note | undefined): void {
    if (!note && !this.shownNote) return;
    this.shownNote = note;
    if (note) this.header.after(this.notes);
    else this.notes.remove();
    render(note ? <Notes {...note} /> : null, this.notes);
  }

  /** The text alone is the editor's. */
  stopEvent({ target }: Event): boolean {
    return target instanceof Node && (this.header.contains(target) || this.notes.contains(target));
  }

  /** The language is an attribute of the text that this class sets. */
  ignoreMutation({ target, type }: { target: Node; type: string }): boolean {
    return !this.contentDOM.contains(target) || (target === this.contentDOM && type === "attributes");
  }

  destroy(): void {
    render(null, this.notes);
    this.onRemoved();
  }
}
