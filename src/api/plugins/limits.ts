// Counts requests over HTTP against the limit of their account.
import type { Api, ApiContext } from "../context.ts";

export function addRequestLimits(app: Api, { requestRates }: Pick<ApiContext, "requestRates">): void {
  app.addHook("onRequest", async (request) => {
    // Routes without a key have no account.
    if (request.account) await requestRates.take(request.account);
  });
}
