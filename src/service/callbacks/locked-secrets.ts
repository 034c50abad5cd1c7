// The sentence about secrets that cannot be opened, for the log and for `parlance doctor`.
import { listed } from "../../contract/first-of.ts";

/** Accounts that are named. */
const MOST_NAMED = 5;

export function lockedSecrets(accounts: readonly string[], hasKey: boolean): string {
  return (
    `PARLANCE_SECRETS_KEY ${hasKey ? "is not the key" : "is not set, but a key is needed"} that sealed the callback secrets of ${listed(accounts, MOST_NAMED)}. Their callbacks wait. ` +
    "Set the right key, or the right one as PARLANCE_SECRETS_KEY_PREVIOUS while you change it; if it is lost, make new secrets with POST /v2/account/callback-secret"
  );
}
