// The difference between two versions of some words. Pure.

/** Words of the older version that the newer one replaces. */
export interface ReplacedWords {
  /** Positions in the older version; `until` is after the last one. At least one word. */
  from: number;
  until: number;
  /** In their place; may be empty. */
  words: string[];
}

/** Lengths of the longest common subsequences of the rests of both lists, row by row. */
function commonLengths(old: readonly string[], now: readonly string[]): Uint16Array[] {
  const lengths = Array.from({ length: old.length + 1 }, () => new Uint16Array(now.length + 1));
  for (let row = old.length - 1; row >= 0; row--) {
    for (let column = now.length - 1; column >= 0; column--) {
      const [own, below] = [lengths[row] as Uint16Array, lengths[row + 1] as Uint16Array];
      own[column] =
        old[row] === now[column]
          ? (below[column + 1] as number) + 1
          : Math.max(below[column] as number, own[column + 1] as number);
    }
  }
  return lengths;
}

/**
 * @param old  at least one word; a few hundred at most
 * @returns in order; an inserted word replaces its neighbour, which is a part of the new words, so that it gets a time beside it
 */
export function replacedWords(old: readonly string[], now: readonly string[]): ReplacedWords[] {
  const lengths = commonLengths(old, now);
  const found: ReplacedWords[] = [];
  let run: ReplacedWords | undefined;
  let [row, column] = [0, 0];
  const end = () => {
    if (run) found.push(run);
    run = undefined;
  };
  while (row < old.length || column < now.length) {
    if (row < old.length && column < now.length && old[row] === now[column]) {
      end();
      row++;
      column++;
      continue;
    }
    run ??= { from: row, until: row, words: [] };
    const below = lengths[row + 1]?.[column] ?? -1;
    const beside = column < now.length ? (lengths[row]?.[column + 1] ?? -1) : -1;
    if (row < old.length && below >= beside) {
      run.until++;
      row++;
    } else run.words.push(now[column++] as string);
  }
  end();
  return found.map((one) => {
    if (one.from < one.until) return one;
    const before = one.from > 0 ? one.from - 1 : undefined;
    return before === undefined
      ? { from: 0, until: 1, words: [...one.words, old[0] as string] }
      : { from: before, until: one.from, words: [old[before] as string, ...one.words] };
  });
}
