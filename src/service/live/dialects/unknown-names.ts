// Fields of a message that its dialect does not have: the client is sent their names.

/**
 * @param value  a message of bounded size: the work is linear in the number of its fields
 * @param shown  how the dialect shows a text of the client
 * @returns all unknown names, each once; none for a value that is no object
 */
export function unknownNames(value: unknown, known: readonly string[], shown: (text: string) => string): string[] {
  if (typeof value !== "object" || value === null) return [];
  const names = new Set<string>();
  for (const name in value) if (!known.includes(name)) names.add(shown(name));
  return [...names];
}

/** The warning about such a field. */
export const noField = (name: string) => `${name} has no effect: it is not a field of this message`;
