// Callbacks and their attempts.
import type { Static } from "typebox";
import * as Type from "typebox";
import { MOST_ACCOUNT_DELIVERIES, MOST_DELIVERIES } from "./bounds.ts";
import { DateTime, Enum, Name, Nullable } from "./fields.ts";

const DELIVERY_STATUSES = ["pending", "delivered", "failed"] as const;

export const Delivery = Type.Object(
  {
    id: Type.String({ format: "uuid", description: "Also the webhook-id of every attempt" }),
    event: Type.String(),
    url: Type.String({ format: "uri" }),
    method: Enum(["POST", "PUT"]),
    status: Enum(DELIVERY_STATUSES),
    created_at: DateTime(),
    ended_at: Nullable(DateTime()),
    attempts: Type.Array(
      Type.Object({
        number: Type.Integer({ minimum: 1 }),
        at: DateTime(),
        duration: Type.Number({ description: "Seconds" }),
        response_status: Nullable(Type.Integer()),
        detail: Type.String({ description: "First bytes of the answer, or why there was none" }),
      }),
    ),
  },
  { title: "Delivery" },
);
export type Delivery = Static<typeof Delivery>;

export const AccountDelivery = Type.Object(
  { ...Delivery.properties, job_id: Type.String({ format: "uuid" }) },
  { title: "AccountDelivery" },
);
export type AccountDelivery = Static<typeof AccountDelivery>;

export const DeliveriesBody = Type.Object({ items: Type.Array(Delivery) }, { title: "Deliveries" });
export type Deliveries = Static<typeof DeliveriesBody>;

export const AccountDeliveriesBody = Type.Object(
  { items: Type.Array(AccountDelivery) },
  { title: "AccountDeliveries" },
);
export type AccountDeliveries = Static<typeof AccountDeliveriesBody>;

export const DeliveriesQuery = Type.Object({
  offset: Type.Optional(Type.Integer({ minimum: 0, default: 0 })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MOST_DELIVERIES, default: 100 })),
});

export const AccountDeliveriesQuery = Type.Object({
  status: Type.Optional(Enum(DELIVERY_STATUSES)),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MOST_ACCOUNT_DELIVERIES, default: 20 })),
});

export const ReplayParams = Type.Object({ id: Name(), delivery_id: Name() });
