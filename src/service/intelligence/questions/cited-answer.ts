// Checks an answer while a language model writes it. The answer cites lines of the transcript as [12]: markers of lines that do not exist
// are removed, and every other marker becomes a citation with the times of its line.
import type { Citation, CitedAnswer } from "../../../contract/questions.ts";
import type { Utterance } from "../../../contract/transcript/transcript.ts";
import { textSentences } from "../../../speech/text/sentences.ts";
import { TranscriptFacts } from "../facts.ts";

const MARKER = /(?<![ \t])[ \t]*\[([^\]\n]{0,60})\]/;
/** The beginning of a marker at the end of a text, or the spaces before one. */
const OPEN = /(?<![ \t])[ \t]*(?:\[[^\]\n]{0,60})?$/;
const LINES = /^\s*(?:lines?\s*)?\d+(?:\s*[,;–-]\s*\d+)*\s*$/i;
const ALL_MARKERS = /(?<![ \t])[ \t]*\[\d+\]/g;
/** Least number of words that a sentence without marker shares with the utterance cited for it. */
const LEAST_SHARED_WORDS = 2;
const LONG_WORD = /[\p{L}\p{M}\p{N}]{4,}/gu;

const longWords = (text: string) => new Set(text.toLowerCase().match(LONG_WORD) ?? []);

/** The sentence at the end of a text. */
function lastSentence(text: string): string {
  const plain = text.replace(ALL_MARKERS, "").trimEnd();
  return textSentences(plain).at(-1) ?? "";
}

export class CitationChecker {
  private waiting = "";
  private answer = "";
  private readonly citations = new Map<number, Citation>();

  /**
   * @param onText      called with each piece of the checked answer
   * @param onCitation  called with each citation before the piece that has its first marker
   */
  constructor(
    private readonly utterances: readonly Utterance[],
    private readonly onText: (piece: string) => void,
    private readonly onCitation: (citation: Citation) => void,
  ) {}

  push(piece: string): void {
    this.waiting += piece;
    for (let found = MARKER.exec(this.waiting); found; found = MARKER.exec(this.waiting)) {
      this.write(this.waiting.slice(0, found.index));
      this.waiting = this.waiting.slice(found.index + found[0].length);
      this.cite(found[0], found[1] ?? "");
    }
    const open = OPEN.exec(this.waiting)?.index ?? this.waiting.length;
    this.write(this.waiting.slice(0, open));
    this.waiting = this.waiting.slice(open);
  }

  /** @param question  whose names and numbers an answer may repeat @param language  ISO 639 code of the transcript */
  end(question: string, language: string | undefined): CitedAnswer {
    this.write(this.waiting.trimEnd());
    this.waiting = "";
    const answer = this.answer.trim();
    if (this.citations.size === 0) this.findCitations(answer);
    const transcript = this.utterances.map(({ text }) => text).join("\n");
    const facts = new TranscriptFacts(`${transcript}\n${question}`, language);
    const citations = [...this.citations.values()].sort((left, right) => left.start - right.start);
    return { answer, citations, unverified: facts.missing(answer.replace(ALL_MARKERS, "")) };
  }

  private write(text: string): void {
    // An answer does not begin with empty lines.
    const piece = this.answer === "" ? text.trimStart() : text;
    if (piece === "") return;
    this.answer += piece;
    this.onText(piece);
  }

  private cite(marker: string, inside: string): void {
    // Brackets without line numbers are ordinary text.
    if (!LINES.test(inside)) {
      this.write(marker);
      return;
    }
    const statement = lastSentence(this.answer);
    for (const index of new Set((inside.match(/\d+/g) ?? []).map(Number))) {
      const utterance = this.utterances[index];
      if (!utterance) continue;
      const verified = new TranscriptFacts(utterance.text).mentions(statement);
      this.add(index, utterance, verified);
      this.write(` [${index}]`);
    }
  }

  private add(index: number, { start, end, channel, speaker, text }: Utterance, verified: boolean): void {
    if (this.citations.has(index)) return;
    const citation: Citation = {
      index,
      start,
      end,
      channel,
      ...(speaker === undefined ? {} : { speaker }),
      text: text.trim(),
      verified,
    };
    this.citations.set(index, citation);
    this.onCitation(citation);
  }

  /** For an answer without markers: the utterances that share the most words with its sentences. */
  private findCitations(answer: string): void {
    const lines = this.utterances.map(({ text }) => longWords(text));
    for (const sentence of textSentences(answer)) {
      const words = longWords(sentence);
      const shared = lines.map((own) => [...words].filter((word) => own.has(word)).length);
      const most = shared.reduce((one, other) => Math.max(one, other), 0);
      const index = shared.indexOf(most);
      const utterance = this.utterances[index];
      if (utterance && most >= LEAST_SHARED_WORDS) this.add(index, utterance, true);
    }
  }
}
