// Health of the service's backends: database, object store, logs of live sessions.
import { within } from "../process/within.ts";

/** Time-out of a probe. */
const PROBE_TIMEOUT_MILLISECONDS = 2_000;

/** Sends a cheap request to one engine; rejects if it does not answer. */
export type Probe = () => Promise<unknown>;

export class Engines {
  /** Pending probes: an engine is not probed again while one is pending. */
  private readonly pending = new Map<string, Promise<boolean>>();

  constructor(private readonly probes: Readonly<Record<string, Probe>>) {}

  /** Health by engine. */
  async areUp(): Promise<Map<string, boolean>> {
    const names = Object.keys(this.probes);
    const answers = await Promise.all(names.map((name) => this.isUp(name)));
    return new Map(names.map((name, at) => [name, answers[at] as boolean]));
  }

  private isUp(name: string): Promise<boolean> {
    return within(PROBE_TIMEOUT_MILLISECONDS, this.probe(name)).catch(() => false);
  }

  private probe(name: string): Promise<boolean> {
    const known = this.pending.get(name);
    if (known) return known;
    const answer = Promise.resolve(this.probes[name]?.())
      .then(
        () => true,
        () => false,
      )
      .finally(() => this.pending.delete(name));
    this.pending.set(name, answer);
    return answer;
  }
}
