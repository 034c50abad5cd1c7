// The callbacks of a job, every attempt of each, and sending one again.
import { MOST_DELIVERIES } from "../../contract/bounds.ts";
import { DeliveriesBody, DeliveriesQuery, type Delivery, ReplayParams } from "../../contract/deliveries.ts";
import { errorResponses } from "../../contract/errors.ts";
import { JobIdParams } from "../../contract/job.ts";
import { noContent } from "../../contract/responses.ts";
import { errors } from "../../platform/errors.ts";
import { replayDelivery } from "../../platform/storage/db/deliveries/deliveries.ts";
import { type DeliveryWithAttempts, listDeliveries } from "../../platform/storage/db/deliveries/delivery-lists.ts";
import { isUuid } from "../../platform/storage/db/ids.ts";
import type { Api, ApiContext } from "../context.ts";
import { findOwnJob } from "../find-own-job.ts";
import { prepareQuery } from "../validation/prepare.ts";
import type { JobRoute } from "./get.ts";

export function deliveryBody(row: DeliveryWithAttempts): Delivery {
  return {
    id: row.id,
    event: row.event,
    url: row.url,
    method: row.method === "PUT" ? "PUT" : "POST",
    status: row.status,
    created_at: row.created_at.toISOString(),
    ended_at: row.ended_at?.toISOString() ?? null,
    attempts: row.log.map((attempt) => ({
      number: attempt.number,
      at: attempt.at.toISOString(),
      duration: attempt.milliseconds / 1000,
      response_status: attempt.response_status,
      detail: attempt.detail,
    })),
  };
}

export function addDeliveries(
  app: Api,
  context: Pick<ApiContext, "callbacks" | "database" | "now">,
  { path, kind, tag }: JobRoute,
): void {
  app.get(
    `${path}/:id/deliveries`,
    {
      schema: {
        tags: [tag],
        summary: "Callbacks of a job with every attempt",
        params: JobIdParams,
        querystring: DeliveriesQuery,
        response: {
          200: DeliveriesBody,
          ...errorResponses(400, 401, 404),
        },
      },
      preValidation: async (request) => {
        request.query = prepareQuery(DeliveriesQuery, request.query) as typeof request.query;
      },
    },
    async (request) => {
      const row = await findOwnJob(request, context, kind);
      const { offset = 0, limit = MOST_DELIVERIES } = request.query;
      return { items: (await listDeliveries(context.database, row.id, { offset, limit })).map(deliveryBody) };
    },
  );
  app.post(
    `${path}/:id/deliveries/:delivery_id/replay`,
    {
      schema: {
        tags: [tag],
        summary: "Send a callback again",
        params: ReplayParams,
        response: { 202: noContent("It is sent again"), ...errorResponses(400, 401, 404, 413, 415) },
      },
    },
    async (request, reply) => {
      const row = await findOwnJob(request, context, kind);
      const { delivery_id } = request.params;
      const isKnown = isUuid(delivery_id) && (await replayDelivery(context.database, row.id, delivery_id));
      if (!isKnown) throw errors.notFound("Delivery");
      context.callbacks.wake();
      return reply.code(202).send(undefined as never);
    },
  );
}
