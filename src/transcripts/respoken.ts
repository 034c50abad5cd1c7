// Words of an utterance as somebody corrected them, with times: what reads as before keeps its times, what is new shares
// those of what it replaces.
import type { Utterance, Word } from "../jobs/transcript.ts";

/** Somebody vouches for it. */
const CERTAIN = 1;
/** Above this the words between the first and last change are taken as one replaced stretch. */
const MOST_COMPARED = 4_000_000;

interface Match {
  old: number;
  now: number;
}

const bare = (word: string) => word.trim().toLowerCase();

/** Longest common subsequence. Both ends that agree are cut off first: a correction is small. */
function matches(old: readonly string[], now: readonly string[]): Match[] {
  let from = 0;
  while (from < old.length && from < now.length && old[from] === now[from]) from++;
  let back = 0;
  while (back < old.length - from && back < now.length - from && old.at(-1 - back) === now.at(-1 - back)) back++;
  const ends = [
    ...Array.from({ length: from }, (_, at) => ({ old: at, now: at })),
    ...Array.from({ length: back }, (_, at) => ({ old: old.length - back + at, now: now.length - back + at })),
  ];
  const [rows, columns] = [old.length - from - back, now.length - from - back];
  if (rows === 0 || columns === 0 || rows * columns > MOST_COMPARED) return ends;
  const lengths = Array.from({ length: rows + 1 }, () => new Uint32Array(columns + 1));
  const at = (row: number, column: number) => lengths[row]?.[column] ?? 0;
  const isSame = (row: number, column: number) => old[from + row] === now[from + column];
  for (let row = rows - 1; row >= 0; row--) {
    for (let column = columns - 1; column >= 0; column--) {
      (lengths[row] as Uint32Array)[column] = isSame(row, column)
        ? at(row + 1, column + 1) + 1
        : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  const inner: Match[] = [];
  for (let row = 0, column = 0; row < rows && column < columns; ) {
    if (isSame(row, column)) inner.push({ old: from + row++, now: from + column++ });
    else if (at(row + 1, column) >= at(row, column + 1)) row++;
    else column++;
  }
  return [...ends.slice(0, from), ...inner, ...ends.slice(from)];
}

const milliseconds = (seconds: number) => Math.round(seconds * 1000) / 1000;

/** `texts` over a stretch of time, each as long as its letters. */
function spread(texts: readonly string[], start: number, end: number): Word[] {
  const weights = texts.map((text) => text.trim().length + 1);
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  let passed = 0;
  return texts.map((word, index) => {
    const from = start + ((end - start) * passed) / whole;
    passed += weights[index] ?? 0;
    const until = start + ((end - start) * passed) / whole;
    return { word, start: milliseconds(from), end: milliseconds(until), confidence: CERTAIN };
  });
}

/**
 * @param text  as the utterance should read, not empty at its ends
 * @returns its words; starts never decrease and stay inside of the utterance
 */
export function respoken({ words, start, end }: Pick<Utterance, "words" | "start" | "end">, text: string): Word[] {
  const now = text.match(/\s*\S+/g) ?? [];
  const kept = matches(
    words.map(({ word }) => bare(word)),
    now.map(bare),
  );
  const spoken: Word[] = [];
  let [oldAt, nowAt] = [0, 0];
  for (const match of [...kept, { old: words.length, now: now.length }]) {
    const before = words[match.old - 1];
    // What was replaced has its time; what was put in between has the gap.
    const replaced = words.slice(oldAt, match.old);
    const from = replaced[0]?.start ?? spoken.at(-1)?.end ?? start;
    const until = replaced.length > 0 ? (before?.end ?? end) : (words[match.old]?.start ?? end);
    spoken.push(...spread(now.slice(nowAt, match.now), from, Math.max(from, until)));
    const same = words[match.old];
    if (same) spoken.push({ ...same, word: now[match.now] ?? same.word });
    [oldAt, nowAt] = [match.old + 1, match.now + 1];
  }
  return spoken.map((word, index) => (index === 0 ? { ...word, word: word.word.trimStart() } : word));
}
