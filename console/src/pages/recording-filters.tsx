// The search of the list, and its other filters.
import type { JobItem } from "../shapes.ts";

export const STATE_NAMES: Record<JobItem["status"], string> = {
  queued: "Waiting",
  processing: "Transcribing",
  done: "Ready",
  error: "Failed",
};

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
            aria-label="Search"
            defaultValue={query["search"] ?? ""}
            placeholder="Words, names of recordings, speakers"
            title='Also "a phrase", one or other, -without'
          />
          <button type="submit">Search</button>
        </div>
        <details open={OTHERS.some((name) => query[name])}>
          <summary>More filters</summary>
          <div class="filters">
            <label>
              State
              <select name="status" defaultValue={query["status"] ?? ""}>
                <option value="">Any</option>
                {Object.entries(STATE_NAMES).map(([status, name]) => (
                  <option key={status} value={status}>
                    {name}
                  </option>
                ))}
                <option value="queued,processing">Not ready yet</option>
              </select>
            </label>
            <label>
              Kind
              <select name="kind" defaultValue={query["kind"] ?? ""}>
                <option value="">Any</option>
                <option value="pre-recorded">Recordings</option>
                <option value="live">Live sessions</option>
              </select>
            </label>
            <label>
              From
              <input type="date" name="after_date" defaultValue={query["after_date"] ?? ""} />
            </label>
            <label>
              Before
              <input type="date" name="before_date" defaultValue={query["before_date"] ?? ""} />
            </label>
            <label>
              Metadata
              <input type="text" name="metadata" defaultValue={query["metadata"] ?? ""} placeholder="key=value" />
            </label>
          </div>
        </details>
      </form>
    </search>
  );
}
