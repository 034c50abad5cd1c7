// Short status messages, announced by screen readers.
import { signal } from "@preact/signals";
import { whenReachable } from "../api.ts";
import { t } from "../language/language.ts";

interface Notice {
  id: number;
  kind: "good" | "bad";
  text: string;
  /** Whether it says that the service does not answer. */
  isOfConnection: boolean;
}

const notices = signal<Notice[]>([]);
const SHOWN_MILLISECONDS = 6_000;
let last = 0;

function dismiss(id: number): void {
  notices.value = notices.value.filter((notice) => notice.id !== id);
}

whenReachable(() => {
  notices.value = notices.value.filter(({ isOfConnection }) => !isOfConnection);
});

export function notice(text: string, kind: Notice["kind"] = "good"): void {
  const id = ++last;
  const isOfConnection = text === t.problems.noAnswer || text === t.problems.cutUpload;
  const others = notices.value.filter((one) => one.text !== text);
  notices.value = [...others.slice(-3), { id, kind, text, isOfConnection }];
  // Errors stay until they are dismissed, or until the service answers again.
  if (kind === "good") setTimeout(() => dismiss(id), SHOWN_MILLISECONDS);
}

export function Notices() {
  return (
    <div class="notices" role="status" aria-live="polite">
      {notices.value.map(({ id, kind, text }) => (
        <div key={id} class={`notice ${kind}`}>
          <span>{text}</span>
          <button type="button" class="quiet" aria-label={t.frame.dismiss} onClick={() => dismiss(id)}>
            ✕
          </button>
        </div>
      ))}
    </div>
  );
}
