// The search of the list, and its other filters.

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { MOST_TAG_CHARACTERS } from "../../../src/contract/bounds.ts";
import { t } from "../language/language.ts";
import { accountTags, loadAccountTags } from "../parts/account-tags.ts";
import type { JobItem } from "../shapes.ts";

const STATES: readonly JobItem["status"][] = ["queued", "processing", "done", "error"];

/** Filters beside the search. That of a tag is also shown above the list. */
const HIDDEN = ["status", "kind", "after_date", "before_date", "metadata"];
const OTHERS = [...HIDDEN, "tag"];

interface FiltersProps {
  query: Record<string, string>;
  onChange(changes: Record<string, string>): void;
}

const valuesOf = (query: Record<string, string>): Record<string, string> =>
  Object.fromEntries(["search", ...OTHERS].map((name) => [name, query[name] ?? ""]));

/** Shown also where the other filters are not. */
function AppliedTag({ tag, onRemove }: { tag: string; onRemove(): void }) {
  if (tag === "") return null;
  return (
    <p class="row">
      {t.tags.tag}
      <button type="button" class="chip" aria-label={t.form.remove(tag)} onClick={onRemove}>
        <bdi>{tag}</bdi> <span aria-hidden="true">✕</span>
      </button>
    </p>
  );
}

export function Filters({ query, onChange }: FiltersProps) {
  const applied = valuesOf(query);
  const values = useSignal(applied);
  // The filters of the address have changed, such as by the browser's "Back".
  useEffect(() => {
    values.value = applied;
  }, [JSON.stringify(applied)]);
  const field = (name: string) => ({
    name,
    value: values.value[name] ?? "",
    onInput: ({ currentTarget }: { currentTarget: HTMLInputElement | HTMLSelectElement }) => {
      values.value = { ...values.value, [name]: currentTarget.value };
    },
  });
  return (
    <search>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const data = new FormData(event.currentTarget);
          onChange(Object.fromEntries([...data].map(([name, value]) => [name, String(value)])));
        }}
        onChange={(event) => {
          if (!(event.target instanceof HTMLInputElement && event.target.type === "search"))
            event.currentTarget.requestSubmit();
        }}
      >
        <div class="row search-row">
          <input
            type="search"
            {...field("search")}
            aria-label={t.recordings.search}
            placeholder={t.recordings.searchExample}
            title={t.recordings.searchHint}
          />
          <button type="submit">{t.recordings.search}</button>
        </div>
        <details
          open={HIDDEN.some((name) => query[name])}
          onToggle={({ currentTarget }) => {
            if (currentTarget.open) void loadAccountTags();
          }}
        >
          <summary>{t.recordings.moreFilters}</summary>
          <div class="filters">
            <label>
              {t.recordings.state}
              <select {...field("status")}>
                <option value="">{t.recordings.any}</option>
                {STATES.map((status) => (
                  <option key={status} value={status}>
                    {t.recordings.states[status]}
                  </option>
                ))}
                <option value="queued,processing">{t.recordings.notReady}</option>
              </select>
            </label>
            <label>
              {t.recordings.kind}
              <select {...field("kind")}>
                <option value="">{t.recordings.any}</option>
                <option value="pre-recorded">{t.recordings.ofFiles}</option>
                <option value="live">{t.recordings.ofSessions}</option>
              </select>
            </label>
            <label>
              {t.recordings.from}
              <input type="date" {...field("after_date")} />
            </label>
            <label>
              {t.recordings.before}
              <input type="date" {...field("before_date")} />
            </label>
            <label>
              {t.recordings.metadata}
              <input type="text" {...field("metadata")} placeholder={t.recordings.metadataExample} />
            </label>
            <label>
              {t.tags.tag}
              <input type="text" {...field("tag")} list="tags" maxLength={MOST_TAG_CHARACTERS} autoComplete="off" />
              <datalist id="tags">
                {accountTags.value.map((tag) => (
                  <option key={tag} value={tag} />
                ))}
              </datalist>
            </label>
          </div>
        </details>
        <AppliedTag tag={query["tag"] ?? ""} onRemove={() => onChange({ tag: "" })} />
      </form>
    </search>
  );
}
