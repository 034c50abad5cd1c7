// A paragraph of the document: its speaker and time, which are not text, notes on a conflict, and the text.
import { render } from "preact";
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

  constructor(private readonly onRemoved: () => void) {
    this.contentDOM.className = "words";
    this.contentDOM.dir = "auto";
    this.header.contentEditable = "false";
    this.notes.contentEditable = "false";
    this.speaker.setAttribute("aria-haspopup", "dialog");
    this.speaker.title = "Correct the speaker";
    this.tag.className = "tag";
    this.tag.textContent = "corrected";
    this.header.append(this.speaker, this.stamp);
    this.dom.append(this.header, this.contentDOM);
  }

  /** Shows the speaker, the time and other versions beside the text. */
  show(info: ParagraphInfo): void {
    const before = this.info;
    this.info = info;
    const { at, speaker, name, start, language, isCorrected } = info;
    if (before?.at !== at) {
      this.dom.dataset["at"] = String(at);
      this.dom.setAttribute("aria-label", `Utterance ${at + 1}`);
    }
    if (before?.name !== name || before.speaker !== speaker) {
      this.dom.className = `utterance ${speakerClass(speaker)}`;
      this.speaker.className = speaker === undefined ? "speaker quiet hint" : "speaker";
      this.speaker.textContent = name;
    }
    if (before?.start !== start) {
      this.stamp.textContent = clock(start);
      this.stamp.setAttribute("aria-label", `Play from ${clock(start)}`);
    }
    if (before?.language !== language) this.contentDOM.lang = language;
    if (isCorrected && !before?.isCorrected) this.header.append(this.tag);
    if (!isCorrected && before?.isCorrected) this.tag.remove();
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
