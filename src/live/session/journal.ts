// What a session must know again after its process was killed: one line an entry, appended before anybody is told.
import { type FileHandle, mkdir, open } from "node:fs/promises";
import path from "node:path";
import type { StreamFormat } from "../../audio/stream-format.ts";
import { parseJsonLines } from "../../storage/json-lines.ts";
import type { ChannelState } from "../channel/channel-contract.ts";

export type JournalEntry =
  /** What the first bytes turned out to be. */
  | { kind: "format"; headerBytes: number; format: StreamFormat }
  /** A message as it is sent; numbered from 0. */
  | { kind: "message"; number: number; text: string }
  /** Where a channel stands after the final in the line before. */
  | { kind: "channel"; channel: number; state: ChannelState }
  /** Messages below this number have reached the client. */
  | { kind: "arrived"; below: number }
  /** No more audio comes. */
  | { kind: "stop" };

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

  /** Appends entries together: all of them are found again, or the last ones are not. */
  async append(...entries: JournalEntry[]): Promise<void> {
    await this.file.appendFile(`${entries.map((entry) => JSON.stringify(entry)).join("\n")}\n`);
  }

  async close(): Promise<void> {
    await this.file.close();
  }
}
