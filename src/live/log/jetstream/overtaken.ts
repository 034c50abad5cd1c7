// A write that names what it follows is refused when something else came before it.
import { JetStreamApiCodes, JetStreamApiError } from "@nats-io/jetstream";

export const isOvertaken = (error: unknown): boolean =>
  error instanceof JetStreamApiError &&
  (error.code === JetStreamApiCodes.StreamWrongLastSequence ||
    error.code === JetStreamApiCodes.StreamWrongLastSequenceUnknown);
