// Names that resemble a given one, for messages about names that are not known.

/** Longer names are not compared: the comparison takes time by the product of both lengths. */
const MOST_CHARACTERS = 60;
const MOST_SHOWN = 5;

/** Edit distance with transpositions (optimal string alignment). */
export function editDistance(left: string, right: string): number {
  let before: number[] = [];
  let above = Array.from({ length: right.length + 1 }, (_, at) => at);
  for (let row = 1; row <= left.length; row++) {
    const current = [row];
    for (let column = 1; column <= right.length; column++) {
      const isSame = left[row - 1] === right[column - 1];
      let distance = Math.min(
        (above[column] as number) + 1,
        (current[column - 1] as number) + 1,
        (above[column - 1] as number) + (isSame ? 0 : 1),
      );
      const isSwapped =
        row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      if (isSwapped) distance = Math.min(distance, (before[column - 2] as number) + 1);
      current.push(distance);
    }
    before = above;
    above = current;
  }
  return above[right.length] as number;
}

/**
 * Candidates that differ from a name by a third of its characters at most, or begin with it, the most similar first.
 * @param candidates  compared without case
 */
export function similarNames(given: string, candidates: Iterable<string>, most = MOST_SHOWN): string[] {
  if (given.length > MOST_CHARACTERS) return [];
  const wanted = given.toLowerCase();
  const farthest = Math.max(1, Math.floor(wanted.length / 3));
  const found: [name: string, distance: number][] = [];
  for (const name of candidates) {
    if (name.length > MOST_CHARACTERS) continue;
    const isBeginning = wanted.length >= 3 && name.toLowerCase().startsWith(wanted);
    // The distance is at least the difference of the lengths.
    if (!isBeginning && Math.abs(name.length - wanted.length) > farthest) continue;
    const distance = isBeginning ? 1 : editDistance(wanted, name.toLowerCase());
    if (distance <= farthest) found.push([name, distance]);
  }
  return found
    .sort(([first, left], [second, right]) => left - right || first.localeCompare(second))
    .slice(0, most)
    .map(([name]) => name);
}
