// Callbacks and their attempts.
import { type Static, Type } from "@sinclair/typebox";
import { Enum, Nullable } from "./fields.ts";

const DateTime = Type.String({ format: "date-time" });

export const Delivery = Type.Object(
  {
    id: Type.String({ format: "uuid", description: "Also the webhook-id of every attempt" }),
    event: Type.String(),
    url: Type.String({ format: "uri" }),
    method: Enum(["POST", "PUT"]),
    status: Enum(["pending", "delivered", "failed"]),
    created_at: DateTime,
    ended_at: Nullable(DateTime),
    attempts: Type.Array(
      Type.Object({
        number: Type.Integer({ minimum: 1 }),
        at: DateTime,
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
