// A name of a recording that is typed. This browser keeps it for the account until the service has it, with the name that it replaces.
import { dropKept, keep, readKept } from "./kept.ts";
import { nameOfTyped } from "./typed-text.ts";

export interface TypedName {
  text: string;
  /** The name of the recording when the person began to type; null for none. */
  before: string | null;
}

/** @param job  id of the recording */
export function keptName(job: string) {
  const name = nameOfTyped({ field: "name", job });
  return {
    read: () => readKept<TypedName>(name),
    keep: (typed: TypedName) => keep(name, typed),
    drop: () => dropKept(name),
  };
}

/** Whether the recording has another name than when typing began. @param now  its name */
export const isNamedMeanwhile = ({ text, before }: TypedName, now: string | null): boolean =>
  now !== before && (now ?? "") !== text.trim();
