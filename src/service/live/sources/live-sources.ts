// The sources of the sessions that this process owns.
import { type LiveParameters, parseLiveParameters } from "../../../contract/job-parameters.ts";
import type { Settings } from "../../../platform/config/settings.ts";
import { findJob, type JobRow } from "../../../platform/storage/db/jobs/jobs.ts";
import { waitingSources } from "../../../platform/storage/db/jobs/live-sessions.ts";
import { eachApart } from "../../../platform/storage/each-apart.ts";
import type { LiveRegistry } from "../session/registry.ts";
import type { Session } from "../session/session.ts";
import type { SourceServices } from "./source-reading.ts";
import { SourceRun } from "./source-run.ts";

const DEFAULT_OUTAGE_SECONDS = 600;
/** Interval at which each process looks for sessions with a source that no process has opened. */
const LOOK_MILLISECONDS = 2_000;
/** Sessions that a process tries to open at once. */
const MOST_WAITING = 100;

/** @returns undefined for a session whose client connects */
export const sourceOf = ({ request_params }: Pick<JobRow, "request_params">): LiveParameters["source"] =>
  parseLiveParameters(request_params).source;

export class LiveSources {
  private readonly runs = new Map<string, { run: SourceRun; ended: Promise<void> }>();
  private readonly stopping = new AbortController();
  private looking: NodeJS.Timeout | undefined;

  constructor(
    private readonly services: SourceServices,
    private readonly registry: LiveRegistry,
    private readonly settings: Pick<Settings, "accountLiveSessions">,
  ) {
    registry.onOpened = (session, row) => this.opened(session, row);
  }

  /** Begins to look for sessions that no process has opened. */
  start(): void {
    const { logger } = this.services;
    const failed = (error: unknown) => logger.warn({ err: error }, "sources of live sessions were not looked for");
    this.looking = setInterval(() => void this.openWaiting().catch(failed), LOOK_MILLISECONDS).unref();
  }

  /** Opens a session whose audio this process fetches, unless another process has it or there is no place. */
  async open(id: string): Promise<void> {
    if (!this.registry.capacity.isHere || this.stopping.signal.aborted || this.runs.has(id)) return;
    const row = await findJob(this.services.database, id);
    if (row?.status === "queued") await this.registry.claim(row, { by: "finder" });
  }

  /** Ends the session at once, if it runs here. */
  end(id: string): void {
    this.runs.get(id)?.run.stop();
  }

  /** Stops all reading, because the process stops. Once the caller has suspended the sessions, `ended` resolves. */
  stopReading(): void {
    clearInterval(this.looking);
    this.stopping.abort();
  }

  async ended(): Promise<void> {
    await Promise.all([...this.runs.values()].map(({ ended }) => ended));
  }

  private async openWaiting(): Promise<void> {
    const { database, logger } = this.services;
    const failed = (id: string, error: unknown) =>
      logger.warn({ err: error, session: id }, "the source of a live session could not be opened yet; retrying");
    const waiting = await waitingSources(database, {
      most: MOST_WAITING,
      ofAccount: this.settings.accountLiveSessions,
    });
    await eachApart(waiting, (id) => this.open(id), failed);
  }

  private opened(session: Session, row: JobRow): void {
    const source = sourceOf(row);
    if (!source) return;
    const { maximum_outage: outageSeconds = DEFAULT_OUTAGE_SECONDS } = source;
    const wanted = {
      address: row.audio_url ?? source.url,
      accountId: row.account_id,
      createdAt: row.created_at,
      outageSeconds,
    };
    const run = new SourceRun(this.services, session, wanted, this.stopping.signal);
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
}
