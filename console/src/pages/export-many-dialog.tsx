// The dialog that exports several recordings as one zip file, and names those that are not in it.
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { at } from "../address.ts";
import { errorMessage } from "../api.ts";
import { t } from "../language/language.ts";
import { Bar } from "../parts/bar.tsx";
import { DialogHead, Problem } from "../parts/dialog-parts.tsx";
import { useWork } from "../parts/use-work.ts";
import { saveFile } from "../save-file.ts";
import type { JobItem } from "../shapes.ts";
import { Choices, useChoices } from "../transcript/export-fields.tsx";
import { type ExportedFiles, exportFiles, type LeftOut } from "./export-files.ts";

/** The local date as YYYY-MM-DD, which is how Swedish writes it. */
const today = () => new Intl.DateTimeFormat("sv").format(new Date());

function NotInZip({ leftOut }: { leftOut: readonly LeftOut[] }) {
  if (leftOut.length === 0) return null;
  return (
    <>
      <p class="problem">{t.exported.leftOut(leftOut.length)}</p>
      <ul class="plain">
        {leftOut.map(({ id, name, reason }) => (
          <li key={id}>
            <a href={at(`/jobs/${id}`)}>
              <bdi>{name}</bdi>
            </a>
            <p class="hint">{reason}</p>
          </li>
        ))}
      </ul>
    </>
  );
}

interface ExportManyProps {
  jobs: readonly JobItem[];
  onClose(): void;
}

export function ExportManyDialog({ jobs, onClose }: ExportManyProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const abort = useRef(new AbortController());
  const { choices, change } = useChoices(true);
  const done = useSignal(0);
  const outcome = useSignal<ExportedFiles | undefined>(undefined);
  const problem = useSignal("");
  const { isRunning, run } = useWork();
  useEffect(() => {
    dialog.current?.showModal();
    return () => abort.current.abort();
  }, []);
  const make = async () => {
    done.value = 0;
    outcome.value = undefined;
    problem.value = "";
    try {
      const made = await exportFiles(jobs, choices.value, abort.current.signal, (count) => {
        done.value = count;
      });
      if (made.zip) saveFile(new File([made.zip], `transcripts-${today()}.zip`, { type: made.zip.type }));
      outcome.value = made;
    } catch (error) {
      if (!abort.current.signal.aborted) problem.value = errorMessage(error);
    }
  };
  return (
    <dialog ref={dialog} class="option-dialog" aria-label={t.exported.several(jobs.length)} onClose={onClose}>
      <DialogHead of={dialog}>{t.exported.several(jobs.length)}</DialogHead>
      <p class="hint">{t.exported.oneEach}</p>
      <Choices
        choices={choices.value}
        change={(changed) => {
          outcome.value = undefined;
          change(changed);
        }}
      />
      <div class="row wrap">
        <button type="button" class="primary" disabled={isRunning.value} onClick={() => void run(make)}>
          {t.exported.downloadZip}
        </button>
      </div>
      {isRunning.value ? <Bar share={done.value / jobs.length} name={t.exported.progress} /> : null}
      <Problem text={problem.value} />
      <div role="status">
        {outcome.value?.zip ? <p>{t.exported.made(outcome.value.count)}</p> : null}
        <NotInZip leftOut={outcome.value?.leftOut ?? []} />
      </div>
    </dialog>
  );
}
