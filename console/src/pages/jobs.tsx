// Every job of the account: search, status, deletion.

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { useLocation } from "preact-iso";
import { at, prefix } from "../address.ts";
import { errorMessage, get, send } from "../api.ts";
import { useEvery } from "../every.ts";
import { jobName } from "../job-name.ts";
import { Check } from "../parts/check.tsx";
import { notice } from "../parts/notices.tsx";
import { progressText } from "../progress-text.ts";
import type { Job, JobItem, JobPage, JobProgress } from "../shapes.ts";
import { clock, moment } from "../time.ts";
import { dropDrafts } from "../transcript/drafts.ts";
import { useTitle } from "../use-title.ts";

const PAGE = 25;
const POLL_MILLISECONDS = 2_000;
/** Unfinished jobs of a page whose progress is read. */
const MOST_PROGRESSES = 10;
const STATUSES = ["queued", "processing", "done", "error"];

const isOpen = ({ status }: JobItem) => status === "queued" || status === "processing";

/** Filters are kept in the address, for links and the browser's history. */
function filterQuery(query: Record<string, string>): URLSearchParams {
  const filters = new URLSearchParams({ limit: String(PAGE) });
  for (const name of ["search", "status", "kind", "after_date", "before_date", "custom_metadata", "offset"]) {
    if (query[name]) filters.set(name, query[name]);
  }
  if (query["metadata"]) {
    const [key = "", ...rest] = query["metadata"].split("=");
    filters.set(`custom_metadata[${key.trim()}]`, rest.join("=").trim());
  }
  return filters;
}

function Passage({ text, search }: { text: string; search: string }) {
  const words = (search.match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => word !== "or");
  if (words.length === 0) return <p class="passage">{text}</p>;
  const found = new RegExp(`(${words.join("|")})`, "giu");
  return (
    <p class="passage">
      …{text.split(found).map((part, index) => (index % 2 === 1 ? <mark key={`${index}${part}`}>{part}</mark> : part))}…
    </p>
  );
}

interface RowProps {
  job: JobItem;
  progress: JobProgress | undefined;
  search: string;
  isChosen: boolean;
  onChoose(isChosen: boolean): void;
}

function Row({ job, progress, search, isChosen, onChoose }: RowProps) {
  return (
    <li class="job">
      <input
        type="checkbox"
        aria-label={`Choose ${jobName(job)}`}
        checked={isChosen}
        onChange={({ currentTarget }) => onChoose(currentTarget.checked)}
      />
      <div class="job-text">
        <a class="job-name" href={at(`/jobs/${job.id}${search ? `?q=${encodeURIComponent(search)}` : ""}`)}>
          {jobName(job)}
        </a>
        {job.passage ? <Passage text={job.passage} search={search} /> : null}
        {job.status === "error" ? <p class="problem">{job.error_message}</p> : null}
        {isOpen(job) ? <p class="hint">{job.kind === "live" ? "Live" : progressText(progress)}</p> : null}
      </div>
      <span class="job-length">{job.file?.audio_duration ? clock(job.file.audio_duration) : ""}</span>
      <time class="job-time" dateTime={job.created_at}>
        {moment(job.created_at)}
      </time>
      <span class={`status ${job.status}`}>{job.status}</span>
    </li>
  );
}

/** The page of jobs that the address names, read again every two seconds, with the progress of unfinished ones. */
function useJobPage(filters: string) {
  const page = useSignal<JobPage | undefined>(undefined);
  const progresses = useSignal<Record<string, JobProgress>>({});
  const problem = useSignal("");
  const load = async () => {
    try {
      page.value = await get<JobPage>(`/v2/transcription?${filters}`);
      problem.value = "";
      const open = page.value.items.filter(isOpen).slice(0, MOST_PROGRESSES);
      const known = await Promise.all(
        open.map(async ({ id }) => [id, (await get<Job>(`/v2/transcription/${id}`)).progress] as const),
      ).catch(() => []);
      progresses.value = Object.fromEntries(known.filter(([, progress]) => progress)) as Record<string, JobProgress>;
    } catch (error) {
      problem.value = errorMessage(error);
    }
  };
  useEffect(() => {
    void load();
  }, [filters]);
  useEvery(POLL_MILLISECONDS, load);
  return { page, progresses, problem, load };
}

/** Deletes jobs after a confirmation. @returns whether they were to be deleted */
async function deleteJobs(jobs: readonly JobItem[]): Promise<boolean> {
  const count = jobs.length;
  const what = count === 1 ? jobName(jobs[0] as JobItem) : `${count} jobs`;
  if (!confirm(`Delete ${what} with audio and transcript?`)) return false;
  const outcomes = await Promise.allSettled(
    jobs.map(async ({ id }) => {
      await send("DELETE", `/v2/transcription/${id}?cancel=true`);
      dropDrafts(id);
    }),
  );
  const failed = outcomes.find((outcome) => outcome.status === "rejected");
  if (failed) notice(errorMessage(failed.reason), "bad");
  else notice(count === 1 ? "Deleted" : `${count} jobs deleted`);
  return true;
}

