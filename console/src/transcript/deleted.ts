// What a person typed for a recording that was deleted is removed from this browser.
import { ApiError, get } from "../api.ts";
import type { Account } from "../shapes.ts";
import { dropDrafts, hasDrafts } from "./drafts.ts";
import { dropNoteDrafts, hasNoteDrafts } from "./note-drafts.ts";

const NOT_FOUND = 404;

const accountNow = async () => (await get<Account>("/v2/account")).name;

const isMissing = (id: string) =>
  get(`/v2/transcription/${id}`).then(
    () => false,
    (error: unknown) => error instanceof ApiError && error.status === NOT_FOUND,
  );

export function dropTyped(id: string, account?: string): void {
  dropDrafts(id, account);
  dropNoteDrafts(id, account);
}

/**
 * Removes what an account typed for a recording that it does not have any more. A recording of another account is missing, too, and another
 * window may change the sign-in at any time: nothing is removed unless the service confirms the account.
 * @throws ApiError
 */
export async function dropIfDeleted(id: string, account: string | undefined): Promise<void> {
  if (account === undefined || !(hasDrafts(id, account) || hasNoteDrafts(id, account))) return;
  if ((await accountNow()) !== account || !(await isMissing(id)) || (await accountNow()) !== account) return;
  dropTyped(id, account);
}
