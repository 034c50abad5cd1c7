/** Interval of the heartbeats of a child that works on several calls concurrently. */
export const ALIVE_MILLISECONDS = 1_000;
