// The name of a recording, changed in place. Typed text is kept in the browser until the service has it.
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { MOST_JOB_NAME_CHARACTERS } from "../../../src/contract/bounds.ts";
import { errorMessage, send } from "../api.ts";
import { jobName } from "../job-name.ts";
import { t } from "../language/language.ts";
import { forget, readChoice, storeChoice } from "../memory.ts";
import type { JobItem } from "../shapes.ts";
import { notice } from "./notices.tsx";

/** Name under which the browser stores the typed name of a job. */
export const draftName = (id: string) => `name.${id}`;

interface RenameProps {
  job: Pick<JobItem, "id" | "name" | "file" | "kind" | "created_at">;
  onNamed(): Promise<void>;
  /** The name where it is not being edited. */
  children: ComponentChildren;
}

export function Rename({ job, onNamed, children }: RenameProps) {
  const shown = jobName(job);
  const draft = useSignal(readChoice<string | undefined>(draftName(job.id), undefined));
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
    forget(draftName(job.id));
  };
  const save = async () => {
    const { value: typed } = draft;
    if (typed === undefined) return;
    if (typed.trim() === shown) return close();
    try {
      await send("PATCH", `/v2/transcription/${job.id}`, { name: typed });
      await onNamed();
      if (draft.peek() === typed) close();
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
            draft.value = shown;
          }}
        >
          ✎
        </button>
      </span>
    );
  }
  return (
    <input
      class="rename-field"
      aria-label={t.names.field}
      dir="auto"
      maxLength={MOST_JOB_NAME_CHARACTERS}
      value={draft.value}
      ref={(input) => {
        if (input && document.activeElement !== input && wasOpen.current === false) input.select();
      }}
      onInput={({ currentTarget }) => {
        draft.value = currentTarget.value;
        storeChoice(draftName(job.id), currentTarget.value);
      }}
      onBlur={() => void save()}
      onKeyDown={(event) => {
        event.stopPropagation();
        // The key belongs to an input method, which composes a character.
        if (event.isComposing) return;
        if (event.key === "Enter") void save();
        if (event.key === "Escape") close();
      }}
    />
  );
}
