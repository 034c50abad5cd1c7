// Who has which session, in entries that change by their revision only; and which machines live.
import type { Logger } from "pino";
import type { Claim } from "../log-contract.ts";
import type { Broker } from "./broker.ts";
import { isOvertaken } from "./overtaken.ts";

interface Entry {
  /** Null when it was let go for whoever comes. */
  machine: string | null;
  /** Number of the stream that its log lies in. */
  stream: number;
  /** When the client came whose connection it follows, milliseconds. */
  at?: number;
}

export interface Ownership {
  stream: number;
  /** Of the entry: each claim has a greater one. */
  revision: number;
  /** Who had it before. */
  former: string | null;
}

/** Beyond this, the clocks of two machines differ. */
const MOST_LATENESS_MILLISECONDS = 10_000;

export class Owners {
  private beat: NodeJS.Timeout | undefined;

  /** @param machine  name of this one, the same over restarts */
  constructor(
    private readonly broker: Pick<Broker, "owners" | "machines">,
    private readonly machine: string,
    private readonly logger: Logger,
  ) {}

  /** Says that this machine lives, again and again. */
  async start(everyMilliseconds: number): Promise<void> {
    const { machines } = this.broker;
    await machines.put(this.machine, "");
    this.beat = setInterval(() => {
      machines
        .put(this.machine, "")
        .catch((error: unknown) => this.logger.warn({ err: error }, "NATS is not told that this machine lives"));
    }, everyMilliseconds);
    this.beat.unref();
  }

  async stop(): Promise<void> {
    if (!this.beat) return;
    clearInterval(this.beat);
    await this.broker.machines.delete(this.machine);
  }

  /** Machines that live, this one included. */
  async living(): Promise<string[]> {
    const names = new Set([this.machine]);
    for await (const name of await this.broker.machines.keys()) names.add(name);
    return [...names];
  }

  /** Nobody has claimed it since. A copy of the bucket may be a little older than the claim itself. */
  async holds(id: string, { revision }: Ownership): Promise<boolean> {
    const found = await this.find(id);
    return found !== undefined && found.revision <= revision;
  }

  async has(id: string): Promise<boolean> {
    return (await this.find(id)) !== undefined;
  }

  /**
   * @param stream  for a session that is new
   * @returns undefined when another machine has it, and the claim is not good enough
   */
  async claim(id: string, claim: Claim, stream: number): Promise<Ownership | undefined> {
    for (;;) {
      const found = await this.find(id);
      const former = found?.entry.machine ?? null;
      if (claim.by === "finder" && former !== null && former !== this.machine) {
        if ((await this.broker.machines.get(former))?.operation === "PUT") return undefined;
      }
      if (claim.by === "client" && found && this.isLater(found.entry, claim.at)) return undefined;
      const at = claim.by === "client" ? claim.at : found?.entry.at;
      const entry: Entry = { machine: this.machine, stream: found?.entry.stream ?? stream, ...(at ? { at } : {}) };
      try {
        const text = JSON.stringify(entry);
        const revision = found
          ? await this.broker.owners.update(id, text, found.revision)
          : await this.broker.owners.create(id, text);
        return { stream: entry.stream, revision, former };
      } catch (error) {
        if (!isOvertaken(error)) throw error;
        if (claim.by === "finder") return undefined;
      }
    }
  }

  /** Whoever comes may have it. @returns false when somebody has it already */
  async release(id: string, { stream, revision }: Ownership): Promise<boolean> {
    const entry: Entry = { machine: null, stream };
    try {
      await this.broker.owners.update(id, JSON.stringify(entry), revision);
      return true;
    } catch (error) {
      if (isOvertaken(error)) return false;
      throw error;
    }
  }

  /** @returns the stream of its log; undefined when there is no entry, or not of this revision any more */
  async remove(id: string, revision?: number): Promise<number | undefined> {
    const found = await this.find(id);
    if (!found || (revision !== undefined && found.revision !== revision)) return undefined;
    try {
      await this.broker.owners.delete(id, { previousSeq: found.revision });
    } catch (error) {
      if (isOvertaken(error)) return revision === undefined ? this.remove(id) : undefined;
      throw error;
    }
    return found.entry.stream;
  }

  /** Of two connections, the machine of the earlier one may be the later to ask: the other one has it then. */
  private isLater({ machine, at }: Entry, claimed: number): boolean {
    if (machine === this.machine || at === undefined) return false;
    return at >= claimed && at - claimed < MOST_LATENESS_MILLISECONDS;
  }

  private async find(id: string): Promise<{ entry: Entry; revision: number } | undefined> {
    const found = await this.broker.owners.get(id);
    if (found?.operation !== "PUT") return undefined;
    return { entry: found.json<Entry>(), revision: found.revision };
  }
}
