// Ids of the corrections that a person made in this browser, so that undo reaches them after a reload. No text is stored.
import { type ReadonlySignal, signal } from "@preact/signals";
import type { Correction } from "../../../src/contract/transcript/correction.ts";
import { readChoice, storeChoice } from "../memory.ts";

const NAME = "made";
const MOST_RECORDINGS = 30;
const MOST_CORRECTIONS = 50;

/** The recording that was corrected last is the last one; its last correction is the first one. */
type Made = [job: string, account: string, corrections: string[]][];

const read = () => readChoice<Made>(NAME, []);

function write(job: string, account: string, corrections: readonly string[]): void {
  const others = read().filter(([id, owner]) => id !== job || owner !== account);
  const own: Made = corrections.length === 0 ? [] : [[job, account, corrections.slice(0, MOST_CORRECTIONS)]];
  storeChoice(NAME, [...others, ...own].slice(-MOST_RECORDINGS));
}

export interface MadeHere {
  /** The last one first. */
  ids: ReadonlySignal<string[]>;
  add(id: string): void;
  drop(id: string): void;
}

/** @param account  name of the account that opened the transcript */
export function madeHere(job: string, account = ""): MadeHere {
  const stored = () => read().find(([id, owner]) => id === job && owner === account)?.[2] ?? [];
  const ids = signal(stored());
  return {
    ids,
    add(id) {
      ids.value = [id, ...ids.value];
      // Another window may have made some since.
      write(job, account, [id, ...stored()]);
    },
    drop(id) {
      ids.value = ids.value.filter((one) => one !== id);
      write(
        job,
        account,
        stored().filter((one) => one !== id),
      );
    },
  };
}

/** @returns the last correction of a list of ids that is not undone */
export function lastOf(ids: readonly string[], corrections: readonly Correction[]): Correction | undefined {
  const active = new Map(corrections.filter(({ undone_at }) => !undone_at).map((one) => [one.id, one]));
  const last = ids.find((one) => active.has(one));
  return last === undefined ? undefined : active.get(last);
}

/** @param account  undefined for all */
export function dropMade(job: string, account?: string): void {
  const isDropped = ([id, owner]: Made[number]) => id === job && (account === undefined || owner === account);
  const made = read();
  if (made.some(isDropped))
    storeChoice(
      NAME,
      made.filter((one) => !isDropped(one)),
    );
}
