// The error that answers an upgrade, of a session that was found but cannot be used.
import { errors, type ParlanceError } from "../../../platform/errors.ts";
import type { Closing, ClosingKind } from "../events/closing.ts";

const STATUSES: Partial<Record<ClosingKind, number>> = {
  restarting: 503,
  elsewhere: 503,
  overLimit: 429,
  ended: 410,
  expired: 410,
};

/** @param reason  in the words of the dialect, for every closing but a refusal, which has its own error */
export function upgradeError(closing: Closing, reason: string): ParlanceError {
  if (closing.kind === "refused") return closing.error;
  const status = STATUSES[closing.kind] ?? 500;
  // With the time after which to try again.
  if (status === 503) return errors.upgradeUnavailable(reason);
  return status === 429 ? errors.upgradeOverLimit(reason) : errors.upgradeRefused(reason, status);
}
