// One notice about the files that fail while another page than Transcribe is shown: one for each would push all other notices out.
import { at } from "./address.ts";
import { t } from "./language/language.ts";
import { endNotice, notice } from "./parts/notices.tsx";
import type { Task } from "./task.ts";

const failed = new Set<Task>();

const subjectOf = (account: string | undefined) => `uploads/${account}`;

/** Names the file that failed; of several, their number. */
export function reportFailedUpload(task: Task, reason: string): void {
  const { account, name } = task;
  failed.add(task);
  const count = [...failed].filter((one) => one.account === account && one.state.peek().kind === "failed").length;
  const text = count > 1 ? t.tasks.failedMany(count) : t.tasks.failedName(name, reason);
  const link = { address: at("/"), text: t.frame.transcribe };
  notice(text, "bad", { subject: subjectOf(account), account, link });
}

/** The page Transcribe shows each reason in its list, and has the buttons for another attempt. */
export function endFailedUploads(account: string | undefined): void {
  for (const task of failed) if (task.account === account) failed.delete(task);
  endNotice(subjectOf(account));
}
