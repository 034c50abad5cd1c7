// The sources of the sessions that this process owns.
import { type LiveParameters, parseLiveParameters } from "../../../contract/job-parameters.ts";
import type { JobRow } from "../../../platform/storage/db/jobs/jobs.ts";
import type { Session } from "../session/session.ts";
import { SourceRun, type SourceServices } from "./source-run.ts";

export const DEFAULT_OUTAGE_SECONDS = 600;

/** @returns undefined for a session whose client connects */
export const sourceOf = ({ request_params }: Pick<JobRow, "request_params">): LiveParameters["source"] =>
  parseLiveParameters(request_params).source;

export class LiveSources {
  private readonly runs = new Map<string, { run: SourceRun; ended: Promise<void> }>();

  /** @param stopping  the process stops */
  constructor(
    private readonly services: SourceServices,
    private readonly stopping: AbortSignal,
  ) {}

  /** Called when this process has opened a session. */
  opened(session: Session, row: JobRow): void {
    const source = sourceOf(row);
    if (!source) return;
    const { maximum_outage: outageSeconds = DEFAULT_OUTAGE_SECONDS } = source;
    const wanted = { address: row.audio_url ?? source.url, accountId: row.account_id, outageSeconds };
    const run = new SourceRun(this.services, session, wanted, this.stopping);
    const ended = run
      .run()
      .catch((error: unknown) =>
        this.services.logger.error({ err: error, session: session.id }, "the source of a live session failed"),
      )
      .finally(() => {
        if (this.runs.get(session.id)?.run === run) this.runs.delete(session.id);
      });
    this.runs.set(session.id, { run, ended });
  }

  /** Ends the session at once, if it runs here. */
  stop(id: string): void {
    this.runs.get(id)?.run.stop();
  }

  /** Resolves when nothing runs; call it after `stopping` was aborted. */
  async ended(): Promise<void> {
    await Promise.all([...this.runs.values()].map(({ ended }) => ended));
  }
}
