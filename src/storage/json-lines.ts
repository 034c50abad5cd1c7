// Files of one JSON value a line, appended to as the work goes on.

/** The values in order; a line that a kill cut off is left out: nobody was told of it. */
export function parseJsonLines<Value>(text: string): Value[] {
  const values: Value[] = [];
  for (const line of text.split("\n")) {
    if (line === "") continue;
    try {
      values.push(JSON.parse(line) as Value);
    } catch {
      // The kill came in the middle of this line.
    }
  }
  return values;
}
