// Reads files with one JSON value per line.
import { readFile } from "node:fs/promises";
import { parseJsonLines } from "../../../../platform/storage/json-lines.ts";
import { nextTurn } from "../../turns.ts";

/** Parsing waits for a turn, see turns.ts. */
export async function readLines<Line>(file: string): Promise<Line[]> {
  const text = await readFile(file, "utf8");
  await nextTurn();
  return parseJsonLines<Line>(text);
}
