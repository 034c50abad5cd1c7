// A conditional write is refused if its expected predecessor is not the last message.
import { JetStreamApiCodes, JetStreamApiError } from "@nats-io/jetstream";

export const isSequenceConflict = (error: unknown): boolean =>
  error instanceof JetStreamApiError &&
  (error.code === JetStreamApiCodes.StreamWrongLastSequence ||
    error.code === JetStreamApiCodes.StreamWrongLastSequenceUnknown);
