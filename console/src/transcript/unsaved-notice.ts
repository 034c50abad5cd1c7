// The notice about a correction that is not saved when its transcript is left. It ends when the correction is saved or discarded.
import { at } from "../address.ts";
import { jobName } from "../job-name.ts";
import { t } from "../language/language.ts";
import { endNotice, notice } from "../parts/notices.tsx";
import type { TranscriptStore } from "./store.ts";

type Transcript = Pick<TranscriptStore, "id" | "account" | "job">;

const subjectOf = ({ id }: Transcript) => `unsaved/${id}`;

export function reportUnsaved(store: Transcript): void {
  const { value: job } = store.job;
  if (!job) return;
  const link = { address: at(`/jobs/${store.id}`), text: t.saving.openTranscript };
  const { account } = store;
  notice(t.saving.leftUnsaved(jobName(job)), "bad", { subject: subjectOf(store), account, link });
}

export const endUnsaved = (store: Transcript): void => endNotice(subjectOf(store));
