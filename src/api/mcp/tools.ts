// What the tools do: each is a few calls of the service's own interface, and text for an assistant.
import type { JobBody, JobListItem, JobPage } from "../../contract/job.ts";
import type {
  AskInput,
  ListInput,
  ReadCaptionsInput,
  ReadInput,
  SearchInput,
  TranscribeInput,
} from "../../contract/mcp.ts";
import type { CreatedJob } from "../../contract/pre-recorded.ts";
import type { AnswerEvent } from "../../contract/questions.ts";
import type { Format } from "../../contract/transcript-formats.ts";
import { isAddress } from "../../platform/addresses/web-url.ts";
import { errors, reasonOf, toParlanceError } from "../../platform/errors.ts";
import { sleep } from "../../platform/process/sleep.ts";
import { isUuid } from "../../platform/storage/db/ids.ts";
import { type PageRequest, type TranscriptPage, transcriptPage } from "../../service/transcripts/transcript-pages.ts";
import { readCaptions } from "./live-captions.ts";
import type { ServiceCalls } from "./service-calls.ts";

/** Clients end a call without progress after a minute. */
const WAIT_SECONDS = 45;
/** Each progress notification extends the time of a client that requested them. */
const WAIT_SECONDS_WITH_PROGRESS = 3_600;
const FIRST_POLL_MILLISECONDS = 300;
const LONGEST_POLL_MILLISECONDS = 3_000;
const POLL_GROWTH = 1.3;
/** The limit of requests, a restart, or a proxy that finds no service: the job continues meanwhile. */
const TRANSIENT = new Set([429, 502, 503, 504]);
const LISTED = 10;
/** Arguments by the add-on that does what they request. */
const ARGUMENTS = { custom_vocabulary: "vocabulary", diarization: "speakers", translation: "translate_to" };
const SECONDS_PER_HOUR = 3_600;
const SECONDS_PER_MINUTE = 60;

/** One call of a tool. */
export interface ToolCall {
  /** Aborted when the client cancels the call or closes its connection. */
  signal: AbortSignal;
  /** Undefined if the client did not request progress. @param share  part of the work that is done, 0 to 1 */
  progress: ((share: number, message: string) => void) | undefined;
}

const jobPath = (id: string) => `/v2/transcription/${encodeURIComponent(id)}`;

function clock(seconds: number): string {
  const whole = Math.round(seconds);
  const parts = [
    Math.floor(whole / SECONDS_PER_HOUR),
    Math.floor(whole / SECONDS_PER_MINUTE) % SECONDS_PER_MINUTE,
    whole % SECONDS_PER_MINUTE,
  ];
  return parts
    .slice(parts[0] === 0 ? 1 : 0)
    .map((part, index) => (index === 0 ? String(part) : String(part).padStart(2, "0")))
    .join(":");
}

function titleOf({ kind, file, name }: Pick<JobListItem, "file" | "kind" | "name">): string {
  return name ?? file?.filename ?? file?.source ?? (kind === "live" ? "a live session" : "a recording");
}

function stateOf(job: Pick<JobListItem, "created_at" | "file" | "status">): string {
  const length = job.file?.audio_duration;
  return [job.status, ...(length ? [`${clock(length)} of audio`] : []), `created ${job.created_at}`].join(", ");
}

export class Tools {
  constructor(private readonly service: ServiceCalls) {}

  /** @returns the transcript, or how to read it later */
  async transcribe(input: TranscribeInput, call: ToolCall): Promise<string> {
    const { source, languages, speakers, vocabulary, translate_to: translations, wait_seconds } = input;
    const body = {
      audio_url: await this.addressOf(source),
      ...(languages ? { language_config: { languages } } : {}),
      ...(speakers ? { diarization: true } : {}),
      ...(vocabulary ? { custom_vocabulary: true, custom_vocabulary_config: { vocabulary } } : {}),
      ...(translations ? { translation: true, translation_config: { target_languages: translations } } : {}),
    };
    const { id } = await this.json<CreatedJob>("POST", "/v2/pre-recorded", { body, signal: call.signal });
    try {
      return await this.read({ id, ...(wait_seconds === undefined ? {} : { wait_seconds }) }, call);
    } catch (thrown) {
      // Without the id, the assistant would transcribe the recording again.
      const error = toParlanceError(thrown);
      throw errors.serviceRefused(`Transcript ${id}: ${reasonOf(error)}`, error.status);
    }
  }

  async read({ id, format = "md", offset = 0, wait_seconds }: ReadInput, call: ToolCall): Promise<string> {
    const job = await this.untilEnded(id, wait_seconds, call);
    if (job.status === "error")
      throw errors.jobFailed(job.error_message ?? "the recording could not be transcribed", job.error_code ?? 500);
    if (job.status !== "done") {
      const share = Math.floor((job.progress?.share ?? 0) * 100);
      const stage = job.progress?.stage ?? job.status;
      return `Transcript ${id} is not ready: ${stage}, ${share} %. Call read_transcript with this id for the rest.`;
    }
    const made = await this.service.read?.({ id, format, offset, wait_seconds: 0 }, call.signal);
    if (made !== undefined) return made;
    const { text, end, length, warnings } = await this.page(id, { format, offset, names: ARGUMENTS }, call.signal);
    if (offset > length)
      throw errors.invalidParameters([`offset must be at most ${length}, the length of the transcript`]);
    const rest =
      end < length
        ? `\n\n[Characters ${offset} to ${end} of ${length}. Call read_transcript with offset ${end} for the next ones.]`
        : "";
    const warned = warnings.length === 0 ? "" : `\nWarnings: ${warnings.join("; ")}`;
    return `Transcript ${id} of ${titleOf(job)}: ${stateOf(job)}${warned}\n\n${text}${rest}`;
  }

