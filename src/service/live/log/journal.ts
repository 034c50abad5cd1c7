// The journal of a session: everything that must survive a kill or a power cut, synced to disk before it is sent to the
// client. One line holds the entries of one append, which are recovered together or not at all.
import path from "node:path";
import { inTurns } from "../../../platform/process/steps.ts";
import { AppendFile } from "../../../platform/storage/disk/append-file.ts";
import type { Disk } from "../../../platform/storage/disk/disk.ts";
import { printJsonLine, readingJsonLines } from "../../../platform/storage/json-lines.ts";
import type { Quarantine } from "../../../platform/storage/quarantine.ts";
import { usableEntries } from "./journal-repair.ts";
import type { JournalEntry } from "./log-contract.ts";

export const JOURNAL_FILE = "journal.jsonl";

const LINE_END = 0x0a;

export class Journal {
  private constructor(private readonly file: AppendFile) {}

  /**
   * @param quarantine  receives the damaged journal if entries are lost
   * @returns the journal and its valid entries; `lost` if others were dropped
   */
  static async open(
    folder: string,
    disk: Disk,
    quarantine?: Pick<Quarantine, "move">,
  ): Promise<{ journal: Journal; entries: JournalEntry[]; lost: boolean }> {
    const name = path.join(folder, JOURNAL_FILE);
    const file = await AppendFile.open(name, disk);
    try {
      const bytes = await file.read(0, file.size);
      // A truncated append was never acknowledged; the next one must not continue its line.
      const whole = bytes.lastIndexOf(LINE_END) + 1;
      if (whole < bytes.length) await file.cutBack(whole);
      const lines = await inTurns(readingJsonLines<JournalEntry | JournalEntry[]>(bytes.subarray(0, whole)));
      const { entries, lost } = usableEntries(lines.flat());
      if (!lost) return { journal: new Journal(file), entries, lost };
      await file.close();
      await quarantine?.move(name, "entries of this live session's journal are damaged");
      await disk.replace(name, entries.map(printJsonLine).join(""));
      return { journal: new Journal(await AppendFile.open(name, disk)), entries, lost };
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  /** Resolves when the entries are synced to disk. */
  async append(...entries: JournalEntry[]): Promise<void> {
    await this.file.append(Buffer.from(printJsonLine(entries.length === 1 ? entries[0] : entries)));
    await this.file.sync();
  }

  close(): Promise<void> {
    return this.file.close();
  }
}
