// Messages between the service and the enhancer process.
import type { Enhanced } from "./suppressor.ts";

export type EnhanceRequest =
  /** Whole frames of a stream, whose state the process keeps. */
  { kind: "enhance"; stream: string; samples: Float32Array } | { kind: "end"; stream: string };

/** `isBeginning`: the process has no earlier audio of the stream, so that the first frame is silent. */
export type EnhanceResponse = ({ kind: "enhanced"; isBeginning: boolean } & Enhanced) | { kind: "ended" };
