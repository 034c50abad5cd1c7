// The row of a job as a transcript of AssemblyAI's interface.
import type { TranscriptJob } from "../../contract/assemblyai-request.ts";
import type { TranscriptBody, TranscriptStatus } from "../../contract/assemblyai-transcript.ts";
import { parseJobParameters } from "../../contract/job-parameters.ts";
import { FetchAddress } from "../../platform/addresses/fetch-address.ts";
import type { ListedJob } from "../../platform/storage/db/jobs/job-lists.ts";
import type { JobStatus } from "../../platform/storage/db/schema.ts";

const STATUSES: Readonly<Record<JobStatus, TranscriptStatus>> = {
  queued: "queued",
  processing: "processing",
  done: "completed",
  error: "error",
};

export const transcriptStatus = (status: JobStatus): TranscriptStatus => STATUSES[status];

/** Statuses of jobs by those of transcripts. */
export const jobStatus = (status: TranscriptStatus): JobStatus => (status === "completed" ? "done" : status);

const FORM: TranscriptJob["form"] = { punctuates: true, formats: true, multichannel: false };

/** What a record states of its job. */
interface State {
  id: string;
  status: TranscriptStatus;
  audioUrl: string;
  warnings: readonly string[];
  error?: string | null;
  /** Of the recording, as far as it is known. */
  seconds?: number | null;
  model?: string | undefined;
}

/** A transcript without its text. @param shown  fields of the request */
export function transcriptRecord(
  { id, status, audioUrl, warnings, error = null, seconds = null, model }: State,
  shown: TranscriptJob["shown"],
): TranscriptBody {
  return {
    ...shown,
    ...{ id, status, audio_url: audioUrl },
    ...(error === null ? {} : { error }),
    ...{ text: null, words: null, utterances: null, confidence: null },
    audio_duration: seconds === null ? null : Math.round(seconds),
    ...(model === undefined ? {} : { speech_model_used: model }),
    ...(warnings.length > 0 ? { metadata: { warnings: warnings.map((message) => ({ message })) } } : {}),
  };
}

type AddressedJob = Pick<ListedJob, "file" | "request_params">;

/** The address of a recording without the user name and password that it may have. */
export function shownAddress({ file, request_params }: AddressedJob): string {
  // The row may be damaged.
  const stored = (request_params as { audio_url?: unknown } | null)?.audio_url;
  const given = (typeof stored === "string" && stored) || (file?.source ?? "");
  return given === "" ? "" : FetchAddress.of(given).shown;
}

/** A job as a transcript, and how it is printed. The texts of a job of another interface stay as they are. */
export function transcriptOf(row: ListedJob) {
  const { assemblyai, model, warnings = [] } = parseJobParameters(row.request_params);
  const { form = FORM, shown = {} } = assemblyai ?? {};
  const state = {
    ...{ id: row.id, status: transcriptStatus(row.status), audioUrl: shownAddress(row), warnings, model },
    ...{ error: row.error_message, seconds: row.file?.audio_duration ?? null },
  };
  const reportsLanguage = shown["language_code"] === undefined;
  return { record: transcriptRecord(state, shown), form, reportsLanguage };
}

const DELETED = "Deleted by user.";

/** What AssemblyAI's interface shows of a deleted transcript. Here it is gone afterwards. */
export const removedTranscript = ({ id, status }: Pick<ListedJob, "id" | "status">): TranscriptBody => ({
  ...{ id, status: transcriptStatus(status), audio_url: "http://deleted_by_user", text: DELETED },
  ...{ words: null, utterances: null, confidence: null, audio_duration: null },
});
