// What a person types, kept in this browser until the service has stored it: a reload, another page, an expired sign-in or a lost
// connection loses none.
import { forget, namesOf, readChoice, storeChoice } from "./memory.ts";

/** Values of this visit, by name, and whether the browser's storage has them, too. */
const ofVisit = new Map<string, { value: unknown; isStored: boolean }>();

export function keep(name: string, value: unknown): void {
  ofVisit.set(name, { value, isStored: storeChoice(name, value) });
}

export function readKept<Value>(name: string): Value | undefined {
  const ofThisVisit = ofVisit.get(name);
  return ofThisVisit ? (ofThisVisit.value as Value) : readChoice<Value | undefined>(name, undefined);
}

export function dropKept(name: string): void {
  ofVisit.delete(name);
  forget(name);
}

/** Names of what is kept, by their beginning. */
export const namesOfKept = (beginning: string): string[] => [
  ...new Set([...namesOf(beginning), ...[...ofVisit.keys()].filter((name) => name.startsWith(beginning))]),
];

// What the browser could not store is lost when the page is closed.
globalThis.addEventListener?.("beforeunload", (event) => {
  if ([...ofVisit.values()].some(({ isStored }) => !isStored)) event.preventDefault();
});
