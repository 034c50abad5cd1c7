// Finds words of a whole recording by their characters or their times. A search takes logarithmic time, as a long recording has thousands
// of identifiers.
import { lowestPlace } from "../../contract/lowest-place.ts";
import type { Word } from "../../contract/transcript/transcript.ts";

export class WordPlaces {
  /** All words. */
  readonly text: string;
  /** For each word, the first character that is not a space, and one past the last. */
  private readonly starts: number[] = [];
  private readonly ends: number[] = [];

  constructor(private readonly words: readonly Word[]) {
    this.text = words.map(({ word }) => word).join("");
    let at = 0;
    for (const { word } of words) {
      this.starts.push(at + word.length - word.trimStart().length);
      at += word.length;
      this.ends.push(at);
    }
  }

  /** Words with characters in a stretch of the text. */
  wordsIn(from: number, to: number): Word[] {
    const first = lowestPlace(this.words.length, (index) => (this.ends[index] as number) > from);
    const last = lowestPlace(this.words.length, (index) => (this.starts[index] as number) >= to);
    return this.words.slice(first, last);
  }
}

export class WordTimes {
  /** Indexes of the words by their starts: words of utterances that overlap are not in order. */
  private readonly byStart: number[];

  constructor(private readonly words: readonly Word[]) {
    this.byStart = [...words.keys()].sort((left, right) => this.startOf(left) - this.startOf(right));
  }

  private startOf(index: number): number {
    return (this.words[index] as Word).start;
  }

  /** The words within the times of others. */
  within(others: readonly Word[]): Word[] {
    const [first, last] = [others[0], others.at(-1)];
    if (!first || !last) return [];
    const { words, byStart } = this;
    const from = lowestPlace(words.length, (at) => this.startOf(byStart[at] as number) >= first.start);
    const to = lowestPlace(words.length, (at) => this.startOf(byStart[at] as number) > last.end);
    const found = byStart.slice(from, to).sort((left, right) => left - right);
    return found.map((index) => words[index] as Word).filter(({ end }) => end <= last.end);
  }
}
