// Removes everything that belongs to accounts that are being deleted, then the accounts. The remaining work is in
// the database, so that another process resumes it after a kill, on any machine.
import type { Logger } from "pino";
import { WatchLoop } from "../../platform/process/watch-loop.ts";
import { accountsBeingDeleted, deleteEmptyAccount } from "../../platform/storage/db/accounts/accounts.ts";
import type { Duties } from "../../platform/storage/db/duties.ts";
import { unusedFilesOfAccount } from "../../platform/storage/db/files/files.ts";
import { jobsOfAccount } from "../../platform/storage/db/jobs/jobs.ts";
import { mustWait } from "../../platform/storage/when-possible.ts";
import { type RemovalServices, removeWholeFile, removeWholeJobs } from "./remove-job.ts";

/** A signal begins a removal at once. */
const LOOK_MILLISECONDS = 60_000;
const BATCH = 100;
/** Jobs of one transaction, and transactions at once: each takes several statements, and requests to the object store. */
const GROUP = 13;
const AT_ONCE = 8;

export class AccountRemoval {
  private readonly watching = new WatchLoop({
    pauseMilliseconds: LOOK_MILLISECONDS,
    look: () => this.look(),
    onFailed: (error) => this.logger.error({ err: error }, "an account could not be deleted yet; trying again"),
  });

  constructor(
    private readonly services: RemovalServices & { duties: Pick<Duties, "holds"> },
    private readonly logger: Logger,
  ) {}

  start(): void {
    this.watching.start();
  }

  /** An account is to be deleted. */
  wake(): void {
    this.watching.wake();
  }

  stop(): Promise<void> {
    return this.watching.stop();
  }

  private async look(): Promise<boolean> {
    const accounts = await accountsBeingDeleted(this.services.database);
    if (accounts.length === 0 || !(await this.services.duties.holds("removal of accounts"))) return false;
    for (const account of accounts) await this.remove(account);
    return false;
  }

  /** Jobs that cannot be removed together are removed one by one, so that one of them does not keep the others. */
  private async removeJobs(group: readonly { id: string }[]): Promise<number> {
    if (group.length === 0 || this.watching.isStopping) return 0;
    try {
      return await removeWholeJobs(group, this.services);
    } catch (error) {
      if (mustWait(error) || group.length === 1) throw error;
      let count = 0;
      for (const job of group) count += await this.removeJobs([job]);
      return count;
    }
  }

  private async remove({ id, name }: { id: string; name: string }): Promise<void> {
    const { database } = this.services;
    let jobs = 0;
    let files = 0;
    while (!this.watching.isStopping) {
      const someJobs = await jobsOfAccount(database, id, GROUP * AT_ONCE);
      const groups = Array.from({ length: AT_ONCE }, (_, at) => someJobs.slice(at * GROUP, (at + 1) * GROUP));
      const removed = await Promise.all(groups.map((group) => this.removeJobs(group)));
      jobs += removed.reduce((sum, count) => sum + count, 0);
      const someFiles = await unusedFilesOfAccount(database, id, BATCH);
      for (const file of someFiles) await removeWholeFile(file, this.services);
      files += someFiles.length;
      if (someJobs.length + someFiles.length > 0 || !(await deleteEmptyAccount(database, id))) continue;
      this.logger.info({ audit: true, account: name, jobs, files }, "the account was deleted with everything it had");
      return;
    }
  }
}
