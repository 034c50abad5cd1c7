/** Every model runs on one thread: two processes of one thread do more than one of two. Errors only in the log. */
export const ONE_THREAD = {
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  executionMode: "sequential",
  graphOptimizationLevel: "all",
  logSeverityLevel: 3,
  // What a pass needed goes back afterwards: an arena keeps as much as the longest one took.
  enableCpuMemArena: false,
  // Shares of attention that are next to nothing take many times as long to multiply as nothing.
  extra: { session: { set_denormal_as_zero: "1" } },
} as const;