interface FiltersProps {
  query: Record<string, string>;
  onChange(changes: Record<string, string>): void;
}

function Filters({ query, onChange }: FiltersProps) {
  return (
    <search>
      <form
        class="filters"
        onSubmit={(event) => {
          event.preventDefault();
          const data = new FormData(event.currentTarget);
          onChange(Object.fromEntries([...data].map(([name, value]) => [name, String(value)])));
        }}
        onChange={(event) => {
          if (!(event.target instanceof HTMLInputElement && event.target.type === "search"))
            event.currentTarget.requestSubmit();
        }}
      >
        <label>
          Words of the transcript
          <input type="search" name="search" defaultValue={query["search"] ?? ""} placeholder='word, "phrase", -not' />
        </label>
        <label>
          State
          <select name="status" defaultValue={query["status"] ?? ""}>
            <option value="">Any</option>
            {STATUSES.map((status) => (
              <option key={status} value={status}>
                {status}
              </option>
            ))}
            <option value="queued,processing">unfinished</option>
          </select>
        </label>
        <label>
          Kind
          <select name="kind" defaultValue={query["kind"] ?? ""}>
            <option value="">Any</option>
            <option value="pre-recorded">Recording</option>
            <option value="live">Live</option>
          </select>
        </label>
        <label>
          From
          <input type="date" name="after_date" defaultValue={query["after_date"] ?? ""} />
        </label>
        <label>
          Before
          <input type="date" name="before_date" defaultValue={query["before_date"] ?? ""} />
        </label>
        <label>
          Metadata
          <input type="text" name="metadata" defaultValue={query["metadata"] ?? ""} placeholder="key=value" />
        </label>
        <button type="submit">Search</button>
      </form>
    </search>
  );
}

function NoJobs({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) return <p class="empty">No jobs match these filters.</p>;
  return (
    <p class="empty">
      No jobs yet. <a href={at("/")}>Transcribe something.</a>
    </p>
  );
}

export function Jobs() {
  useTitle("Jobs");
  const { query, route } = useLocation();
  const filters = filterQuery(query).toString();
  const { page, progresses, problem, load } = useJobPage(filters);
  const chosen = useSignal<ReadonlySet<string>>(new Set());
  const set = (changes: Record<string, string>) => {
    const next = new URLSearchParams(Object.entries({ ...query, offset: "", ...changes }).filter(([, value]) => value));
    route(`${prefix}/jobs${next.size > 0 ? `?${next}` : ""}`);
  };
  const items = page.value?.items ?? [];
  const offset = Number(query["offset"] ?? 0);
  const selected = items.filter(({ id }) => chosen.value.has(id));
  const remove = async () => {
    if (!(await deleteJobs(selected))) return;
    chosen.value = new Set();
    await load();
  };
  const choose = (id: string, isChosen: boolean) => {
    const next = new Set(chosen.value);
    if (isChosen) next.add(id);
    else next.delete(id);
    chosen.value = next;
  };
  return (
    <div class="page">
      <h1>Jobs</h1>
      <Filters query={query} onChange={set} />
      <p class="problem" role="alert">
        {problem.value}
      </p>
      <div class="row between toolbar">
        <Check
          isOn={items.length > 0 && selected.length === items.length}
          onChange={(isOn) => {
            chosen.value = new Set(isOn ? items.map(({ id }) => id) : []);
          }}
        >
          {selected.length === 0 ? "All on this page" : `${selected.length} chosen`}
        </Check>
        <button type="button" class="danger" disabled={selected.length === 0} onClick={remove}>
          Delete
        </button>
      </div>
      {page.value && items.length === 0 ? (
        <NoJobs isFiltered={filters !== `limit=${PAGE}`} />
      ) : (
        <ul class="jobs">
          {items.map((job) => (
            <Row
              key={job.id}
              job={job}
              progress={progresses.value[job.id]}
              search={query["search"] ?? ""}
              isChosen={chosen.value.has(job.id)}
              onChoose={(isChosen) => choose(job.id, isChosen)}
            />
          ))}
        </ul>
      )}
      <nav class="row between" aria-label="Pages of the list">
        <button
          type="button"
          disabled={offset === 0}
          onClick={() => set({ offset: String(Math.max(0, offset - PAGE)) })}
        >
          Newer
        </button>
        <button type="button" disabled={!page.value?.next} onClick={() => set({ offset: String(offset + PAGE) })}>
          Older
        </button>
      </nav>
    </div>
  );
}
