// The last callbacks of an account, whichever job they are of.
import { AccountDeliveriesBody, AccountDeliveriesQuery } from "../../contract/deliveries.ts";
import { errorResponses } from "../../contract/errors.ts";
import { recentDeliveries } from "../../platform/storage/db/deliveries/delivery-lists.ts";
import type { Api, ApiContext } from "../context.ts";
import { deliveryBody } from "../pre-recorded/deliveries.ts";
import { prepareQuery } from "../validation/prepare.ts";

export function addAccountDeliveries(app: Api, { database }: Pick<ApiContext, "database">): void {
  app.get(
    "/v2/account/deliveries",
    {
      schema: {
        tags: ["Account"],
        summary: "The last callbacks of this account with every attempt, newest first",
        querystring: AccountDeliveriesQuery,
        response: {
          200: AccountDeliveriesBody,
          ...errorResponses(400, 401),
        },
      },
      preValidation: async (request) => {
        request.query = prepareQuery(AccountDeliveriesQuery, request.query) as typeof request.query;
      },
    },
    async ({ account, query: { status, limit = 20 } }) => {
      const wanted = { limit, ...(status ? { status } : {}) };
      const rows = await recentDeliveries(database, account.id, wanted);
      return { items: rows.map((row) => ({ ...deliveryBody(row), job_id: row.job_id })) };
    },
  );
}
