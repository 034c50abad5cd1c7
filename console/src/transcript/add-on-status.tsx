// What is being added to the transcript, how far it is, and why it failed.
import { attempt } from "../attempt.ts";
import { useEvery } from "../every.ts";
import { formats, t } from "../language/language.ts";
import { said } from "../language/messages.ts";
import { Bar } from "../parts/bar.tsx";
import { labelOf } from "../parts/option-names.ts";
import { progressText } from "../progress-text.ts";
import type { LaterAddOns } from "../shapes.ts";
import { restOf } from "./add-ons.ts";
import type { TranscriptStore } from "./store.ts";

const POLL_MILLISECONDS = 1_000;

const namesOf = ({ add_ons }: LaterAddOns) => formats.list(add_ons.map(labelOf));

function Running({ store, open }: { store: TranscriptStore; open: LaterAddOns }) {
  useEvery(POLL_MILLISECONDS, () => store.addOns.load().catch(() => undefined));
  const { status, stage, share } = open;
  const now =
    status === "queued"
      ? t.addOns.waiting
      : progressText({ waits_for: null, queue_position: null, stage, share, fetch: null, estimated_seconds: null });
  return (
    <>
      <p>{t.addOns.adding(namesOf(open), now)}</p>
      <Bar share={share} name={t.addOns.progress} />
    </>
  );
}

export function AddOnStatus({ store }: { store: TranscriptStore }) {
  const { addOns } = store;
  const { value: open } = addOns.open;
  const { value: failed } = addOns.failed;
  return (
    <div role="status" aria-label={t.addOns.progress}>
      {open ? (
        <section class="card">
          <Running store={store} open={open} />
        </section>
      ) : failed ? (
        <section class="card failures">
          <p class="problem">
            <bdi>{said(failed.error_message ?? "")}</bdi>
          </p>
          <div class="row wrap">
            <button
              type="button"
              onClick={() => void attempt(() => addOns.request(restOf(failed, store.job.peek()?.result ?? null)))}
            >
              {t.tasks.again}
            </button>
            <button type="button" class="quiet" onClick={() => addOns.dismiss(failed.id)}>
              {t.frame.close}
            </button>
          </div>
        </section>
      ) : null}
    </div>
  );
}
