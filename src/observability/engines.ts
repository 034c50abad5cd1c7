// Whether what the service stands on answers: database, objects, logs of live sessions.
import { within } from "../process/within.ts";

/** Who has not answered after so long counts as away. */
const PATIENCE_MILLISECONDS = 2_000;

/** Asks one engine something that costs it nothing; rejects when it does not answer. */
export type Probe = () => Promise<unknown>;

export class Engines {
  /** An engine that does not answer is not asked again meanwhile. */
  private readonly underWay = new Map<string, Promise<boolean>>();

  constructor(private readonly probes: Readonly<Record<string, Probe>>) {}

  /** By engine. */
  async areUp(): Promise<Map<string, boolean>> {
    const names = Object.keys(this.probes);
    const answers = await Promise.all(names.map((name) => this.isUp(name)));
    return new Map(names.map((name, at) => [name, answers[at] as boolean]));
  }

  private isUp(name: string): Promise<boolean> {
    return within(PATIENCE_MILLISECONDS, this.asked(name)).catch(() => false);
  }

  private asked(name: string): Promise<boolean> {
    const known = this.underWay.get(name);
    if (known) return known;
    const answer = Promise.resolve(this.probes[name]?.())
      .then(
        () => true,
        () => false,
      )
      .finally(() => this.underWay.delete(name));
    this.underWay.set(name, answer);
    return answer;
  }
}
