// Accepts add-ons for a finished transcript. The request is a row of the queue that names the job.

import { parseJobParameters } from "../../contract/job-parameters.ts";
import type { LaterAddOnsBody } from "../../contract/later-add-ons.ts";
import { errors } from "../../platform/errors.ts";
import type { DatabaseTime } from "../../platform/storage/db/database-time.ts";
import { hasUnfinishedAddOns, lockJobWithResult } from "../../platform/storage/db/jobs/add-ons.ts";
import { correctionVersion } from "../../platform/storage/db/jobs/corrections.ts";
import { fileWithAudio, type JobWithFile } from "../../platform/storage/db/jobs/job-files.ts";
import type { JobRow } from "../../platform/storage/db/jobs/jobs.ts";
import type { ServedModels } from "../models/store.ts";
import { type AcceptServices, acceptRecorded } from "./accept.ts";
import { peopleChangedSpeakers } from "./speakers-of-people.ts";

export interface LaterAddOnsRequest {
  id: string;
  /** The job. */
  row: JobWithFile;
  body: LaterAddOnsBody;
  /** Name of the key. */
  madeBy: string;
  createdAt: DatabaseTime;
  /** traceparent of the request. */
  trace?: string | undefined;
}

/** Decides which part of the file is decoded, as for the job itself. */
function decodingOf({ kind, request_params }: JobRow) {
  if (kind === "live") return {};
  const { audio_track, audio_range, language_config } = parseJobParameters(request_params);
  return { audio_track, audio_range, language_config };
}

/**
 * Stores the request, which is then in the queue.
 * @returns whether the transcript has corrections: the speakers then become one
 * @throws request.not_found, job.no_transcript, add_ons.running, add_ons.no_audio, add_ons.speakers_corrected, limit.queued_jobs
 */
export async function acceptAddOns(
  { id, row, body, madeBy, createdAt, trace }: LaterAddOnsRequest,
  services: AcceptServices & { recordingModels: Pick<ServedModels, "list"> },
): Promise<{ hasCorrections: boolean }> {
  const { recordingModels } = services;
  const { replace_speakers: replaces = false, ...params } = body;
  const needsAudio = params.diarization === true;
  const file = fileWithAudio(row);
  if (needsAudio && !file) throw errors.addOnsWithoutAudio();
  const installed = await recordingModels.list();
  // No words are recognised: any model that is here will do.
  const { id: model } = installed.find((one) => one.id === row.model) ?? installed[0] ?? { id: row.model };
  const job = {
    ...{ id, accountId: row.account_id, kind: "pre-recorded" as const, model, createdAt, trace },
    addedTo: row.id,
    ...(file ? { fileId: file.id } : {}),
    params: {
      ...decodingOf(row),
      ...params,
      account_vocabulary: false,
      later_add_ons: { made_by: madeBy, replaces_speakers: replaces },
    },
  };
  let hasCorrections = false;
  await acceptRecorded(job, true, services, async (transaction) => {
    const current = await lockJobWithResult(transaction, row.id);
    if (!current) throw errors.notFound("Job");
    if (current.status !== "done" || current.result_key === null) throw errors.noTranscript(current.status);
    if (await hasUnfinishedAddOns(transaction, row.id)) throw errors.addOnsRunning();
    if (!needsAudio) return;
    if (!replaces && (await peopleChangedSpeakers(transaction, row.id))) throw errors.speakersCorrected();
    hasCorrections = (await correctionVersion(transaction, row.id)) > 0;
  });
  return { hasCorrections };
}
