// The limits that hold for an account: its own where it has one, never above what the service allows.
import type { Settings } from "../config/settings.ts";
import type { AccountLimitColumns } from "../storage/db/schema.ts";

export interface AccountLimits {
  /** 0 is no limit; so it is for the next two. */
  requestsPerSecond: number;
  concurrentJobs: number;
  liveSessions: number;
  uploadBytes: number;
  audioSeconds: number;
}

/** What a stage of a job may take. */
export function jobLimits<Limits extends { maximumAudioSeconds: number; maximumFileBytes: number }>(
  account: AccountLimitColumns,
  service: Limits,
): Limits {
  return {
    ...service,
    maximumFileBytes: Math.min(account.upload_bytes ?? Number.POSITIVE_INFINITY, service.maximumFileBytes),
    maximumAudioSeconds: Math.min(account.audio_seconds ?? Number.POSITIVE_INFINITY, service.maximumAudioSeconds),
  };
}

export function limitsOf(account: AccountLimitColumns, settings: Settings): AccountLimits {
  const { maximumFileBytes, maximumAudioSeconds } = jobLimits(account, settings);
  return {
    requestsPerSecond: account.requests_per_second ?? settings.accountRequestsPerSecond,
    concurrentJobs: account.concurrent_jobs ?? settings.accountConcurrentJobs,
    liveSessions: account.live_sessions ?? settings.accountLiveSessions,
    uploadBytes: maximumFileBytes,
    audioSeconds: maximumAudioSeconds,
  };
}
