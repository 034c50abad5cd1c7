// Short status messages, announced by screen readers.
import { computed, signal } from "@preact/signals";
import { accountName, shownAccountName } from "../account.ts";
import { whenReachable } from "../api.ts";
import { t } from "../language/language.ts";

interface Notice {
  id: number;
  kind: "good" | "bad";
  text: string;
  /** Whether it says that the service does not answer. */
  isOfConnection: boolean;
  /** Name of the account that it is for; undefined for everybody. */
  account: string | undefined;
  about: About | undefined;
}

/** What a notice is about. */
interface About {
  /** A later notice with the same subject replaces it, and `endNotice` removes it. */
  subject?: string;
  /** The account that it is for; by default the one that is signed in. */
  account?: string | undefined;
  link?: { address: string; text: string };
}

const notices = signal<Notice[]>([]);
/** It may name a recording, a file or a person: the next account in this browser does not get it. */
const shown = computed(() =>
  notices.value.filter(({ account }) => account === undefined || account === shownAccountName.value),
);
const SHOWN_MILLISECONDS = 6_000;
let last = 0;

function dismiss(id: number): void {
  notices.value = notices.value.filter((notice) => notice.id !== id);
}

whenReachable(() => {
  notices.value = notices.value.filter(({ isOfConnection }) => !isOfConnection);
});

const isAbout = ({ about }: Notice, subject: string | undefined) => subject !== undefined && about?.subject === subject;

/** Its reason is gone. */
export function endNotice(subject: string): void {
  if (notices.peek().some((one) => isAbout(one, subject)))
    notices.value = notices.value.filter((one) => !isAbout(one, subject));
}

export function notice(text: string, kind: Notice["kind"] = "good", about?: About): void {
  const id = ++last;
  const isOfConnection = text === t.problems.noAnswer || text === t.problems.cutUpload;
  const others = notices.value.filter((one) => one.text !== text && !isAbout(one, about?.subject));
  const { account = accountName() } = about ?? {};
  notices.value = [...others.slice(-3), { id, kind, text, isOfConnection, account, about }];
  // Errors stay until they are dismissed, until their subject ends, or until the service answers again.
  if (kind === "good") setTimeout(() => dismiss(id), SHOWN_MILLISECONDS);
}

export function Notices() {
  return (
    <div class="notices" role="status" aria-live="polite">
      {shown.value.map(({ id, kind, text, about }) => (
        <div key={id} class={`notice ${kind}`}>
          <span>{text}</span>
          {about?.link ? <a href={about.link.address}>{about.link.text}</a> : null}
          <button type="button" class="quiet" aria-label={t.frame.dismiss} onClick={() => dismiss(id)}>
            ✕
          </button>
        </div>
      ))}
    </div>
  );
}
