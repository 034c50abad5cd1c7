// Errors of AudioSocket: a packet with a code of one byte. The protocol has no texts; the log of the service has the reason.
import { errors, type ParlanceError } from "../../../../platform/errors.ts";
import type { Closing, StopCause } from "../../events/closing.ts";
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
  idle: "no audio was received for too long",
  away: "the connection was lost",
  length: "the session reached its maximum length",
  revoked: "the key of the account was revoked",
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
      return errors.notReady("this machine takes no further session at present");
    case "idle":
      return errors.audioSocketTimeout(CAUSES.idle);
    default:
      return errors.audioSocketInterrupted(`the session was closed (${closing.kind})`);
  }
}
