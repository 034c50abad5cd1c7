// Parts of a result that failed: what is missing, why, and a button that makes it again, or the recording's transcript.
import { useSignal } from "@preact/signals";
import { useLocation } from "preact-iso";
import { at } from "../address.ts";
import { errorMessage } from "../api.ts";
import { attempt } from "../attempt.ts";
import { t } from "../language/language.ts";
import { said } from "../language/messages.ts";
import { notice } from "../parts/notices.tsx";
import { labelOf } from "../parts/option-names.ts";
import type { AddonResult, TranscriptionResult } from "../shapes.ts";
import { canBeMadeLater, requestOf } from "./add-ons.ts";
import { requestAgain } from "./run-again.ts";
import { sendAgain } from "./send-again.ts";
import type { TranscriptStore } from "./store.ts";

interface Failed {
  name: string;
  reason: string;
}

const isFailed = (value: unknown): value is AddonResult<unknown> =>
  typeof value === "object" && value !== null && (value as { success?: unknown }).success === false;

function failuresOf(result: TranscriptionResult): Failed[] {
  const parts = [
    ...Object.entries(result),
    ...(result.transcription.sentences ?? []).map((one) => ["sentences", one] as const),
  ];
  return parts.flatMap(([name, part]) => (isFailed(part) ? [{ name, reason: part.error?.message ?? "" }] : []));
}

export function Failures({ store }: { store: TranscriptStore }) {
  const { route } = useLocation();
  const isSending = useSignal(false);
  const job = store.job.value;
  const failures = job?.result ? failuresOf(job.result) : [];
  if (!job || failures.length === 0) return null;
  const names = failures.map(({ name }) => name);
  const added = names.every(canBeMadeLater) ? requestOf(job, names) : undefined;
  const body = requestAgain(job);
  const again = async () => {
    if (!body) return;
    isSending.value = true;
    try {
      route(at(`/jobs/${await sendAgain(job.name, body)}`));
    } catch (error) {
      notice(errorMessage(error), "bad");
    } finally {
      isSending.value = false;
    }
  };
  return (
    <section class="card failures" aria-label={t.transcript.missing}>
      <ul class="plain">
        {failures.map(({ name, reason }) => (
          <li key={name}>
            <strong>{t.transcript.partMissing(labelOf(name))}</strong> <bdi>{said(reason)}</bdi>
          </li>
        ))}
      </ul>
      {added ? (
        <div class="row wrap">
          <button
            type="button"
            disabled={store.addOns.open.value !== undefined}
            onClick={() => void attempt(() => store.addOns.request(added))}
          >
            {t.tasks.again}
          </button>
          <span class="hint">{t.addOns.hint}</span>
        </div>
      ) : body ? (
        <div class="row wrap">
          <button type="button" disabled={isSending.value} onClick={() => void again()}>
            {t.transcript.transcribeAgain}
          </button>
          <span class="hint">{t.transcript.againHint}</span>
        </div>
      ) : (
        <p class="hint">{t.transcript.wordsComplete}</p>
      )}
    </section>
  );
}
