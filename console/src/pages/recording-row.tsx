// One recording of the list: name, when, how long, who, which language, how it begins.
import { firstOf } from "../../../src/contract/first-of.ts";
import { accountName } from "../account.ts";
import { at } from "../address.ts";
import { jobName } from "../job-name.ts";
import { formats, t } from "../language/language.ts";
import { said } from "../language/messages.ts";
import { languageName } from "../language-name.ts";
import { changesOfSessions, storedSessions } from "../live/stored-sessions.ts";
import { Bar } from "../parts/bar.tsx";
import { Rename } from "../parts/rename.tsx";
import { Tags } from "../parts/tags.tsx";
import { progressText } from "../progress-text.ts";
import type { JobItem, JobProgress } from "../shapes.ts";
import { clock, moment } from "../time.ts";

export const isOpen = ({ status }: JobItem) => status === "queued" || status === "processing";

function Passage({ text, search }: { text: string; search: string }) {
  const words = (search.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).filter((word) => word !== "or");
  if (words.length === 0)
    return (
      <p class="passage" dir="auto">
        {text}
      </p>
    );
  const found = new RegExp(`(${words.join("|")})`, "giu");
  return (
    <p class="passage" dir="auto">
      …{text.split(found).map((part, index) => (index % 2 === 1 ? <mark key={`${index}${part}`}>{part}</mark> : part))}…
    </p>
  );
}

/** More names than this are counted. */
const MOST_NAMES = 3;

function speakersText({ overview }: JobItem): string {
  const { speakers = [], further_speakers: further = 0 } = overview ?? {};
  const named = speakers.flatMap(({ name }) => (name === null ? [] : [name]));
  const { first: names } = firstOf(named, MOST_NAMES);
  const others = speakers.length + further - names.length;
  if (names.length === 0) return others === 0 ? "" : t.recordings.speakers(others);
  return others === 0 ? formats.list(names) : t.recordings.andMore(formats.facts(names), others);
}

/** Of a session that a page of this browser has begun. */
function Continue({ id }: { id: string }) {
  void changesOfSessions.value;
  if (!storedSessions(accountName()).some((session) => session.id === id)) return null;
  return (
    <p>
      <a href={at(`/live?session=${id}`)}>{t.frame.continueSession}</a>
    </p>
  );
}

interface RowProps {
  job: JobItem;
  progress: JobProgress | undefined;
  search: string;
  isChosen: boolean;
  /** Address of the list with a tag as a further filter. */
  hrefOfTag(tag: string): string;
  /** Its name or its tags were changed. */
  onLabelled(): Promise<void>;
  onChoose(isChosen: boolean): void;
}

export function Row({ job, progress, search, isChosen, hrefOfTag, onLabelled, onChoose }: RowProps) {
  const name = jobName(job);
  const isOnAir = job.kind === "live" && isOpen(job);
  const facts = [
    job.kind === "live" && job.name ? t.recordings.liveSession : "",
    job.file?.audio_duration ? clock(job.file.audio_duration) : "",
    speakersText(job),
    formats.list((job.overview?.languages ?? []).map(languageName)),
  ].filter((fact) => fact !== "");
  return (
    <li class="entry">
      <input
        type="checkbox"
        aria-label={t.recordings.choose(name)}
        checked={isChosen}
        onChange={({ currentTarget }) => onChoose(currentTarget.checked)}
      />
      <div class="entry-text">
        <Rename job={job} onNamed={onLabelled}>
          <a class="entry-name" href={at(`/jobs/${job.id}${search ? `?q=${encodeURIComponent(search)}` : ""}`)}>
            <bdi>{name}</bdi>
          </a>
        </Rename>
        {job.status === "done" ? null : isOnAir ? (
          <span class="tag speaking">{t.frame.onAir}</span>
        ) : (
          <span class={`status ${job.status}`}>{t.recordings.states[job.status]}</span>
        )}
        <p class="hint entry-facts">
          <time dateTime={job.created_at}>{moment(job.created_at)}</time>
          {facts.map((fact) => [" · ", <bdi key={fact}>{fact}</bdi>])}
        </p>
        {job.passage ? (
          <Passage text={job.passage} search={search} />
        ) : job.overview?.first_words ? (
          <p class="passage" dir="auto">
            {job.overview.first_words}
          </p>
        ) : null}
        <Tags job={job} onChanged={onLabelled} hrefOf={hrefOfTag} />
        {job.status === "error" ? <p class="problem">{said(job.error_message ?? "")}</p> : null}
        {isOnAir ? <Continue id={job.id} /> : null}
        {isOpen(job) && !isOnAir ? (
          <>
            <p class="hint">{progressText(progress)}</p>
            {progress ? <Bar share={progress.share} name={t.recordings.progressOf(name)} /> : null}
          </>
        ) : null}
      </div>
    </li>
  );
}
