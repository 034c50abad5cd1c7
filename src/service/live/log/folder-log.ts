// The log of one session in a folder. While the disk is full, writes wait, and the connection is paused.
import type { Readable } from "node:stream";
import type { Logger } from "pino";
import type { Disk } from "../../../platform/storage/disk/disk.ts";
import type { Quarantine } from "../../../platform/storage/quarantine.ts";
import { whenPossible } from "../../../platform/storage/when-possible.ts";
import { Inbox } from "./inbox.ts";
import { Journal } from "./journal.ts";
import type { JournalEntry, SessionLog, StoredAudio } from "./log-contract.ts";

export class FolderLog implements SessionLog {
  readonly isLost = false;
  readonly isShared = false;
  readonly audio: StoredAudio;
  private readonly stopping = new AbortController();
  private turn: Promise<unknown> = Promise.resolve();

  private constructor(
    private readonly inbox: Inbox,
    private readonly journal: Journal,
    readonly entries: JournalEntry[],
    private readonly logger: Logger,
  ) {
    this.audio = {
      get total() {
        return inbox.total;
      },
      append: async (bytes, end = inbox.total + bytes.length) => {
        inbox.add(bytes, end);
        if (inbox.isFull) await this.write();
      },
      stored: () => this.stored(),
      read: (start, end) => inbox.read(start, end),
      placeOf: (chunk) => inbox.placeOf(chunk),
    };
  }

  static async open(folder: string, disk: Disk, logger: Logger, quarantine: Quarantine): Promise<FolderLog> {
    const inbox = await Inbox.open({ folder, disk });
    try {
      const { journal, entries, lost } = await Journal.open(folder, disk, quarantine);
      if (lost) {
        logger.error(
          "the journal of a live session is damaged; its audio is recognised again from the last entry that is whole",
        );
      }
      return new FolderLog(inbox, journal, entries, logger);
    } catch (error) {
      await inbox.close();
      throw error;
    }
  }

  appendEntries(...entries: JournalEntry[]): Promise<void> {
    const noted = this.turn.then(async () => {
      // Entries are derived from the audio, so the audio must be on disk first.
      await this.stored();
      await this.retryUntilStored(() => this.journal.append(...entries));
    });
    this.turn = noted.catch(() => undefined);
    return noted;
  }

  private write(): Promise<void> {
    return this.retryUntilStored(() => this.inbox.write());
  }

  private async stored(): Promise<void> {
    await this.write();
    await this.inbox.stored();
  }

  stream(start: number, end: number): Readable {
    return this.inbox.stream(start, end);
  }

  stopRetrying(): void {
    this.stopping.abort();
  }

  async close(): Promise<void> {
    await this.turn;
    await this.inbox.close();
    await this.journal.close();
  }

  /** Retries until the write succeeds. @throws permanent errors, and any error once the process stops */
  private async retryUntilStored(write: () => Promise<void>): Promise<void> {
    let hasFailed = false;
    await whenPossible(write, this.stopping.signal, (error) => {
      if (!hasFailed)
        this.logger.error(
          { err: error },
          "a live session cannot be stored; its connection is paused, and the write is retried",
        );
      hasFailed = true;
    });
    if (hasFailed) this.logger.info("the live session can be stored again");
  }
}
