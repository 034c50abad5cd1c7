// Work that is written down line by line, so that an interrupted stage goes on with the next one.
import { open } from "node:fs/promises";
import { parseJsonLines } from "../../storage/json-lines.ts";

export interface LineLog<Line> {
  /** What an earlier run wrote down. */
  lines: Line[];
  /** Together: all of them are found again, or the last ones are not. */
  append(...lines: Line[]): Promise<void>;
  close(): Promise<void>;
}

export async function openLines<Line>(file: string): Promise<LineLog<Line>> {
  const handle = await open(file, "a+");
  const lines = parseJsonLines<Line>(await handle.readFile("utf8"));
  // A line that a kill cut off must not swallow the next one.
  await handle.appendFile("\n");
  return {
    lines,
    append: (...added) => handle.appendFile(added.map((line) => `${JSON.stringify(line)}\n`).join("")),
    close: () => handle.close(),
  };
}
