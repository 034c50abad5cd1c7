// A log of completed work, one entry per line, from which an interrupted stage resumes.
import { open } from "node:fs/promises";
import { printJsonLine, readJsonLinesOf } from "../../../platform/storage/json-lines.ts";

export interface LineLog<Line> {
  /** Entries of an earlier run. */
  lines: Line[];
  /** Appends entries together: after a crash, either all or only the first ones are found. */
  append(...lines: Line[]): Promise<void>;
  close(): Promise<void>;
}

export async function openLines<Line>(file: string): Promise<LineLog<Line>> {
  const handle = await open(file, "a+");
  const lines = await readJsonLinesOf<Line>(file);
  // Terminates a truncated line, so that it does not corrupt the next one.
  await handle.appendFile("\n");
  return {
    lines,
    append: (...added) => handle.appendFile(added.map(printJsonLine).join("")),
    close: () => handle.close(),
  };
}
