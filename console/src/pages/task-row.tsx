import { at } from "../address.ts";
import { errorMessage } from "../api.ts";
import { attempt } from "../attempt.ts";
import { formats, t } from "../language/language.ts";
import { said } from "../language/messages.ts";
import { languageName } from "../language-name.ts";
import { Bar } from "../parts/bar.tsx";
import { notice } from "../parts/notices.tsx";
import { shownOptions } from "../parts/option-names.ts";
import { progressText } from "../progress-text.ts";
import { saveFile } from "../save-file.ts";
import type { AudioTrack } from "../shapes.ts";
import {
  isBeingSent,
  isEnded,
  isOnlyCopy,
  isUnsent,
  jobOfState,
  type Task,
  type TaskState,
  wantedFile,
} from "../task.ts";
import { cancel, giveFile, retry, transcribeTrack } from "../tasks.ts";
import { clock } from "../time.ts";

/** "Track 1: English, Commentary" */
function trackName({ number, language, title, number_of_channels }: AudioTrack): string {
  const details = [language ? languageName(language) : "", title ?? "", t.tasks.channels(number_of_channels)];
  return t.tasks.track(number, formats.facts(details));
}

function TrackList({ task }: { task: Task }) {
  const { value: choice } = task.tracks;
  if (!choice) return null;
  return (
    <select
      class="task-track"
      aria-label={t.tasks.trackOf(task.name)}
      value={String(choice.chosen)}
      disabled={isBeingSent(task.state.value)}
      onChange={({ currentTarget }) => {
        transcribeTrack(task, Number(currentTarget.value)).catch((error: unknown) => {
          currentTarget.value = String(task.tracks.peek()?.chosen);
          notice(errorMessage(error), "bad");
        });
      }}
    >
      {choice.list.map((track) => (
        <option key={track.number} value={String(track.number)}>
          {trackName(track)}
        </option>
      ))}
    </select>
  );
}

/** @returns the question before a task is removed with the only copy of its recording; undefined for another task */
export function removalQuestion(task: Task): string | undefined {
  if (!isOnlyCopy(task)) return undefined;
  return task.state.value.kind === "working" ? t.tasks.deleteRecorded : t.tasks.removeQuestion(1);
}

function remove(task: Task): void {
  const question = removalQuestion(task);
  if (question === undefined || confirm(question)) void attempt(() => cancel(task));
}

/** Of any state but a failure. */
export function stateText(state: TaskState): string {
  switch (state.kind) {
    case "waiting":
      return state.reason === undefined ? t.tasks.waiting : t.tasks.delayed(said(state.reason));
    case "sending":
      return state.reason === undefined ? t.tasks.sending(state.share) : t.tasks.delayed(said(state.reason));
    case "working":
      return progressText(state.progress);
    case "done":
      return t.tasks.done;
    case "failed":
      return "";
  }
}

/** Size, length and options: "12 MB, 3:20, Speakers". A page that takes a task over does not have its file. */
export function factsOf(task: Task): string {
  const { source, seconds, options } = task;
  const wanted = wantedFile(task);
  if (source === "" && !wanted) return "";
  const bytes = source instanceof File ? source.size : wanted?.size;
  const size = bytes === undefined ? "" : formats.bytes(bytes);
  const length = seconds.value === undefined ? "" : clock(seconds.value);
  return formats.facts([size, length, ...shownOptions(options)]);
}

/** Of a file that the browser had no room to keep. */
function ChooseAgain({ task }: { task: Task }) {
  return (
    <label class="button">
      {t.tasks.chooseFile}
      <input
        type="file"
        class="unseen"
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          currentTarget.value = "";
          if (file && !giveFile(task, file)) notice(t.tasks.otherFile(task.name), "bad");
        }}
      />
    </label>
  );
}

export function TaskRow({ task }: { task: Task }) {
  const { source } = task;
  const { value: state } = task.state;
  const job = jobOfState(state);
  return (
    <li class={`task ${state.kind}`}>
      <span class="task-name" title={task.name} dir="auto">
        {isEnded(task) && job !== undefined ? <a href={at(`/jobs/${job}`)}>{task.name}</a> : task.name}
      </span>
      <span class="task-state">
        {stateText(state)}
        {state.kind === "failed" ? (
          <span class="problem">
            {wantedFile(task) && task.refusal === undefined ? t.tasks.noRoom : said(state.message)}
          </span>
        ) : null}
      </span>
      <span class="task-facts">{factsOf(task)}</span>
      <TrackList task={task} />
      {state.kind === "sending" ? <Bar share={state.share} name={t.tasks.sendingName(task.name)} /> : null}
      {state.kind === "working" ? <Bar share={state.progress?.share ?? 0} name={t.tasks.workOn(task.name)} /> : null}
      <span class="task-actions">
        {wantedFile(task) ? (
          <ChooseAgain task={task} />
        ) : state.kind === "failed" && !state.isFinal ? (
          <button type="button" class="quiet" onClick={() => retry(task)}>
            {t.tasks.again}
          </button>
        ) : null}
        {isUnsent(task) && source instanceof File ? (
          <button type="button" class="quiet" onClick={() => saveFile(source)}>
            {t.tasks.save}
          </button>
        ) : null}
        {isEnded(task) && job !== undefined ? null : (
          <button
            type="button"
            class="quiet"
            aria-label={state.kind === "failed" ? t.form.remove(task.name) : t.tasks.stop(task.name)}
            onClick={() => remove(task)}
          >
            ✕
          </button>
        )}
      </span>
    </li>
  );
}
