// The recordings of the list that are selected, and what is done with all of them at once.
import { useSignal } from "@preact/signals";
import { accountName } from "../account.ts";
import { ApiError, errorMessage, send } from "../api.ts";
import { jobName } from "../job-name.ts";
import { t } from "../language/language.ts";
import { Check } from "../parts/check.tsx";
import { notice } from "../parts/notices.tsx";
import { useWork } from "../parts/use-work.ts";
import type { JobItem } from "../shapes.ts";
import { dropTyped } from "../transcript/deleted.ts";
import { ExportManyDialog } from "./export-many-dialog.tsx";

/** Selected recordings of those that are shown. */
export function useSelection(items: readonly JobItem[]) {
  const ids = useSignal<ReadonlySet<string>>(new Set());
  return {
    ids: ids.value,
    selected: items.filter(({ id }) => ids.value.has(id)),
    select(changed: readonly string[], isSelected: boolean) {
      const next = new Set(ids.value);
      for (const id of changed) {
        if (isSelected) next.add(id);
        else next.delete(id);
      }
      ids.value = next;
    },
    clear() {
      ids.value = new Set();
    },
  };
}

type Selection = ReturnType<typeof useSelection>;

async function deleteJob({ id }: JobItem): Promise<void> {
  await send("DELETE", `/v2/transcription/${id}?cancel=true`).catch((error: unknown) => {
    // Another client has deleted it.
    if (!(error instanceof ApiError && error.status === 404)) throw error;
  });
  dropTyped(id);
}

/** Deletes jobs after a confirmation, and names those that were not deleted. @returns whether they were to be deleted */
async function deleteJobs(jobs: readonly JobItem[]): Promise<boolean> {
  const count = jobs.length;
  const isSure = count === 1 ? t.recordings.deleteName(jobName(jobs[0] as JobItem)) : t.recordings.deleteMany(count);
  if (!confirm(isSure)) return false;
  const account = accountName();
  const outcomes = await Promise.allSettled(jobs.map(deleteJob));
  const reasons = outcomes.map((outcome) => (outcome.status === "rejected" ? errorMessage(outcome.reason) : ""));
  const failed = jobs.flatMap((job, at) => (reasons[at] === "" ? [] : [`${jobName(job)}: ${reasons[at]}`]));
  if (failed.length > 0) notice(failed.join(" · "), "bad", { account });
  else notice(count === 1 ? t.recordings.deleted : t.recordings.deletedMany(count));
  return true;
}

interface SelectionBarProps {
  items: readonly JobItem[];
  selection: Selection;
  onChanged(): Promise<void>;
}

export function SelectionBar({ items, selection, onChanged }: SelectionBarProps) {
  const exported = useSignal<readonly JobItem[]>([]);
  const { isRunning, run } = useWork();
  const { selected, select, clear } = selection;
  const isNone = selected.length === 0;
  const remove = async () => {
    if (!(await deleteJobs(selected))) return;
    clear();
    await onChanged();
  };
  return (
    <div class="row between wrap toolbar">
      <div class="row wrap">
        <Check
          isOn={!isNone && selected.length === items.length}
          isMixed={!isNone && selected.length < items.length}
          isDisabled={items.length === 0}
          onChange={(isOn) =>
            select(
              items.map(({ id }) => id),
              isOn,
            )
          }
        >
          {t.recordings.all}
        </Check>
        <span class="hint" role="status">
          {isNone ? "" : t.recordings.chosen(selected.length)}
        </span>
      </div>
      <div class="row wrap">
        <button type="button" class="quiet" disabled={isNone} onClick={clear}>
          {t.recordings.clear}
        </button>
        <button
          type="button"
          aria-haspopup="dialog"
          disabled={isNone}
          onClick={() => {
            exported.value = selected;
          }}
        >
          {t.transcript.export}
        </button>
        <button type="button" class="danger" disabled={isNone || isRunning.value} onClick={() => void run(remove)}>
          {t.recordings.delete}
        </button>
      </div>
      {exported.value.length > 0 ? (
        <ExportManyDialog
          jobs={exported.value}
          onClose={() => {
            exported.value = [];
          }}
        />
      ) : null}
    </div>
  );
}
