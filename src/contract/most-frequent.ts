/** @returns each value once, the most frequent one first; of equally frequent ones, the one that comes first */
export function mostFrequentFirst(values: Iterable<string>): string[] {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].toSorted(([, left], [, right]) => right - left).map(([value]) => value);
}
