// States of a delivery, as its row has them. Only the sender that claimed the delivery's lane sends it.
import { statesWith, type Transitions } from "../../../process/state-machine.ts";
import type { DeliveryStatus } from "../schema.ts";

export type DeliveryEvent =
  /** The receiver accepted an attempt. */
  | "deliver"
  /** An attempt failed, and another one is planned. */
  | "retry"
  /** An attempt failed, and it was the last one. */
  | "giveUp"
  /** The receiver accepts no further deliveries of the job. */
  | "stopLane"
  /** The account requests it again. */
  | "replay";

export const DELIVERY_TRANSITIONS: Transitions<DeliveryStatus, DeliveryEvent> = {
  pending: { deliver: "delivered", retry: "pending", giveUp: "failed", stopLane: "failed", replay: "pending" },
  delivered: { deliver: null, retry: null, giveUp: null, stopLane: null, replay: "pending" },
  failed: { deliver: null, retry: null, giveUp: null, stopLane: null, replay: "pending" },
};

export const deliveryStatusesWith = (event: DeliveryEvent): DeliveryStatus[] => statesWith(DELIVERY_TRANSITIONS, event);

export const DELIVERY_STATUSES = Object.keys(DELIVERY_TRANSITIONS) as DeliveryStatus[];
