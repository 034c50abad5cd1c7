// The last callbacks of an account, whichever job they are of.

import { Type } from "@sinclair/typebox";
import { AccountDelivery } from "../../contract/deliveries.ts";
import { errorResponses } from "../../contract/errors.ts";
import { Enum } from "../../contract/fields.ts";
import { recentDeliveries } from "../../storage/db/delivery-lists.ts";
import type { Api, ApiContext } from "../context.ts";
import { deliveryBody } from "../pre-recorded/deliveries.ts";
import { prepareQuery } from "../validation/prepare.ts";

const MOST_ITEMS = 100;

const Query = Type.Object({
  status: Type.Optional(Enum(["pending", "delivered", "failed"])),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MOST_ITEMS, default: 20 })),
});

export function addAccountDeliveries(app: Api, { database }: Pick<ApiContext, "database">): void {
  app.get(
    "/v2/account/deliveries",
    {
      schema: {
        tags: ["Account"],
        summary: "The last callbacks of this account with every attempt, newest first",
        querystring: Query,
        response: {
          200: Type.Object({ items: Type.Array(AccountDelivery) }, { title: "AccountDeliveries" }),
          ...errorResponses(400, 401),
        },
      },
      preValidation: async (request) => {
        request.query = prepareQuery(Query, request.query) as typeof request.query;
      },
    },
    async ({ account, query: { status, limit = 20 } }) => {
      const wanted = { limit, ...(status ? { status: status as "pending" } : {}) };
      const rows = await recentDeliveries(database, account.id, wanted);
      return { items: rows.map((row) => ({ ...deliveryBody(row), job_id: row.job_id })) };
    },
  );
}
