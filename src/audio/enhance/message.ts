// Between the service and the enhancer's process.
import type { Enhanced } from "./suppressor.ts";

export type EnhanceRequest =
  /** Whole frames of a stream that the process keeps the state of. */
  { kind: "enhance"; stream: string; samples: Float32Array } | { kind: "end"; stream: string };

export type EnhanceResponse = ({ kind: "enhanced" } & Enhanced) | { kind: "ended" };
