// What the English rules read around a run of number words.
import type { Run } from "./english-runs.ts";
import { AMBIGUOUS_MONTH, MONTH } from "./english-units.ts";
import { isJoined, type Piece } from "./pieces.ts";

const SENTENCE_MARK = /[.!?;]/;

export class Reading {
  private readonly runsByStart: ReadonlyMap<number, Run>;
  private readonly runsByEnd: ReadonlyMap<number, Run>;
  private readonly placeOf: ReadonlyMap<Run, number>;
  private readonly runsByPiece = new Map<number, Run>();

  constructor(
    readonly pieces: readonly Piece[],
    readonly runs: readonly Run[],
  ) {
    this.runsByStart = new Map(runs.map((run) => [run.from, run]));
    this.runsByEnd = new Map(runs.map((run) => [run.to, run]));
    this.placeOf = new Map(runs.map((run, at) => [run, at]));
    for (const run of runs) for (let at = run.from; at < run.to; at++) this.runsByPiece.set(at, run);
  }

  text(at: number): string {
    return this.pieces[at]?.text ?? "";
  }

  /** The text of a piece, where no mark parts it from the one before. */
  next(at: number): string {
    return isJoined(this.pieces, at - 1) ? this.text(at) : "";
  }

  before(from: number): string {
    return isJoined(this.pieces, from - 1) ? this.text(from - 1) : "";
  }

  /** Whether the pieces from `at` on say these words. */
  says(at: number, phrase: string): boolean {
    return phrase.split(" ").every((word, index) => this.next(at + index) === word);
  }

  isMonth(at: number): boolean {
    const { text = "", raw = "" } = this.pieces[at] ?? {};
    return MONTH.test(text) && (!AMBIGUOUS_MONTH.test(text) || raw[0] !== text[0]);
  }

  runAt(from: number): Run | undefined {
    return this.runsByStart.get(from);
  }

  /** The run that a piece is in. */
  runAround(at: number): Run | undefined {
    return this.runsByPiece.get(at);
  }

  neighbours(run: Run): [before: Run | undefined, behind: Run | undefined] {
    const at = this.placeOf.get(run) ?? -1;
    return at < 0 ? [undefined, undefined] : [this.runs[at - 1], this.runs[at + 1]];
  }

  runUntil(to: number): Run | undefined {
    return this.runsByEnd.get(to);
  }

  /** Up to `most` pieces of the same sentence before a run, in order. */
  sentenceBefore(from: number, most: number): readonly Piece[] {
    let start = from;
    while (start > 0 && from - start < most && !SENTENCE_MARK.test(this.pieces[start - 1]?.mark ?? "")) start--;
    return this.pieces.slice(start, from);
  }

  /** Up to `most` pieces of the same sentence behind a run, in order. */
  sentenceAfter(to: number, most: number): readonly Piece[] {
    let end = to;
    while (end < this.pieces.length && end - to < most && !SENTENCE_MARK.test(this.pieces[end - 1]?.mark ?? "")) end++;
    return this.pieces.slice(to, end);
  }

  /** Whether a piece is the first of its sentence. */
  isFirst(at: number): boolean {
    return at === 0 || SENTENCE_MARK.test(this.pieces[at - 1]?.mark ?? "");
  }
}
