// A recording that failed: the reason, another attempt, and the file, of which the service may have the only copy.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { useLocation } from "preact-iso";
import { at } from "../address.ts";
import { request } from "../api.ts";
import { attempt } from "../attempt.ts";
import { t } from "../language/language.ts";
import { said } from "../language/messages.ts";
import { useWork } from "../parts/use-work.ts";
import type { Job } from "../shapes.ts";
import { requestAfterFailure } from "../transcript/run-again.ts";
import { RunAgainDialog } from "../transcript/run-again-dialog.tsx";
import { sendAgain } from "../transcript/send-again.ts";

function StoredFile({ job }: { job: Job }) {
  const path = `/v2/transcription/${job.id}/file`;
  const isThere = useSignal(false);
  const isPlayable = useSignal(true);
  useEffect(() => {
    if (!job.file) return;
    request("HEAD", path).then(
      () => {
        isThere.value = true;
      },
      // An address that did not answer has no file.
      () => undefined,
    );
  }, [path]);
  if (!isThere.value) return null;
  return (
    <section class="card" aria-label={t.transcript.player}>
      {isPlayable.value ? (
        // biome-ignore lint/a11y/useMediaCaption: a recording that failed has no words
        <audio
          controls
          preload="metadata"
          src={at(path)}
          onError={() => {
            isPlayable.value = false;
          }}
        />
      ) : null}
      <p>
        <a class="button" href={at(path)} download={job.file?.filename ?? ""}>
          {t.tasks.save}
        </a>
      </p>
    </section>
  );
}

export function FailedRecording({ job }: { job: Job }) {
  const { route } = useLocation();
  const isChanging = useSignal(false);
  const { isRunning, run } = useWork();
  const body = requestAfterFailure(job);
  const again = async () => {
    if (body) route(at(`/jobs/${await sendAgain(job.name, body)}`));
  };
  return (
    <>
      <p class="problem" role="alert">
        {said(job.error_message ?? "")}
      </p>
      {body ? (
        <div class="row wrap">
          <button
            type="button"
            class="primary"
            disabled={isRunning.value}
            onClick={() => void attempt(() => run(again))}
          >
            {t.tasks.again}
          </button>
          <button
            type="button"
            aria-haspopup="dialog"
            onClick={() => {
              isChanging.value = true;
            }}
          >
            {t.transcript.again}
          </button>
        </div>
      ) : null}
      <StoredFile job={job} />
      {isChanging.value ? (
        <RunAgainDialog
          job={job}
          onClose={() => {
            isChanging.value = false;
          }}
        />
      ) : null}
    </>
  );
}
