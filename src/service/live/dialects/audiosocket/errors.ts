// Errors of AudioSocket: a packet with a code of one byte. The protocol has no texts; the log of the service has the reason.
import { errors, type ParlanceError } from "../../../../platform/errors.ts";
import type { Closing, ClosingKind, StopCause } from "../../events/closing.ts";
import { packetBytes, TYPE } from "./packets.ts";

/** Codes of this service: Asterisk's own are 1, 2 and 4. */
const CODE = { refused: 0x10, busy: 0x11, invalid: 0x12, timeout: 0x13, fault: 0x14 } as const;

const CODES: Readonly<Record<number, number>> = {
  400: CODE.invalid,
  401: CODE.refused,
  403: CODE.refused,
  408: CODE.timeout,
  429: CODE.busy,
  503: CODE.busy,
};

export function errorBytes({ status, code }: ParlanceError): Buffer {
  const byte = code === "live.audiosocket_interrupted" ? CODE.fault : (CODES[status] ?? CODE.fault);
  return packetBytes(TYPE.error, Buffer.from([byte]));
}

export const RESTARTED = "the service stops or restarts";

const CAUSES: Record<Exclude<StopCause, "client">, string> = {
  idle: "nothing was received for too long",
  away: "the connection was lost",
  length: "the session reached its maximum length",
  revoked: "the key of the account was revoked",
};

const OPEN_AGAIN = "the session cannot continue in this process; call again";
const FAULT = "internal fault; call again";
const NOT_READY = {
  storage: "audio cannot be stored at present",
  capacity: "this machine has no capacity for a further session",
  model: "this machine is fetching the model of the session",
};

/** Of the kinds that have no error of their own. */
const INTERRUPTED: Record<
  Exclude<ClosingKind, "complete" | "refused" | "unreadableAudio" | "ended" | "overLimit" | "restarting" | "idle">,
  string
> = {
  replaced: "a newer connection uses the session",
  taken: OPEN_AGAIN,
  moved: OPEN_AGAIN,
  elsewhere: OPEN_AGAIN,
  deleted: "the session was deleted",
  failed: FAULT,
  interrupted: FAULT,
  unread: FAULT,
  unknownToken: "the session is unknown",
  revoked: CAUSES.revoked,
  expired: "the session was never used and has expired",
};

/** @returns undefined for a session that is complete */
export function errorOf(closing: Closing): ParlanceError | undefined {
  switch (closing.kind) {
    case "complete":
      return undefined;
    case "refused":
      return closing.error;
    case "unreadableAudio":
      return errors.liveAudioUnreadable(closing.reason);
    case "ended":
      return closing.cause === undefined || closing.cause === "client"
        ? errors.audioSocketInterrupted("the session has ended")
        : errors.audioSocketInterrupted(CAUSES[closing.cause]);
    case "overLimit":
      return errors.notReady("the account has too many live sessions");
    case "restarting":
      return closing.why ? errors.notReady(NOT_READY[closing.why]) : errors.audioSocketInterrupted(RESTARTED);
    case "idle":
      return errors.audioSocketTimeout(CAUSES.idle);
    default:
      return errors.audioSocketInterrupted(INTERRUPTED[closing.kind]);
  }
}
