// The sentences about secrets that cannot be opened, for the log and for `parlance doctor`.
import { listed } from "../../contract/first-of.ts";

/** Accounts that are named. */
const MOST_NAMED = 5;

const keyThatSealed = (hasKey: boolean) =>
  `PARLANCE_SECRETS_KEY ${hasKey ? "is not the key" : "is not set, but a key is needed"} that sealed`;

export function lockedSecrets(accounts: readonly string[], hasKey: boolean): string {
  return (
    `${keyThatSealed(hasKey)} the callback secrets of ${listed(accounts, MOST_NAMED)}. Their callbacks wait. ` +
    "Set the right key, or the right one as PARLANCE_SECRETS_KEY_PREVIOUS while you change it; if it is lost, make new secrets with POST /v2/account/callback-secret"
  );
}

/** @param jobs  how many have a webhook's header, or voices of named people, that no key opens */
export function lockedRequests(jobs: number, hasKey: boolean): string {
  return (
    `${keyThatSealed(hasKey)} secrets in the requests of ${jobs} jobs. Their webhooks fail after the usual retries, and speakers are not named. ` +
    "Set the right key, or the right one as PARLANCE_SECRETS_KEY_PREVIOUS while you change it"
  );
}
