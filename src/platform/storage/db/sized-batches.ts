// Large rows are read a few at a time: a row is parsed on the thread that answers all requests.
import { sql } from "kysely";

/** Of the JSON that one statement reads: parsing it takes up to 30 ms. */
const MOST_CHARACTERS = 1_000_000;

/** Length of a column of JSON. */
export const charactersOf = (column: string) => sql<number>`octet_length(${sql.ref(column)}::text)`;

/** Divides rows into those that one statement may read; a larger row is alone. The order stays. */
export function sizedBatches<Row extends { characters: number }>(
  rows: readonly Row[],
  most = MOST_CHARACTERS,
): Row[][] {
  const batches: Row[][] = [];
  let characters = Number.POSITIVE_INFINITY;
  for (const row of rows) {
    characters += row.characters;
    if (characters > most) {
      batches.push([]);
      ({ characters } = row);
    }
    batches.at(-1)?.push(row);
  }
  return batches;
}
