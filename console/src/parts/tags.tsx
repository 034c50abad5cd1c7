// The tags of a recording: each leads to the list of those that have it. Typed text is kept in the browser until the service has it.
import { useSignal } from "@preact/signals";
import { useEffect, useId, useRef } from "preact/hooks";
import { MOST_TAG_CHARACTERS } from "../../../src/contract/bounds.ts";
import { tagKey } from "../../../src/contract/tag-text.ts";
import { at } from "../address.ts";
import { errorMessage, send } from "../api.ts";
import { jobName } from "../job-name.ts";
import { t } from "../language/language.ts";
import type { JobItem } from "../shapes.ts";
import { useTyped } from "../typed-text.ts";
import { accountTags, loadAccountTags } from "./account-tags.ts";
import { itemsOf } from "./lines.ts";
import { notice } from "./notices.tsx";
import { useChanges } from "./use-work.ts";

interface TagsProps {
  job: Pick<JobItem, "id" | "name" | "tags" | "file" | "kind" | "created_at">;
  onChanged(): Promise<void>;
  /** Address of the list of recordings with a tag; by default the whole list. */
  hrefOf?(tag: string): string;
}

const listWith = (tag: string) => at(`/jobs?${new URLSearchParams({ tag })}`);

export function Tags({ job, onChanged, hrefOf = listWith }: TagsProps) {
  const typed = useTyped({ field: "tag", job: job.id });
  const isOpen = useSignal(typed.value !== "");
  const button = useRef<HTMLButtonElement>(null);
  const close = () => {
    typed.value = "";
    isOpen.value = false;
    // The button is there after the next rendering.
    queueMicrotask(() => button.current?.focus());
  };
  if (isOpen.value) return <TagEditor job={job} onChanged={onChanged} typed={typed} onClose={close} />;
  // The name begins with what is shown, for people who speak to their computer.
  const name = `${t.tags.short} · ${jobName(job)}`;
  return (
    <div class="chosen">
      {job.tags.map((tag) => (
        <a key={tag} class="chip button" href={hrefOf(tag)} title={t.tags.only(tag)}>
          <bdi>{tag}</bdi>
        </a>
      ))}
      <button
        ref={button}
        type="button"
        class="chip quiet"
        aria-label={name}
        title={name}
        onClick={() => {
          isOpen.value = true;
        }}
      >
        {t.tags.short}
      </button>
    </div>
  );
}

interface TagEditorProps extends Pick<TagsProps, "job" | "onChanged"> {
  typed: ReturnType<typeof useTyped>;
  onClose(): void;
}

function TagEditor({ job, onChanged, typed, onClose }: TagEditorProps) {
  const list = useId();
  const field = useRef<HTMLInputElement>(null);
  const run = useChanges();
  useEffect(() => {
    void loadAccountTags();
    field.current?.focus();
  }, []);
  const change = (body: { add_tags: string[] } | { remove_tags: string[] }, onSent?: () => void) =>
    void run(async () => {
      try {
        await send("PATCH", `/v2/transcription/${job.id}`, body);
        onSent?.();
        await onChanged();
      } catch (error) {
        notice(errorMessage(error), "bad");
      }
    });
  const add = () => {
    const { value: text } = typed;
    const added = itemsOf(text);
    if (added.length === 0) return;
    change({ add_tags: added }, () => {
      // Text that was typed meanwhile stays.
      if (typed.value === text) typed.value = "";
    });
  };
  const own = new Set(job.tags.map(tagKey));
  return (
    <form
      class="chosen"
      onSubmit={(event) => {
        event.preventDefault();
        add();
      }}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === "Escape" && !event.isComposing) onClose();
      }}
    >
      {job.tags.map((tag) => (
        <button
          key={tag}
          type="button"
          class="chip"
          aria-label={t.form.remove(tag)}
          onClick={() => change({ remove_tags: [tag] })}
        >
          <bdi>{tag}</bdi> <span aria-hidden="true">✕</span>
        </button>
      ))}
      <input
        ref={field}
        class="tag-field"
        type="text"
        list={list}
        dir="auto"
        autoComplete="off"
        enterkeyhint="done"
        aria-label={t.tags.field}
        placeholder={t.tags.field}
        maxLength={MOST_TAG_CHARACTERS}
        value={typed.value}
        onInput={({ currentTarget }) => {
          typed.value = currentTarget.value;
        }}
      />
      <datalist id={list}>
        {accountTags.value
          .filter((tag) => !own.has(tagKey(tag)))
          .map((tag) => (
            <option key={tag} value={tag} />
          ))}
      </datalist>
      <button type="submit" class="chip">
        {t.form.add}
      </button>
      <button type="button" class="chip quiet" onClick={onClose}>
        {t.frame.close}
      </button>
    </form>
  );
}
