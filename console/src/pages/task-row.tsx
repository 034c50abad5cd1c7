import { told } from "../api.ts";
import { Bar } from "../parts/bar.tsx";
import { notice } from "../parts/notices.tsx";
import { progressText } from "../progress-text.ts";
import { cancel, retry, type Task } from "../tasks.ts";

export function TaskRow({ task }: { task: Task }) {
  const { value: state } = task.state;
  return (
    <li class={`task ${state.kind}`}>
      <span class="task-name" title={task.name}>
        {state.kind === "done" ? <a href={`/jobs/${state.job}`}>{task.name}</a> : task.name}
      </span>
      <span class="task-state">
        {state.kind === "waiting" ? "Waiting to be sent" : null}
        {state.kind === "sending" ? `Sending, ${Math.round(state.share * 100)} %` : null}
        {state.kind === "working" ? progressText(state.progress) : null}
        {state.kind === "done" ? "Done" : null}
        {state.kind === "failed" ? <span class="problem">{state.message}</span> : null}
      </span>
      {state.kind === "sending" ? <Bar share={state.share} name={`Sending ${task.name}`} /> : null}
      {state.kind === "working" ? <Bar share={state.progress?.share ?? 0} name={`Work on ${task.name}`} /> : null}
      <span class="task-actions">
        {state.kind === "failed" && state.job === undefined ? (
          <button type="button" class="quiet" onClick={() => retry(task)}>
            Try again
          </button>
        ) : null}
        {state.kind === "done" || state.kind === "failed" ? null : (
          <button
            type="button"
            class="quiet"
            aria-label={`Stop ${task.name}`}
            onClick={() => cancel(task).catch((error: unknown) => notice(told(error), "bad"))}
          >
            ✕
          </button>
        )}
      </span>
    </li>
  );
}
