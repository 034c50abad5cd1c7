// Lists that are shown in part. Every list of which a reader sees the beginning is cut here, so that the number of the others is at hand:
// a cut that does not say so looks like the whole.

/** The first items of a list, and the number of the others. */
export interface Beginning<Item> {
  first: Item[];
  rest: number;
}

/** @param most  items that are kept, 0 or more */
export function firstOf<Item>(items: readonly Item[], most: number): Beginning<Item> {
  const kept = Math.max(0, most);
  return { first: items.slice(0, kept), rest: Math.max(0, items.length - kept) };
}

/** `a, b and 3 more` */
export function listed(items: readonly string[], most: number, separator = ", "): string {
  const { first, rest } = firstOf(items, most);
  return rest > 0 ? `${first.join(separator)} and ${rest} more` : first.join(separator);
}
