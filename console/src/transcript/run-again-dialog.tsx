// The dialog of another transcription of the same recording: the options of the first one, which can be changed.
import { useSignal } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { useLocation } from "preact-iso";
import type { AudioRange } from "../../../src/contract/pre-recorded.ts";
import { at } from "../address.ts";
import { errorMessage } from "../api.ts";
import { t } from "../language/language.ts";
import { bodySchema, documentHint, loadDocument } from "../openapi.ts";
import { Check } from "../parts/check.tsx";
import { DialogHead, Problem } from "../parts/dialog-parts.tsx";
import { notice } from "../parts/notices.tsx";
import { ResetButton } from "../parts/reset-button.tsx";
import { SchemaForm } from "../parts/schema-form.tsx";
import { useTypedValues } from "../parts/typed-values.ts";
import type { Job } from "../shapes.ts";
import { clock } from "../time.ts";
import { requestAgain } from "./run-again.ts";
import { sendAgain } from "./send-again.ts";

/** The recording is the same, and a sentence shows its part. */
const NOT_IN_FORM = ["audio_url", "audio_range"];

function partText({ start = 0, end }: AudioRange): string {
  return end === undefined ? t.runAgain.partFrom(clock(start)) : t.runAgain.part(clock(start), clock(end));
}

export function RunAgainDialog({ job, onClose }: { job: Job; onClose(): void }) {
  const { route } = useLocation();
  const dialog = useRef<HTMLDialogElement>(null);
  const { audio_url, ...first } = useMemo(() => requestAgain(job) ?? {}, []);
  const { audio_range } = first;
  const values = useTypedValues("again", job.id, first);
  const problem = useSignal("");
  const isSending = useSignal(false);
  useEffect(() => {
    dialog.current?.showModal();
    void loadDocument();
  }, []);
  const schema = bodySchema("post", "/v2/pre-recorded");
  const names = Object.keys(schema?.properties ?? {}).filter((name) => !NOT_IN_FORM.includes(name));
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    isSending.value = true;
    problem.value = "";
    try {
      const id = await sendAgain(job.name, { audio_url, ...values.value });
      values.sent();
      // The dialog was closed in the meantime.
      if (!dialog.current) return notice(t.runAgain.sent);
      dialog.current.close();
      route(at(`/jobs/${id}`));
    } catch (error) {
      problem.value = errorMessage(error);
      if (!dialog.current) notice(problem.value, "bad");
    } finally {
      isSending.value = false;
    }
  };
  return (
    <dialog ref={dialog} class="option-dialog" aria-label={t.runAgain.title} onClose={onClose}>
      <DialogHead of={dialog}>{t.runAgain.title}</DialogHead>
      {job.status === "done" ? <p class="hint">{t.runAgain.hint}</p> : null}
      <form onSubmit={(event) => void submit(event)}>
        {audio_range === undefined ? null : (
          <Check
            isOn={values.value["audio_range"] !== undefined}
            onChange={(isOn) => {
              const { audio_range: _, ...whole } = values.value;
              values.value = isOn ? { ...whole, audio_range } : whole;
            }}
          >
            {partText(audio_range as AudioRange)}
          </Check>
        )}
        {schema ? (
          <SchemaForm
            key={values.resets}
            schema={schema}
            values={values.value}
            names={names}
            onChange={(changed) => {
              values.value = changed ?? {};
            }}
          />
        ) : (
          <p class="hint">{documentHint.value}</p>
        )}
        <Problem text={problem.value} />
        <div class="row wrap dialog-end">
          <button type="submit" class="primary" disabled={isSending.value}>
            {t.frame.transcribe}
          </button>
          <ResetButton values={values} />
        </div>
      </form>
    </dialog>
  );
}
