// The last errors of the account's recordings and callbacks, and for the operator of models, each with what to do about it.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { at } from "../address.ts";
import { get } from "../api.ts";
import { attempt } from "../attempt.ts";
import { canJobSucceed } from "../can-succeed.ts";
import { useEvery } from "../every.ts";
import { jobName } from "../job-name.ts";
import { t } from "../language/language.ts";
import { said } from "../language/messages.ts";
import { Rich } from "../language/rich.tsx";
import { loadModels, models } from "../models.ts";
import type { AccountDeliveries, AccountDelivery, JobItem, JobPage } from "../shapes.ts";
import { moment } from "../time.ts";

const POLL_MILLISECONDS = 10_000;
const MOST_OF_A_KIND = 5;

interface Found {
  jobs: readonly JobItem[];
  deliveries: readonly AccountDelivery[];
}

async function findErrors(): Promise<Found> {
  const [{ items: jobs }, { items: deliveries }] = await Promise.all([
    get<JobPage>(`/v2/transcription?status=error&limit=${MOST_OF_A_KIND}`),
    get<AccountDeliveries>(`/v2/account/deliveries?status=failed&limit=${MOST_OF_A_KIND}`),
    loadModels(),
  ]);
  return { jobs, deliveries };
}

interface ErrorRowProps {
  name: string;
  /** Undefined for one that has no time. */
  time?: string | undefined;
  reason: string;
  /** What to do; <1>words</1> are the link. */
  remedy: string;
  link: string;
}

function ErrorRow({ name, time, reason, remedy, link }: ErrorRowProps) {
  return (
    <li>
      <strong>
        <bdi>{name}</bdi>
      </strong>{" "}
      {time ? <small>{moment(time)}</small> : null}
      {reason ? <p class="problem">{said(reason)}</p> : null}
      <p>
        <Rich text={remedy} parts={[(words) => <a href={at(link)}>{words}</a>]} />
      </p>
    </li>
  );
}

/** What the page of the recording offers: a live session is not transcribed again. */
function remedyOf(job: JobItem): string {
  if (!canJobSucceed(job)) return t.machine.useAnother;
  return job.kind === "live" ? t.machine.saveAudio : t.machine.transcribeAgain;
}

/** What the last attempt of a callback met. */
function reasonOf({ attempts }: AccountDelivery): string {
  const last = attempts.at(-1);
  if (!last) return "";
  return last.response_status === null ? last.detail : t.problems.answered(last.response_status);
}

/** @param isOperator  only the operator can fetch a model again */
export function LastErrors({ isOperator }: { isOperator: boolean }) {
  const found = useSignal<Found | undefined>(undefined);
  const load = async () => {
    found.value = await findErrors();
  };
  useEffect(() => {
    void attempt(load);
  }, []);
  useEvery(POLL_MILLISECONDS, () => load().catch(() => undefined));
  const { jobs = [], deliveries = [] } = found.value ?? {};
  const failed = (isOperator ? models.value : undefined)?.filter(({ failure }) => failure !== null) ?? [];
  const isEmpty = jobs.length + deliveries.length + failed.length === 0;
  return (
    <section class="card" aria-labelledby="errors">
      <h2 id="errors">{t.machine.errors}</h2>
      {found.value ? null : <p class="hint">{t.frame.loading}</p>}
      {found.value && isEmpty ? <p class="hint">{t.machine.noErrors}</p> : null}
      <ul class="plain">
        {failed.map(({ id, failure }) => (
          <ErrorRow key={id} name={id} reason={failure ?? ""} remedy={t.machine.fetchAgain} link="/setup/models" />
        ))}
        {jobs.map((job) => (
          <ErrorRow
            key={job.id}
            name={jobName(job)}
            time={job.completed_at ?? job.created_at}
            reason={job.error_message ?? ""}
            remedy={remedyOf(job)}
            link={`/jobs/${job.id}`}
          />
        ))}
        {deliveries.map((delivery) => (
          <ErrorRow
            key={delivery.id}
            name={delivery.url}
            time={delivery.ended_at ?? delivery.created_at}
            reason={reasonOf(delivery)}
            remedy={t.machine.sendAgain}
            link="/setup/account#callbacks"
          />
        ))}
      </ul>
    </section>
  );
}
