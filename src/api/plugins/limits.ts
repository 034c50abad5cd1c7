// Requests a second of one account.

import { errors } from "../../platform/errors.ts";
import { limitsOf } from "../../service/accounts/limits.ts";
import { RequestRate } from "../../service/accounts/request-rate.ts";
import type { Api, ApiContext } from "../context.ts";

export function addRequestLimits(
  app: Api,
  { settings, database, isOnlyProcess }: Pick<ApiContext, "settings" | "database" | "isOnlyProcess">,
): void {
  const rate = new RequestRate(isOnlyProcess ? undefined : database);
  app.addHook("onClose", async () => rate.stop());

  app.addHook("onRequest", async (request) => {
    // Routes without a key have no account.
    if (!request.account) return;
    const { requestsPerSecond } = limitsOf(request.account, settings);
    if (requestsPerSecond === 0) return;
    const seconds = await rate.take(request.account.id, requestsPerSecond);
    if (seconds > 0) throw errors.tooManyRequests(requestsPerSecond, seconds);
  });
}
