// Options of requests that a person has chosen, in this browser, for each account: a callback address or a vocabulary of one account is not
// part of the requests of another one. Windows of one account show the same options.
import { computed, type ReadonlySignal, signal } from "@preact/signals";
import { shownAccountName } from "./account.ts";
import { forget, readChoice, storeChoice, whenStoredElsewhere } from "./memory.ts";
import type { Values } from "./parts/schema.ts";

export interface ChosenOptions {
  /** Those of the account that is signed in. */
  values: ReadonlySignal<Values>;
  remember(values: Values): void;
}

/** @param name  of the form @param first  before a person has chosen any */
export function chosenOptions(name: string, first: Values): ChosenOptions {
  /** By account. The browser may have no storage. */
  const ofVisit = signal<Readonly<Record<string, Values>>>({});
  const placeOf = (account: string) => `${name}.${account}`;
  // Earlier versions stored them without an account.
  forget(name);
  whenStoredElsewhere(placeOf(""), () => {
    ofVisit.value = {};
  });
  const account = computed(() => shownAccountName.value ?? "");
  return {
    values: computed(() => ofVisit.value[account.value] ?? readChoice(placeOf(account.value), first)),
    remember(values) {
      ofVisit.value = { ...ofVisit.value, [account.value]: values };
      storeChoice(placeOf(account.value), values);
    },
  };
}
