// Which classes of events a client or a callback address receives.
import type { EventClass } from "./live-event.ts";

export type Subscription = ReadonlySet<EventClass>;

/** `messages_config` and `callback_config` of POST /v2/live. */
export interface MessageFlags {
  receive_partial_transcripts: boolean;
  receive_final_transcripts: boolean;
  receive_speech_events: boolean;
  receive_pre_processing_events: boolean;
  receive_realtime_processing_events: boolean;
  receive_post_processing_events: boolean;
  receive_acknowledgments: boolean;
  receive_errors: boolean;
  receive_lifecycle_events: boolean;
}

const FLAGS: Record<EventClass, keyof MessageFlags> = {
  partials: "receive_partial_transcripts",
  finals: "receive_final_transcripts",
  speech: "receive_speech_events",
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
