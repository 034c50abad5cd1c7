// Models that this process could not install from the object store. Other processes may be able to install them, so that jobs wait for a
// limited time. Without the limit, each of two processes that cannot install a model would wait for the other one.
import { toParlanceError } from "../../platform/errors.ts";
import { mustWait } from "../../platform/storage/when-possible.ts";

/** Within this time, another process installs a copy if it can. */
const ELSEWHERE_SECONDS = 600;

export class FailedCopies {
  /** Time of the first failure since the model was last installed, by name. */
  private readonly since = new Map<string, number>();
  /** Names whose copy had wrong content, and was requested again, since the model was last installed. */
  private readonly requested = new Set<string>();

  constructor(private readonly now: () => number = () => performance.now()) {}

  /**
   * Records that a model could not be installed from the object store.
   * @returns whether its files must be stored again, because they are missing or their SHA-256 is wrong. Wrong content is reported once until
   *   the model is installed: the process that stores the files may have the same content
   */
  noteFailure(name: string, thrown: unknown): boolean {
    const { code } = toParlanceError(thrown);
    if (code === "request.not_found") return true;
    if (mustWait(thrown) || code === "work.aborted") return false;
    if (!this.since.has(name)) this.since.set(name, this.now());
    if (code !== "models.wrong_hash" || this.requested.has(name)) return false;
    this.requested.add(name);
    return true;
  }

  installed(name: string): void {
    this.since.delete(name);
    this.requested.delete(name);
  }

  /** Whether another process may still install the model. @param ageSeconds  of the copy */
  mayWorkElsewhere(name: string, ageSeconds: number): boolean {
    const failedSeconds = (this.now() - (this.since.get(name) ?? this.now())) / 1000;
    return Math.min(failedSeconds, ageSeconds) < ELSEWHERE_SECONDS;
  }
}
