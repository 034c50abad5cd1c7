// Whether a new session has a place: in this process, if it runs live sessions, or in another one that reports its load.
import { errors, type ParlanceError } from "../../../platform/errors.ts";
import type { LiveNode } from "../log/log-contract.ts";
import type { RegistryServices } from "./registry-services.ts";

/** Above this delay of finals, no more sessions are accepted. */
const MOST_FINAL_DELAY_SECONDS = 1.5;
/** Sessions accepted before the delay of finals is measured. */
const SESSIONS_BEFORE_MEASURE = 4;

export class LiveCapacity {
  /** Whether this process runs live sessions. */
  isHere = false;

  /** @param active  number of sessions in this process that have not ended */
  constructor(
    private readonly services: Pick<RegistryServices, "logs" | "models" | "recognition" | "settings">,
    private readonly active: () => number,
  ) {}

  /** Why this process can store no sessions at present. */
  get storageProblem(): string | undefined {
    return this.services.logs.problem;
  }

  /** Why the first connection of a session cannot be opened in this process; undefined if it can. */
  get connectionRefusal(): ParlanceError | undefined {
    const { logs, settings } = this.services;
    const { maximumLiveSessions } = settings;
    if (logs.problem !== undefined) return errors.notReady(logs.problem);
    if (maximumLiveSessions === 0 || this.active() < maximumLiveSessions) return undefined;
    return errors.tooManySessions(maximumLiveSessions);
  }

  /** Why no session should be created for this process; undefined if it can take one. */
  private get refusal(): ParlanceError | undefined {
    const { recognition } = this.services;
    const isBehind = () =>
      this.active() >= SESSIONS_BEFORE_MEASURE && recognition.finalDelay > MOST_FINAL_DELAY_SECONDS;
    return this.connectionRefusal ?? (isBehind() ? errors.overloaded() : undefined);
  }

  /** What this process reports to the others. */
  async report(): Promise<LiveNode> {
    const { models, settings } = this.services;
    return {
      sessions: this.active(),
      capacity: settings.maximumLiveSessions,
      isAccepting: this.refusal === undefined,
      models: (await models.list()).map(({ id }) => id),
    };
  }

  /** Whether another process has this model for speech. */
  isElsewhere(model: string): boolean {
    return this.services.logs.others().some((node) => node?.models.includes(model) === true);
  }

  /** @throws service.not_ready, limit.live_sessions, service.overloaded, models.missing */
  check(model: string): void {
    const { logs } = this.services;
    const { refusal } = this;
    // Without NATS, reports of other processes do not arrive either.
    if (logs.problem !== undefined) throw errors.notReady(logs.problem);
    if (this.isHere && !refusal) return;
    const others = logs.others();
    if (this.isHere && refusal && others.length === 0) throw refusal;
    // Without reports, the process that the client connects to decides.
    if (!logs.isShared) return;
    if (others.length === 0) throw errors.notReady("no process for live sessions runs, or none can store them");
    const having = others.filter((node) => !node || node.models.includes(model));
    if (having.length === 0) throw errors.modelMissing(model, "No machine with the role live has it. Add it there");
    if (!having.some((node) => node?.isAccepting !== false)) throw errors.overloaded();
  }
}