  async search({ query, limit = LISTED }: SearchInput, { signal }: ToolCall): Promise<string> {
    return listed(
      await this.pageOfJobs({ search: query, limit: String(limit) }, signal),
      `No transcript contains ${query}`,
    );
  }

  async list({ limit = LISTED }: ListInput, { signal }: ToolCall): Promise<string> {
    return listed(await this.pageOfJobs({ limit: String(limit) }, signal), "There are no transcripts");
  }

  /** Finished jobs, newest first. */
  async finished(limit: number): Promise<{ id: string; title: string }[]> {
    const { items } = await this.pageOfJobs({ limit: String(limit), status: "done" });
    return items.map((item) => ({ id: item.id, title: titleOf(item) }));
  }

  /** @returns the whole transcript, with corrections */
  async transcript(id: string, format: Format, signal?: AbortSignal): Promise<string> {
    if (!isUuid(id)) throw errors.notFound("Job");
    const content = await this.service.call(
      "GET",
      `${jobPath(id)}/transcript?format=${format}`,
      signal ? { signal } : {},
    );
    return content.toString();
  }

  /** @returns the answer of the language model, with the moments that it refers to */
  async ask({ id, ...body }: AskInput, { signal, progress }: ToolCall): Promise<string> {
    const answered = new AbortController();
    const beat = this.heartbeat(progress, answered.signal);
    try {
      const stream = await this.service.call("POST", `${jobPath(id)}/questions`, { body, signal });
      return answerOf(stream.toString());
    } finally {
      answered.abort();
      await beat;
    }
  }

  /** @returns captions of a live session that follow an earlier call, and how to read the next ones */
  captions(input: ReadCaptionsInput, { signal }: ToolCall): Promise<string> {
    return readCaptions(this.service, input, signal);
  }

  private async heartbeat(progress: ToolCall["progress"], signal: AbortSignal): Promise<void> {
    while (progress && !signal.aborted) {
      progress(0, "the language model writes");
      await sleep(LONGEST_POLL_MILLISECONDS, signal);
    }
  }

  private async addressOf(source: string): Promise<string> {
    if (isAddress(source)) return source;
    if (this.service.upload) return await this.service.upload(source);
    throw errors.invalidParameters([
      "source must begin with http:// or https://; this server cannot read files of your machine. `parlance mcp` can",
    ]);
  }

  private async untilEnded(id: string, seconds: number | undefined, { signal, progress }: ToolCall): Promise<JobBody> {
    const most = (seconds ?? (progress ? WAIT_SECONDS_WITH_PROGRESS : WAIT_SECONDS)) * 1000;
    const started = performance.now();
    for (let pause = FIRST_POLL_MILLISECONDS; ; pause = Math.min(LONGEST_POLL_MILLISECONDS, pause * POLL_GROWTH)) {
      const left = most - (performance.now() - started);
      try {
        const job = await this.json<JobBody>("GET", `${jobPath(id)}?result=false`, { signal });
        if (job.status === "done" || job.status === "error" || left <= 0) return job;
        progress?.(job.progress?.share ?? 0, job.progress?.stage ?? job.status);
      } catch (error) {
        if (left <= 0 || signal.aborted || !TRANSIENT.has(toParlanceError(error).status)) throw error;
      }
      await sleep(Math.min(pause, Math.max(0, left)), signal);
    }
  }

  private async page(id: string, request: PageRequest, signal: AbortSignal): Promise<TranscriptPage> {
    if (this.service.page) return this.service.page(id, request, signal);
    const { result } = await this.json<JobBody>("GET", jobPath(id), { signal });
    if (!result) throw errors.notFound("Job");
    return transcriptPage(result, await this.transcript(id, request.format, signal), request);
  }

  private pageOfJobs(query: Record<string, string>, signal?: AbortSignal): Promise<JobPage> {
    return this.json<JobPage>("GET", `/v2/transcription?${new URLSearchParams(query)}`, signal ? { signal } : {});
  }

  private async json<Body>(...[method, path, options]: Parameters<ServiceCalls["call"]>): Promise<Body> {
    return JSON.parse((await this.service.call(method, path, options)).toString()) as Body;
  }
}

function listed({ items, next }: JobPage, none: string): string {
  if (items.length === 0) return `${none}.`;
  const lines = items.map((item) => {
    const detail = item.passage ?? item.error_message;
    return `- ${item.id}: ${titleOf(item)} (${stateOf(item)})${detail ? `: ${detail}` : ""}`;
  });
  return [...lines, ...(next ? ["There are more; raise the limit or search for other words."] : [])].join("\n");
}

/** @param stream  server-sent events of POST /v2/transcription/ID/questions @throws the error in it */
function answerOf(stream: string): string {
  const events = stream
    .split("\n")
    .filter((line) => line.startsWith("data: "))
    .map((line) => JSON.parse(line.slice("data: ".length)) as AnswerEvent);
  const last = events.at(-1);
  if (last?.type === "error") throw errors.serviceRefused(last.message, last.status);
  if (last?.type !== "done") throw errors.serviceRefused("the service ended the answer before its end", 502);
  const moments = last.citations.map(({ index, start, text }) => `[${index}] ${clock(start)} ${text}`);
  const doubt = last.unverified.length > 0 ? [`Not in the transcript: ${last.unverified.join(", ")}`] : [];
  return [last.answer, ...(moments.length > 0 ? [moments.join("\n")] : []), ...doubt].join("\n\n");
}
