import type { JobProgress } from "./shapes.ts";
import { approximateDuration } from "./time.ts";

const STAGES: Record<string, string> = {
  fetch: "Fetching",
  decode: "Reading the audio",
  segment: "Finding speech",
  recognize: "Transcribing",
  translate: "Translating",
  speakers: "Identifying speakers",
  assemble: "Finishing",
};

/** Progress of an unfinished job, in a sentence. */
export function progressText(progress: JobProgress | null | undefined): string {
  if (!progress) return "Accepted";
  const { waits_for, queue_position, stage, share, estimated_seconds, fetch } = progress;
  if (waits_for) return `Waits for the model ${waits_for.model}, ${Math.round(waits_for.share * 100)} % fetched`;
  if (fetch?.last_failure) return `Attempt ${fetch.attempts} failed: ${fetch.last_failure}. Trying again`;
  const left =
    estimated_seconds === null || estimated_seconds < 1 ? "" : `, about ${approximateDuration(estimated_seconds)} left`;
  if (queue_position !== null) return `Place ${queue_position} in the queue${left}`;
  return `${STAGES[stage ?? ""] ?? "Working"}, ${Math.round(share * 100)} %${left}`;
}
