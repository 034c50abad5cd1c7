// Removes this machine's copies of objects that any machine deleted: recordings and transcripts would otherwise stay in its cache. The
// deletion sends a signal; recent tombstones are read again with each pulse, because work that had begun may have made a copy afterwards.
import type { Logger } from "pino";
import { SpreadWakes } from "../../platform/process/spread-wakes.ts";
import { WatchLoop } from "../../platform/process/watch-loop.ts";
import type { Database } from "../../platform/storage/db/database.ts";
import { lastOldTombstone, type Tombstone, tombstonesAfter } from "../../platform/storage/db/files/tombstones.ts";
import type { Signals } from "../../platform/storage/db/signals.ts";
import { eachApart } from "../../platform/storage/each-apart.ts";
import { isKey } from "../../platform/storage/objects/keys.ts";
import type { ObjectStore } from "../../platform/storage/objects/object-store.ts";
import type { Quarantine } from "../../platform/storage/quarantine.ts";

const PAGE = 500;
/** Least pause between rounds, unless a deletion is signalled. */
const ROUND_MILLISECONDS = 10_000;
const IDLE_MILLISECONDS = 600_000;
/** Folders that running work may still write to. The work stops within this time after the deletion. */
const IN_USE = /^(jobs|live)\//;
const NOTICED_SECONDS = 30;

export class DeletedCopies {
  /** Id of the last tombstone of a complete round; undefined before the first one. */
  private last: string | undefined;
  private roundAt = Number.NEGATIVE_INFINITY;
  private readonly spread = new SpreadWakes(() => this.watching.wake());
  private readonly watching = new WatchLoop({
    pauseMilliseconds: IDLE_MILLISECONDS,
    look: () => this.round(),
    onFailed: (error) =>
      this.services.logger.warn({ err: error }, "copies of deleted objects could not be removed; trying again"),
  });

  constructor(
    private readonly services: {
      database: Database;
      objects: ObjectStore;
      quarantine: Pick<Quarantine, "isEmpty" | "removeCopies">;
      signals: Pick<Signals, "on" | "onPulse">;
      logger: Logger;
    },
  ) {}

  start(): void {
    const { signals } = this.services;
    signals.on("tombstones", () => this.spread.notice());
    signals.onPulse(({ tombstones }) => {
      if (tombstones && performance.now() - this.roundAt >= ROUND_MILLISECONDS / 2) this.watching.wake();
    });
    this.watching.start();
  }

  stop(): Promise<void> {
    this.spread.stop();
    return this.watching.stop();
  }

  private async round(): Promise<boolean> {
    const { database, quarantine, logger } = this.services;
    this.roundAt = performance.now();
    // A machine that starts has compared its copies with the rows (sweep.ts), but not its quarantine.
    this.last ??= (await quarantine.isEmpty()) ? await lastOldTombstone(database) : "0";
    const id = this.last;
    let from = "0";
    for (;;) {
      const page = await tombstonesAfter(database, { id, from, limit: PAGE });
      await eachApart(
        page.filter(({ key, ageSeconds }) => isKey(key) && (!IN_USE.test(key) || ageSeconds > NOTICED_SECONDS)),
        (tombstone) => this.drop(tombstone),
        ({ key }, error) => logger.warn({ err: error, key }, "a copy of a deleted object could not be removed"),
      );
      from = page.at(-1)?.id ?? from;
      if (page.length < PAGE || this.watching.isStopping) break;
    }
    if (from !== "0") this.last = from;
    return false;
  }

  private async drop({ key, isFolder }: Tombstone): Promise<void> {
    const { objects, quarantine } = this.services;
    if (isFolder) await objects.takeOver(key);
    else await objects.dropCopy(key);
    await quarantine.removeCopies([key]);
  }
}
