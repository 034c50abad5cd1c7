// The name of a recording, changed in place. Typed text is kept in the browser until the service has it.
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { MOST_JOB_NAME_CHARACTERS } from "../../../src/contract/bounds.ts";
import { errorMessage, send } from "../api.ts";
import { jobName } from "../job-name.ts";
import { isNamedMeanwhile, keptName, type TypedName } from "../kept-name.ts";
import { t } from "../language/language.ts";
import type { JobItem } from "../shapes.ts";
import { notice } from "./notices.tsx";

interface RenameProps {
  job: Pick<JobItem, "id" | "name" | "file" | "kind" | "created_at">;
  onNamed(): Promise<void>;
  /** The name where it is not being edited. */
  children: ComponentChildren;
}

export function Rename({ job, onNamed, children }: RenameProps) {
  const shown = jobName(job);
  const kept = useMemo(() => keptName(job.id), [job.id]);
  const draft = useSignal<TypedName | undefined>(kept.read());
  const button = useRef<HTMLButtonElement>(null);
  const wasOpen = useRef(draft.value !== undefined);
  const isOpen = draft.value !== undefined;
  useEffect(() => {
    // A click elsewhere has moved the focus.
    if (wasOpen.current && !isOpen && document.activeElement === document.body) button.current?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);
  const close = () => {
    draft.value = undefined;
    kept.drop();
  };
  /** @param replaces  whether it may replace a name that another person gave since typing began */
  const save = async (replaces: boolean) => {
    const { value: typed } = draft;
    if (typed === undefined || (!replaces && isNamedMeanwhile(typed, job.name))) return;
    const { text } = typed;
    if (text.trim() === shown) return close();
    try {
      await send("PATCH", `/v2/transcription/${job.id}`, { name: text });
      await onNamed();
      if (draft.peek()?.text === text) close();
    } catch (error) {
      notice(errorMessage(error), "bad");
    }
  };
  if (!isOpen) {
    return (
      <span class="named">
        {children}
        <button
          ref={button}
          type="button"
          class="quiet rename"
          aria-label={t.names.rename(shown)}
          title={t.names.renameShort}
          onClick={() => {
            draft.value = { text: shown, before: job.name };
          }}
        >
          ✎
        </button>
      </span>
    );
  }
  return (
    <>
      <input
        class="rename-field"
        aria-label={t.names.field}
        dir="auto"
        maxLength={MOST_JOB_NAME_CHARACTERS}
        value={draft.value?.text ?? ""}
        ref={(input) => {
          if (input && document.activeElement !== input && wasOpen.current === false) input.select();
        }}
        onInput={({ currentTarget }) => {
          const typed = { before: job.name, ...draft.peek(), text: currentTarget.value };
          draft.value = typed;
          kept.keep(typed);
        }}
        onBlur={() => void save(false)}
        onKeyDown={(event) => {
          event.stopPropagation();
          // The key belongs to an input method, which composes a character.
          if (event.isComposing) return;
          if (event.key === "Enter") void save(true);
          if (event.key === "Escape") close();
        }}
      />
      {draft.value && isNamedMeanwhile(draft.value, job.name) ? (
        <span class="problem" role="alert">
          {t.names.namedMeanwhile(shown)}
        </span>
      ) : null}
    </>
  );
}
