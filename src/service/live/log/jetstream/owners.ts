// Session ownership, in entries that are updated by compare-and-set on their revision.
import type { Claim } from "../log-contract.ts";
import type { Broker } from "./broker.ts";
import { isSequenceConflict } from "./sequence-conflict.ts";

interface Entry {
  /** Null after a release: any machine may claim the session. */
  machine: string | null;
  /** Number of the stream with the session's log. */
  stream: number;
  /** Time at which the client's connection was accepted, milliseconds. */
  at?: number;
}

export interface Ownership {
  stream: number;
  /** Revision of the owner entry; it increases with each claim. */
  revision: number;
  /** Previous owner. */
  former: string | null;
}

/** A larger difference between two machines is attributed to their clocks. */
const MOST_CLOCK_SKEW_MILLISECONDS = 10_000;

export class Owners {
  /** @param machine  name of this machine, stable over restarts */
  constructor(
    private readonly broker: Pick<Broker, "owners" | "machines">,
    private readonly machine: string,
  ) {}

  /** Whether the session was not claimed since. A replica of the bucket may be slightly older than the claim itself. */
  async holds(id: string, { revision }: Ownership): Promise<boolean> {
    const found = await this.find(id);
    return found !== undefined && found.revision <= revision;
  }

  async has(id: string): Promise<boolean> {
    return (await this.find(id)) !== undefined;
  }

  /**
   * @param stream  stream number for a new session
   * @returns undefined if another machine owns the session and this claim does not take precedence
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
        if (!isSequenceConflict(error)) throw error;
        if (claim.by === "finder") return undefined;
      }
    }
  }

  /** Lets any machine claim the session. @returns false if another machine has claimed it already */
  async release(id: string, { stream, revision }: Ownership): Promise<boolean> {
    const entry: Entry = { machine: null, stream };
    try {
      await this.broker.owners.update(id, JSON.stringify(entry), revision);
      return true;
    } catch (error) {
      if (isSequenceConflict(error)) return false;
      throw error;
    }
  }

  /** Whether a machine that runs owns the session. */
  async isOwned(id: string): Promise<boolean> {
    const machine = (await this.find(id))?.entry.machine ?? null;
    return machine !== null && (await this.broker.machines.get(machine))?.operation === "PUT";
  }

  /** @returns number of the log's stream; undefined if there is no entry, or its revision has changed */
  async remove(id: string, revision?: number): Promise<number | undefined> {
    const found = await this.find(id);
    if (!found || (revision !== undefined && found.revision !== revision)) return undefined;
    try {
      await this.broker.owners.delete(id, { previousSeq: found.revision });
    } catch (error) {
      if (isSequenceConflict(error)) return revision === undefined ? this.remove(id) : undefined;
      throw error;
    }
    return found.entry.stream;
  }

  /**
   * Whether the owner's connection is newer. The machine with the earlier of two connections may claim later; it must
   * not win.
   */
  private isLater({ machine, at }: Entry, claimed: number): boolean {
    if (machine === this.machine || at === undefined) return false;
    return at >= claimed && at - claimed < MOST_CLOCK_SKEW_MILLISECONDS;
  }

  private async find(id: string): Promise<{ entry: Entry; revision: number } | undefined> {
    const found = await this.broker.owners.get(id);
    if (found?.operation !== "PUT") return undefined;
    return { entry: found.json<Entry>(), revision: found.revision };
  }
}
