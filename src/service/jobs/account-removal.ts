// Removes everything that belongs to accounts that are being deleted, then the accounts. The remaining work is in
// the database, so that another process resumes it after a kill, on any machine.
import type { Logger } from "pino";
import { WatchLoop } from "../../platform/process/watch-loop.ts";
import { accountsBeingDeleted, deleteEmptyAccount } from "../../platform/storage/db/accounts/accounts.ts";
import type { Duties } from "../../platform/storage/db/duties.ts";
import { unusedFilesOfAccount } from "../../platform/storage/db/files/files.ts";
import { uploadsOfAccount } from "../../platform/storage/db/files/uploads.ts";
import { jobsOfAccount } from "../../platform/storage/db/jobs/jobs.ts";
import { removeUploads } from "../uploads/remove-uploads.ts";
import { type RemovalServices, removeWholeFiles, removeWholeJobs } from "./remove-job.ts";

/** A signal begins a removal at once, and the pulse of the database shows one whose signal was lost. */
const LOOK_MILLISECONDS = 600_000;
/** Jobs and files removed with one transaction; their objects are removed concurrently. */
const BATCH = 20;

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

  private async remove({ id, name }: { id: string; name: string }): Promise<void> {
    const { database } = this.services;
    let jobs = 0;
    let files = 0;
    while (!this.watching.isStopping) {
      const someJobs = await jobsOfAccount(database, id, BATCH);
      jobs += await removeWholeJobs(
        someJobs.map((job) => job.id),
        this.services,
      );
      const someFiles = await unusedFilesOfAccount(database, id, BATCH);
      await removeWholeFiles(someFiles, this.services);
      files += someFiles.length;
      const uploads = await removeUploads(await uploadsOfAccount(database, id, BATCH), this.services);
      if (someJobs.length + someFiles.length + uploads > 0 || !(await deleteEmptyAccount(database, id))) continue;
      this.logger.info({ audit: true, account: name, jobs, files }, "the account was deleted with everything it had");
      return;
    }
  }
}
