// The search of the list, and its other filters.

import { t } from "../language/language.ts";
import type { JobItem } from "../shapes.ts";

const STATES: readonly JobItem["status"][] = ["queued", "processing", "done", "error"];

/** Filters beside the search. */
const OTHERS = ["status", "kind", "after_date", "before_date", "metadata"];

interface FiltersProps {
  query: Record<string, string>;
  onChange(changes: Record<string, string>): void;
}

export function Filters({ query, onChange }: FiltersProps) {
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
            name="search"
            aria-label={t.recordings.search}
            defaultValue={query["search"] ?? ""}
            placeholder={t.recordings.searchExample}
            title={t.recordings.searchHint}
          />
          <button type="submit">{t.recordings.search}</button>
        </div>
        <details open={OTHERS.some((name) => query[name])}>
          <summary>{t.recordings.moreFilters}</summary>
          <div class="filters">
            <label>
              {t.recordings.state}
              <select name="status" defaultValue={query["status"] ?? ""}>
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
              <select name="kind" defaultValue={query["kind"] ?? ""}>
                <option value="">{t.recordings.any}</option>
                <option value="pre-recorded">{t.recordings.ofFiles}</option>
                <option value="live">{t.recordings.ofSessions}</option>
              </select>
            </label>
            <label>
              {t.recordings.from}
              <input type="date" name="after_date" defaultValue={query["after_date"] ?? ""} />
            </label>
            <label>
              {t.recordings.before}
              <input type="date" name="before_date" defaultValue={query["before_date"] ?? ""} />
            </label>
            <label>
              {t.recordings.metadata}
              <input
                type="text"
                name="metadata"
                defaultValue={query["metadata"] ?? ""}
                placeholder={t.recordings.metadataExample}
              />
            </label>
          </div>
        </details>
      </form>
    </search>
  );
}
