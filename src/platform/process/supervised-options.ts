// How a supervised child process is started and called.
import type { ChildEnvironment } from "../config/load.ts";

export interface SupervisedOptions {
  /** Name in messages: "recogniser", "decoder". */
  name: string;
  file: string;
  arguments?: string[];
  /** For a start in which the child does nothing: one that works has MOST_LIMITS times as long (activity.ts). */
  readyTimeoutMilliseconds: number;
  /** The child is killed above this. Measured by this process on Linux, reported by the child elsewhere. */
  memoryLimitBytes?: number;
  execArguments?: string[];
  environment: ChildEnvironment;
  /** For a child that works on calls of several tenants concurrently; without it, an abort or time-out of one call ends all. */
  shared?: SharedOptions;
  /**
   * For a child that starts processes itself. It leads a process group, which is killed when the child ends, hung processes included. No effect
   * on Windows.
   */
  leadsGroup?: boolean;
  /** A child without calls for this long is ended, which frees its memory; the next call starts another one. */
  idleMilliseconds?: number;
}

export interface SharedOptions {
  /** A child with pending calls that sends nothing for this long is killed; it sends a heartbeat every second. */
  silenceMilliseconds: number;
}

export interface CallOptions {
  /** For the whole call; in a shared child, for the time from one report of progress to the next. */
  timeoutMilliseconds: number;
  /** The time-out is for the time in which the child does nothing, as at a start. */
  countsQuietTimeOnly?: boolean;
  signal?: AbortSignal;
  onProgress?: (value: number) => void;
  /** Pieces of a streamed answer, in order; as progress, they restart the time-out of a shared child. */
  onText?: (piece: string) => void;
}
