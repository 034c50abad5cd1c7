// Fields of a message that its dialect does not have: the client is sent their names.
const MOST_FIELDS = 10;

/** @param shown  how the dialect shows a text of the client @returns the first unknown names; none for a value that is no object */
export function unknownNames(value: unknown, known: readonly string[], shown: (text: string) => string): string[] {
  const names: string[] = [];
  if (typeof value !== "object" || value === null) return names;
  for (const name in value) {
    if (!known.includes(name)) names.push(shown(name));
    if (names.length >= MOST_FIELDS) break;
  }
  return names;
}
