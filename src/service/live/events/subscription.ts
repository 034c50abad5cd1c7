// Which classes of events a client or a callback address receives.
import type { MessageFlags } from "../../../contract/live.ts";
import type { EventClass } from "./live-event.ts";

export type Subscription = ReadonlySet<EventClass>;

const FLAGS: Record<EventClass, keyof MessageFlags> = {
  partials: "receive_partial_transcripts",
  finals: "receive_final_transcripts",
  speech: "receive_speech_events",
  turns: "receive_turn_events",
  preProcessing: "receive_pre_processing_events",
  realtimeAddons: "receive_realtime_processing_events",
  postProcessing: "receive_post_processing_events",
  acknowledgments: "receive_acknowledgments",
  errors: "receive_errors",
  lifecycle: "receive_lifecycle_events",
};

export const EVENT_CLASSES = Object.keys(FLAGS) as EventClass[];

export function subscriptionOf(flags: Partial<MessageFlags> = {}): Subscription {
  return new Set(EVENT_CLASSES.filter((name) => flags[FLAGS[name]] === true));
}
