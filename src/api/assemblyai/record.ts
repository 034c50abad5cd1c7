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

interface Shown {
  id: string;
  status: TranscriptStatus;
  audioUrl: string;
  error: string | null;
  /** Of the recording, as far as it is known. */
  seconds: number | null;
  warnings: readonly string[];
}

const FORM: TranscriptJob["form"] = { punctuates: true, formats: true, multichannel: false };

type Row = Pick<ListedJob, "request_params" | "file">;

/** What a job was requested with; a job of another interface has texts as they are. */
export function requestOf(row: Pick<Row, "request_params">) {
  const { assemblyai, audio_url = "", model, warnings = [] } = parseJobParameters(row.request_params);
  const { form = FORM, shown = {} } = assemblyai ?? {};
  return { form, shown, audioUrl: audio_url, model, warnings, reportsLanguage: shown["language_code"] === undefined };
}

/** The address of a recording without the user name and password that it may have. */
export const shownAddress = (row: Row): string => {
  const given = requestOf(row).audioUrl || (row.file?.source ?? "");
  return given === "" ? "" : FetchAddress.of(given).shown;
};

const isRow = (given: Shown | (ListedJob & Row)): given is ListedJob => "request_params" in given;

/** A transcript without its text. @param request  of a job that was just accepted */
export function transcriptRecord(given: Shown | ListedJob, request?: Pick<TranscriptJob, "shown">): TranscriptBody {
  const parameters = isRow(given) ? requestOf(given) : undefined;
  const { id, status, audioUrl, error, seconds, warnings } = isRow(given)
    ? {
        id: given.id,
        status: transcriptStatus(given.status),
        audioUrl: shownAddress(given),
        error: given.error_message,
        seconds: given.file?.audio_duration ?? null,
        warnings: parameters?.warnings ?? [],
      }
    : given;
  const { shown = {} } = parameters ?? request ?? {};
  return {
    ...shown,
    ...{ id, status, audio_url: audioUrl },
    ...(error === null ? {} : { error }),
    ...{ text: null, words: null, utterances: null, confidence: null },
    audio_duration: seconds === null ? null : Math.round(seconds),
    ...(parameters?.model === undefined ? {} : { speech_model_used: parameters.model }),
    ...(warnings.length > 0 ? { metadata: { warnings: warnings.map((message) => ({ message })) } } : {}),
  };
}

const DELETED = "Deleted by user.";

/** What AssemblyAI's interface shows of a deleted transcript. Here it is gone afterwards. */
export const removedTranscript = ({ id, status }: TranscriptBody): TranscriptBody => ({
  ...{ id, status, audio_url: "http://deleted_by_user", text: DELETED },
  ...{ words: null, utterances: null, confidence: null, audio_duration: null },
});
