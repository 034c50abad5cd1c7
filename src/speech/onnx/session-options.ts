/**
 * One thread per model: two single-threaded processes have a higher throughput than one with two threads. Logs errors
 * only.
 */
export const ONE_THREAD = {
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  executionMode: "sequential",
  graphOptimizationLevel: "all",
  logSeverityLevel: 3,
  // An arena would keep the memory of the longest pass.
  enableCpuMemArena: false,
  // Denormal attention weights would slow down multiplication many times.
  extra: { session: { set_denormal_as_zero: "1" } },
} as const;
