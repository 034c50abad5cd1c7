// Removes from this browser what a person typed for a deleted recording.
import { ApiError, get } from "../api.ts";
import type { Account } from "../shapes.ts";
import { dropTypedTexts, hasTypedTexts } from "../typed-text.ts";
import { dropDrafts, hasDrafts } from "./drafts.ts";
import { dropMade } from "./made-here.ts";
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
  dropTypedTexts(id, account);
  dropMade(id, account);
}

/**
 * Removes the typed text of an account for a recording that the account no longer has. The service answers 404 for recordings of other
 * accounts as well, and another window may change the sign-in at any time. The account is therefore confirmed before and after.
 * @throws ApiError
 */
export async function dropIfDeleted(id: string, account: string | undefined): Promise<void> {
  if (account === undefined || ![hasDrafts, hasNoteDrafts, hasTypedTexts].some((has) => has(id, account))) return;
  if ((await accountNow()) !== account || !(await isMissing(id)) || (await accountNow()) !== account) return;
  dropTyped(id, account);
}
