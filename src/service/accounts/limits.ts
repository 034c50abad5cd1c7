// The limits that hold for an account: its own where it has one, never above what the service allows.
import type { Settings } from "../../platform/config/settings.ts";
import type { AccountLimitColumns } from "../../platform/storage/db/schema.ts";

export interface AccountLimits {
  /** 0 is no limit; so it is for the next two. */
  requestsPerSecond: number;
  concurrentJobs: number;
  liveSessions: number;
  uploadBytes: number;
  audioSeconds: number;
}

interface MediaLimits {
  maximumAudioSeconds: number;
  maximumFileBytes: number;
}

function mediaLimits(account: AccountLimitColumns, service: MediaLimits): MediaLimits {
  return {
    maximumFileBytes: Math.min(account.upload_bytes ?? Number.POSITIVE_INFINITY, service.maximumFileBytes),
    maximumAudioSeconds: Math.min(account.audio_seconds ?? Number.POSITIVE_INFINITY, service.maximumAudioSeconds),
  };
}

/** What a stage of a job may take. */
export function jobLimits<Limits extends MediaLimits>(account: AccountLimitColumns, service: Limits): Limits {
  return { ...service, ...mediaLimits(account, service) };
}

export function limitsOf(account: AccountLimitColumns, settings: Settings): AccountLimits {
  const { maximumFileBytes, maximumAudioSeconds } = mediaLimits(account, settings);
  return {
    requestsPerSecond: account.requests_per_second ?? settings.accountRequestsPerSecond,
    concurrentJobs: account.concurrent_jobs ?? settings.accountConcurrentJobs,
    liveSessions: account.live_sessions ?? settings.accountLiveSessions,
    uploadBytes: maximumFileBytes,
    audioSeconds: maximumAudioSeconds,
  };
}
