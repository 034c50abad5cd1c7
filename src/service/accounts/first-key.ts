// The key that the first start makes. The database has its hash only, so the key itself is kept in a file of the data folder, and
// shown at every start, until a request has used it.
import { rm } from "node:fs/promises";
import path from "node:path";
import type { Disk } from "../../platform/storage/disk/disk.ts";
import { readPlainFile } from "../../platform/storage/plain-file.ts";

const FILE_NAME = "first-key";
/** Its owner alone. */
const FILE_MODE = 0o600;

export interface ShownKey {
  /** Of its row in the database. */
  id: string;
  key: string;
}

export class FirstKey {
  private readonly file: string;
  private shown: ShownKey | undefined;

  constructor(
    dataDirectory: string,
    private readonly disk: Disk,
  ) {
    this.file = path.join(dataDirectory, FILE_NAME);
  }

  /** The key to show; undefined once it has been used. */
  get current(): string | undefined {
    return this.shown?.key;
  }

  /** @returns key that an earlier start kept; undefined when there is none, or its file cannot be read */
  async read(): Promise<string | undefined> {
    const text = await readPlainFile(this.file).catch(() => "");
    return text.trim() || undefined;
  }

  /** Durable when it resolves. */
  async keep(key: string): Promise<void> {
    await this.disk.makeFolder(path.dirname(this.file));
    await this.disk.replace(this.file, `${key}\n`, FILE_MODE);
  }

  show(shown: ShownKey): void {
    this.shown = shown;
  }

  /** @param keyId  of a key that opened an account */
  noteUse(keyId: string | null): void {
    if (this.shown === undefined || keyId !== this.shown.id) return;
    this.shown = undefined;
    // When it cannot be removed, the next start shows the key once more.
    void this.forget().catch(() => undefined);
  }

  async forget(): Promise<void> {
    await rm(this.file, { force: true });
  }
}
