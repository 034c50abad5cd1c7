// Every recording and live session of the account: search, names, deletion.

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { useLocation } from "preact-iso";
import { prefix } from "../address.ts";
import { errorMessage, get } from "../api.ts";
import { useChanges } from "../changes.ts";
import { t } from "../language/language.ts";
import type { Job, JobPage, JobProgress } from "../shapes.ts";
import { sleep } from "../sleep.ts";
import { tasks } from "../tasks.ts";
import { useTitle } from "../use-title.ts";
import { ChooseFiles } from "./choose-files.tsx";
import { Recorder } from "./recorder.tsx";
import { Filters } from "./recording-filters.tsx";
import { isOpen, Row } from "./recording-row.tsx";
import { SelectionBar, useSelection } from "./recording-selection.tsx";
import { TaskRow } from "./task-row.tsx";

const PAGE = 25;
const POLL_MILLISECONDS = 2_000;
/** Least time between two readings of the list. */
const PAUSE_MILLISECONDS = 1_000;
/** Unfinished jobs of a page whose progress is read. */
const MOST_PROGRESSES = 10;

/** Filters are kept in the address, for links and the browser's history. */
function filterQuery(query: Record<string, string>): URLSearchParams {
  const filters = new URLSearchParams({ limit: String(PAGE) });
  for (const name of ["search", "status", "kind", "after_date", "before_date", "custom_metadata", "tag", "offset"]) {
    if (query[name]) filters.set(name, query[name]);
  }
  if (query["metadata"]) {
    const [key = "", ...rest] = query["metadata"].split("=");
    filters.set(`custom_metadata[${key.trim()}]`, rest.join("=").trim());
  }
  return filters;
}

/** The page of jobs that the address names, read again when one changes, with the progress of unfinished ones. */
function useJobPage(filters: string) {
  const page = useSignal<JobPage | undefined>(undefined);
  const progresses = useSignal<Record<string, JobProgress>>({});
  const problem = useSignal("");
  const last = useRef(0);
  const load = async () => {
    const own = ++last.current;
    try {
      const found = await get<JobPage>(`/v2/transcription?${filters}`);
      // A later request was sent meanwhile, such as one with other filters.
      if (own !== last.current) return;
      page.value = found;
      problem.value = "";
      const open = found.items.filter(isOpen).slice(0, MOST_PROGRESSES);
      const known = await Promise.all(
        open.map(async ({ id }) => [id, (await get<Job>(`/v2/transcription/${id}`)).progress] as const),
      ).catch(() => []);
      if (own !== last.current) return;
      progresses.value = Object.fromEntries(known.filter(([, progress]) => progress)) as Record<string, JobProgress>;
    } catch (error) {
      if (own === last.current) problem.value = errorMessage(error);
    }
  };
  useEffect(() => {
    void load();
  }, [filters]);
  useChanges(POLL_MILLISECONDS, async () => {
    await load();
    await sleep(PAUSE_MILLISECONDS);
  });
  return { page, progresses, problem, load };
}

interface NothingProps {
  isFiltered: boolean;
  onRecording(isOn: boolean): void;
}

function Nothing({ isFiltered, onRecording }: NothingProps) {
  if (isFiltered) return <p class="empty">{t.recordings.noMatch}</p>;
  return (
    <section class="card first-visit" aria-labelledby="first-visit">
      <h2 id="first-visit">{t.recordings.firstTitle}</h2>
      <ol>
        <li>
          {t.recordings.firstAdd}
          <div class="row wrap">
            <ChooseFiles />
            <Recorder onRecording={onRecording} />
          </div>
        </li>
        <li>{t.recordings.firstRead}</li>
        <li>{t.recordings.firstSave}</li>
      </ol>
      {tasks.value.length > 0 ? (
        <ul class="tasks">
          {tasks.value.map((task) => (
            <TaskRow key={task.key} task={task} />
          ))}
        </ul>
      ) : null}
    </section>
  );
}

export function Recordings() {
  useTitle(t.frame.recordings);
  const { query, route } = useLocation();
  const filters = filterQuery(query).toString();
  const { page, progresses, problem, load } = useJobPage(filters);
  /** Keeps the recorder of the empty list until its recording ends: removing it would end the recording. */
  const isRecording = useSignal(false);
  const addressWith = (changes: Record<string, string>) => {
    const next = new URLSearchParams(Object.entries({ ...query, offset: "", ...changes }).filter(([, value]) => value));
    return `${prefix}/jobs${next.size > 0 ? `?${next}` : ""}`;
  };
  const set = (changes: Record<string, string>) => route(addressWith(changes));
  const items = page.value?.items ?? [];
  const isEmpty = page.value !== undefined && items.length === 0;
  const offset = Number(query["offset"] ?? 0);
  const selection = useSelection(items);
  return (
    <div class="page">
      <h1>{t.frame.recordings}</h1>
      <Filters query={query} onChange={set} />
      <p class="problem" role="alert">
        {problem.value}
      </p>
      {isEmpty ? null : <SelectionBar items={items} selection={selection} onChanged={load} />}
      {isEmpty || isRecording.value ? (
        <Nothing
          isFiltered={!isRecording.value && filters !== `limit=${PAGE}`}
          onRecording={(isOn) => {
            isRecording.value = isOn;
          }}
        />
      ) : null}
      {isEmpty ? null : (
        <ul class="recordings">
          {items.map((job) => (
            <Row
              key={job.id}
              job={job}
              progress={progresses.value[job.id]}
              search={query["search"] ?? ""}
              isChosen={selection.ids.has(job.id)}
              hrefOfTag={(tag) => addressWith({ tag })}
              onLabelled={load}
              onChoose={(isChosen) => selection.select([job.id], isChosen)}
            />
          ))}
        </ul>
      )}
      {isEmpty && offset === 0 ? null : (
        <nav class="row between" aria-label={t.recordings.listPages}>
          <button
            type="button"
            disabled={offset === 0}
            onClick={() => set({ offset: String(Math.max(0, offset - PAGE)) })}
          >
            {t.recordings.newer}
          </button>
          <button type="button" disabled={!page.value?.next} onClick={() => set({ offset: String(offset + PAGE) })}>
            {t.recordings.older}
          </button>
        </nav>
      )}
    </div>
  );
}
