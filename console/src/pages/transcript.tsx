// One recording: its progress, then its transcript.

import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { useRoute } from "preact-iso";
import { shownAccountName } from "../account.ts";
import { ApiError, errorMessage } from "../api.ts";
import { useChanges } from "../changes.ts";
import { jobName } from "../job-name.ts";
import { t } from "../language/language.ts";
import { Bar } from "../parts/bar.tsx";
import { Rename } from "../parts/rename.tsx";
import { progressText } from "../progress-text.ts";
import type { JobState } from "../shapes.ts";
import { dropIfDeleted } from "../transcript/deleted.ts";
import { Result } from "../transcript/result.tsx";
import { type TranscriptStore, transcriptStore } from "../transcript/store.ts";
import { useTitle } from "../use-title.ts";
import { FailedRecording } from "./failed-recording.tsx";
import "../styles/player.css";
import "../styles/print.css";

/** Without a stream of events: of an unfinished recording, and of the corrections of a finished one. */
const POLL_MILLISECONDS = 1_000;
const REFRESH_MILLISECONDS = 5_000;

/** Takes over what an event reports about a finished recording. */
function follow({ job, refresh }: TranscriptStore, { name, tags }: JobState): void {
  const { value: shown } = job;
  const isOther = shown && (shown.name !== name || JSON.stringify(shown.tags) !== JSON.stringify(tags));
  if (isOther) job.value = { ...shown, name, tags };
  void refresh();
}

export function Transcript() {
  const { params } = useRoute();
  const id = params["id"] ?? "";
  return <Page key={id} id={id} owner={shownAccountName.value} />;
}

function Page({ id, owner }: { id: string; owner: string | undefined }) {
  const store = useMemo(() => transcriptStore(id, owner), [id]);
  const problem = useSignal("");
  const load = () =>
    store.load().then(
      () => {
        problem.value = "";
      },
      (error: unknown) => {
        const isMissing = error instanceof ApiError && error.status === 404;
        if (isMissing) void dropIfDeleted(id, owner).catch(() => undefined);
        problem.value = isMissing ? t.recordings.noSuch : errorMessage(error);
      },
    );
  useEffect(() => {
    void load();
  }, [id]);
  const { value: job } = store.job;
  useTitle(job ? jobName(job) : "");
  const isOpen = job?.status === "queued" || job?.status === "processing";
  const mustLoad = isOpen || problem.value !== "";
  useChanges(
    mustLoad ? POLL_MILLISECONDS : REFRESH_MILLISECONDS,
    () => (mustLoad ? load() : store.refresh()),
    (change) => {
      if ((change.type === "job" ? change.job.id : change.id) !== id) return;
      if (change.type === "job" && change.job.status === "done" && job?.status === "done") follow(store, change.job);
      else void load();
    },
  );
  if (problem.value) return <p class="empty problem">{problem.value}</p>;
  if (!job) return <p class="empty">{t.frame.loading}</p>;
  if (job.status === "done" && job.result) return <Result store={store} />;
  return (
    <div class="page">
      <Rename job={job} onNamed={load}>
        <h1 dir="auto">{jobName(job)}</h1>
      </Rename>
      {job.status === "error" ? (
        <FailedRecording job={job} />
      ) : (
        <div class="card" aria-live="polite">
          <p>{job.kind === "live" ? t.recordings.stillLive : progressText(job.progress)}</p>
          <Bar share={job.progress?.share ?? 0} name={t.recordings.progress} />
        </div>
      )}
    </div>
  );
}
