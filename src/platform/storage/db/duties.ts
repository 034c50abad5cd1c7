// Work that one process does for all: deletions by age, recovery, the index of the search. A process holds a duty for a time by the clock of
// the database, and renews it at every round; if it is lost or stalls, another one takes over. A row instead of an advisory lock of
// PostgreSQL: such a lock belongs to a connection, which pgbouncer shares among processes.
import { sql } from "kysely";
import type { Database } from "./database.ts";
import { fromStatement } from "./database-time.ts";

export type Duty =
  | "recovery"
  | "retention"
  | "removal of accounts"
  | "search"
  | "unused live sessions"
  | "schedule of callbacks"
  | "orphans"
  | "logs of live sessions"
  | "fleet figures";

/** Longer than the pause between rounds. A duty with longer pauses passes its own time. */
const HELD_SECONDS = 90;

export class Duties {
  /** Duties of other processes, with the time until which they hold them, by performance.now(). */
  private readonly ofOthers = new Map<string, number>();

  /**
   * @param holder         name of this process, unlike that of every other one
   * @param isOnlyProcess  no other process uses this (embedded) database
   */
  constructor(
    private readonly database: Database,
    private readonly holder: string,
    private readonly isOnlyProcess: boolean,
  ) {}

  /** What a periodic statement found, so that processes without duties need no statements of their own. */
  note(held: readonly { name: string; holder: string; seconds: number }[]): void {
    this.ofOthers.clear();
    const now = performance.now();
    for (const { name, holder, seconds } of held)
      if (holder !== this.holder) this.ofOthers.set(name, now + seconds * 1000);
  }

  /** A process gave up its duties. */
  forget(): void {
    this.ofOthers.clear();
  }

  /** Whether this process does this round; call it before each one. If another process holds the duty, this only reads. */
  async holds(duty: Duty, seconds = HELD_SECONDS): Promise<boolean> {
    if (this.isOnlyProcess) return true;
    if (performance.now() < (this.ofOthers.get(duty) ?? 0)) return false;
    const { rows } = await sql`
      insert into duties (name, holder, until)
      select ${duty}, ${this.holder}, ${fromStatement(seconds)}
      where not exists (select from duties where name = ${duty} and holder <> ${this.holder} and until >= now())
      on conflict (name) do update set holder = excluded.holder, until = excluded.until
        where duties.holder = excluded.holder or duties.until < now()
      returning name`.execute(this.database);
    return rows.length > 0;
  }

  /** Frees the duties of an earlier process with the data folder of this one. @param prefix  beginning of the names of its processes */
  async releaseEarlier(prefix: string): Promise<void> {
    if (this.isOnlyProcess) return;
    await sql`delete from duties where starts_with(holder, ${prefix}) and holder <> ${this.holder}`.execute(
      this.database,
    );
  }

  /** Lets another process take over at once. */
  async release(): Promise<void> {
    if (!this.isOnlyProcess) await this.database.deleteFrom("duties").where("holder", "=", this.holder).execute();
  }
}
