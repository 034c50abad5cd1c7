// Whose keys may read and change what belongs to the whole service.
import { errors } from "../../platform/errors.ts";
import { DEFAULT_ACCOUNT } from "../../platform/storage/db/accounts/accounts.ts";

export const isOperator = ({ name }: { name: string }) => name === DEFAULT_ACCOUNT;

/** @throws account.not_operator */
export function operatorOnly(account: { name: string }): void {
  if (!isOperator(account)) throw errors.notOperator();
}
