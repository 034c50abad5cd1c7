// What a session must know again after its process was killed: one line an entry, appended before anybody is told.
import { type FileHandle, mkdir, open } from "node:fs/promises";
import path from "node:path";
import { parseJsonLines } from "../../storage/json-lines.ts";
import type { JournalEntry } from "./log-contract.ts";

export class Journal {
  private constructor(private readonly file: FileHandle) {}

  /** @returns the journal and what stands in it */
  static async open(folder: string): Promise<{ journal: Journal; entries: JournalEntry[] }> {
    await mkdir(folder, { recursive: true });
    const file = await open(path.join(folder, "journal.jsonl"), "a+");
    const entries = parseJsonLines<JournalEntry>(await file.readFile("utf8"));
    // A line that was cut off must not swallow the next one.
    if (entries.length > 0) await file.appendFile("\n");
    return { journal: new Journal(file), entries };
  }

  async append(...entries: JournalEntry[]): Promise<void> {
    await this.file.appendFile(`${entries.map((entry) => JSON.stringify(entry)).join("\n")}\n`);
  }

  async close(): Promise<void> {
    await this.file.close();
  }
}
