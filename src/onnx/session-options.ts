/** Every model runs on one thread: two processes of one thread do more than one of two. Errors only in the log. */
export const ONE_THREAD = {
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  executionMode: "sequential",
  graphOptimizationLevel: "all",
  logSeverityLevel: 3,
} as const;
