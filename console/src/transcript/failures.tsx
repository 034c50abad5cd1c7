// Parts of a result that failed: what is missing, why, and a button that makes the recording's transcript again.
import { useSignal } from "@preact/signals";
import { useLocation } from "preact-iso";
import { at } from "../address.ts";
import { errorMessage, send } from "../api.ts";
import { t } from "../language/language.ts";
import { said } from "../language/messages.ts";
import { notice } from "../parts/notices.tsx";
import { labelOf } from "../parts/option-names.ts";
import type { AddonResult, CreatedJob, Job, TranscriptionResult } from "../shapes.ts";
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

/** What the service adds to a request: fields that no request has. */
const ADDED = new Set(["account_words", "warnings"]);

/** The request without what calls other programs: they were called when the first result was ready. */
function requestAgain({ request_params }: Job): Record<string, unknown> | undefined {
  if (typeof request_params?.["audio_url"] !== "string") return undefined;
  const kept = Object.entries(request_params).filter(
    ([name, value]) => value !== null && !name.startsWith("callback") && !ADDED.has(name),
  );
  return Object.fromEntries(kept);
}

export function Failures({ store }: { store: TranscriptStore }) {
  const { route } = useLocation();
  const isSending = useSignal(false);
  const job = store.job.value;
  const failures = job?.result ? failuresOf(job.result) : [];
  if (!job || failures.length === 0) return null;
  const body = job.kind === "live" ? undefined : requestAgain(job);
  const again = async () => {
    isSending.value = true;
    try {
      const { id } = await send<CreatedJob>("POST", "/v2/pre-recorded", body);
      // The new recording exists: without its name, another request would make a second one.
      if (job.name) await send("PATCH", `/v2/transcription/${id}`, { name: job.name }).catch(() => undefined);
      route(at(`/jobs/${id}`));
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
      {body ? (
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
