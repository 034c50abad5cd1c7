// Keeps what a person types in this browser until the service has stored it. A reload, another page, an expired sign-in or a lost
// connection loses nothing.
import { forget, namesOf, readChoice, storeChoice } from "./memory.ts";

/** Values that the browser could not store, by name. Other values are in its storage alone, which other pages change, too. */
const ofVisit = new Map<string, unknown>();

export function keep(name: string, value: unknown): void {
  if (storeChoice(name, value)) ofVisit.delete(name);
  else ofVisit.set(name, value);
}

export function readKept<Value>(name: string): Value | undefined {
  return ofVisit.has(name) ? (ofVisit.get(name) as Value) : readChoice<Value | undefined>(name, undefined);
}

export function dropKept(name: string): void {
  ofVisit.delete(name);
  forget(name);
}

/** Names of what is kept, by their beginning. */
export const namesOfKept = (beginning: string): string[] => [
  ...new Set([...namesOf(beginning), ...[...ofVisit.keys()].filter((name) => name.startsWith(beginning))]),
];

// Values that the browser could not store are lost when the page is closed.
globalThis.addEventListener?.("beforeunload", (event) => {
  if (ofVisit.size > 0) event.preventDefault();
});
