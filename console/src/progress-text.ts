import { formats, t } from "./language/language.ts";
import { said } from "./language/messages.ts";
import type { JobProgress } from "./shapes.ts";

function stageName(stage: string | null | undefined): string {
  const stages: Record<string, string> = t.progress.stages;
  return stages[stage ?? ""] ?? t.progress.working;
}

/** Progress of an unfinished job, in a sentence. */
export function progressText(progress: JobProgress | null | undefined): string {
  if (!progress) return t.progress.accepted;
  const { waits_for, queue_position, stage, share, estimated_seconds, fetch } = progress;
  if (waits_for) return t.progress.waitsFor(waits_for.model, waits_for.share);
  if (fetch?.last_failure) return t.progress.fetchFailed(fetch.attempts, said(fetch.last_failure));
  const now = queue_position === null ? t.progress.share(stageName(stage), share) : t.progress.place(queue_position);
  const isOver = estimated_seconds === null || estimated_seconds < 1;
  return isOver ? now : t.progress.left(now, formats.duration(estimated_seconds));
}
