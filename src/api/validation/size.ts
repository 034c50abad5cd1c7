/** @returns whether a JSON value holds more than `most` values; it looks at no more than that */
export function hasMoreValuesThan(value: unknown, most: number): boolean {
  let count = 0;
  const look = (inner: unknown): void => {
    count++;
    if (typeof inner !== "object" || inner === null) return;
    for (const key in inner) {
      if (count > most) return;
      look((inner as Record<string, unknown>)[key]);
    }
  };
  look(value);
  return count > most;
}
