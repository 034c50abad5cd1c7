// Accounts, their keys, what a key may do, and its limits.
import { PARLANCE } from "../command-prefix.ts";
import { ParlanceError } from "./parlance-error.ts";

export const accountErrors = {
  keyMissing: (header: string) =>
    new ParlanceError(`No key was sent. Send it in the header ${header}, or as authorization: Bearer KEY`, {
      code: "account.key_missing",
      status: 401,
    }),
  keyUnknown: () =>
    new ParlanceError("This key is unknown or revoked", {
      code: "account.key_unknown",
      status: 401,
    }),
  notSignedIn: () =>
    new ParlanceError("This browser is no longer signed in to the account that this page shows", {
      code: "account.not_signed_in",
      status: 401,
    }),
  tooManyGuesses: (retryAfterSeconds: number) =>
    new ParlanceError(
      `Too many wrong keys were sent from this address or network; wait ${Math.ceil(retryAfterSeconds)} seconds. Keys that were right before are still accepted.`,
      {
        code: "account.too_many_guesses",
        status: 429,
        retryable: true,
        retryAfterSeconds: Math.ceil(retryAfterSeconds),
      },
    ),
  notOperator: () =>
    new ParlanceError("Only keys of the default account may read or change what belongs to the whole service", {
      code: "account.not_operator",
      status: 403,
    }),
  unknownAccount: (name: string) =>
    new ParlanceError(`There is no account ${name}; make it with: ${PARLANCE} accounts create ${name}`, {
      code: "account.unknown",
      status: 404,
    }),
  badAccountName: (name: string) =>
    new ParlanceError(`An account's name has 1 to 100 letters, digits, dots, @, - or _; it is "${name}"`, {
      code: "account.bad_name",
      status: 400,
    }),
  badKeyName: (reason: string) =>
    new ParlanceError(`A key's name ${reason}`, { code: "account.bad_key_name", status: 400 }),
  accountExists: (name: string) =>
    new ParlanceError(`There is an account ${name} already`, { code: "account.exists", status: 409 }),
  accountBeingDeleted: (name: string) =>
    new ParlanceError(
      `The account ${name} is being deleted; ${PARLANCE} accounts list shows it until nothing of it is left`,
      {
        code: "account.being_deleted",
        status: 409,
      },
    ),
  defaultAccountStays: () =>
    new ParlanceError("The default account cannot be deleted: it is the operator's own; revoke its keys instead", {
      code: "account.is_default",
      status: 409,
    }),
  unknownKey: (id: string) =>
    new ParlanceError(`There is no key ${id} that could be revoked; ${PARLANCE} keys list shows their ids`, {
      code: "account.no_such_key",
      status: 404,
    }),
  tooManyKeys: (most: number) =>
    new ParlanceError(`This account has reached its limit of ${most} keys; revoke one first`, {
      code: "limit.keys",
      status: 409,
    }),
  tooManyQueuedJobs: (limit: number) =>
    new ParlanceError(`${limit} jobs of this account are already waiting`, {
      code: "limit.queued_jobs",
      status: 429,
      retryable: true,
      retryAfterSeconds: 30,
    }),
  /** Of assistants. */
  tooManyCalls: (limit: number) =>
    new ParlanceError(`${limit} calls of this account are being answered already; try again when one has ended`, {
      code: "limit.assistant_calls",
      status: 429,
      retryable: true,
      retryAfterSeconds: 10,
    }),
  tooManyEventStreams: (limit: number) =>
    new ParlanceError(`This process already has ${limit} event streams of this account; close one first`, {
      code: "limit.event_streams",
      status: 429,
      retryable: true,
      retryAfterSeconds: 30,
    }),
  tooManyRequests: (perSecond: number, retryAfterSeconds: number) =>
    new ParlanceError(`This account may send ${perSecond} requests a second`, {
      code: "limit.requests",
      status: 429,
      retryable: true,
      retryAfterSeconds: Math.ceil(retryAfterSeconds),
    }),
  secretsLocked: () =>
    new ParlanceError(
      "The callback secret of this account cannot be opened, so its callbacks wait. The operator must set the PARLANCE_SECRETS_KEY that sealed it; if that key is lost, make a new secret with POST /v2/account/callback-secret",
      { code: "callbacks.secrets_locked", status: 503, retryable: true, retryAfterSeconds: 60 },
    ),
  webhookHeaderLocked: () =>
    new ParlanceError(
      "The value of webhook_auth_header_value cannot be opened, so this webhook cannot be sent. The operator must set the PARLANCE_SECRETS_KEY that sealed it, or set it as PARLANCE_SECRETS_KEY_PREVIOUS",
      { code: "callbacks.header_locked", status: 503, retryable: true },
    ),
};
