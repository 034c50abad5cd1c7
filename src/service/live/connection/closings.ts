// Why a connection is closed whose session was not found, or cannot be used.
import type { Closing } from "../events/closing.ts";
import type { TokenOutcome } from "../session/registry.ts";

export const CLOSINGS: Record<Exclude<TokenOutcome["kind"], "session">, Closing> = {
  elsewhere: { kind: "elsewhere" },
  unknown: { kind: "unknownToken" },
  revoked: { kind: "revoked" },
  expired: { kind: "expired" },
  "over-limit": { kind: "overLimit" },
  full: { kind: "restarting", why: "capacity" },
  fetching: { kind: "restarting", why: "model" },
  ended: { kind: "ended" },
};
