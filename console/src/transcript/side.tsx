// Tabs of the panels beside the transcript.
import { useSignal } from "@preact/signals";
import { attempt } from "../attempt.ts";
import { t } from "../language/language.ts";
import { requestOf } from "./add-ons.ts";
import { PANELS } from "./panels.tsx";
import type { TranscriptStore } from "./store.ts";

/** By panel, add-ons that are made from the text as it reads at that time. They do not follow corrections. */
const MADE_ONCE: Readonly<Record<string, readonly string[]>> = {
  chapters: ["chapterization"],
  summary: ["summarization"],
  entities: ["named_entity_recognition"],
  sentiment: ["sentiment_analysis"],
  translation: ["translation"],
  items: ["action_items", "questions"],
  others: ["moderation", "audio_to_llm", "structured_data_extraction", "display_mode"],
};

/** Says that a panel is older than the text, and makes its add-ons again. */
function Older({ store, panel }: { store: TranscriptStore; panel: string }) {
  const job = store.job.value;
  const older = (MADE_ONCE[panel] ?? []).filter((name) => job?.result?.[name] && store.isOlder(name));
  if (!job || older.length === 0) return null;
  return (
    <p class="hint older">
      {t.panels.older}{" "}
      <button
        type="button"
        disabled={store.addOns.open.value !== undefined}
        onClick={() => void attempt(() => store.addOns.request(requestOf(job, older)))}
      >
        {t.addOns.again}
      </button>
    </p>
  );
}

export function Panels({ store, onSeek }: { store: TranscriptStore; onSeek(seconds: number): void }) {
  const result = store.job.value?.result;
  const there = result ? PANELS.filter(({ isThere }) => isThere(result, store)) : [];
  const open = useSignal(there[0]?.name);
  const panel = there.find(({ name }) => name === open.value) ?? there[0];
  if (!panel) return null;
  return (
    <aside class="panels" aria-label={t.transcript.panels}>
      <div class="tabs" role="tablist">
        {there.map(({ name, title }) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`tab-${name}`}
            aria-selected={name === panel.name}
            aria-controls="panel"
            onClick={() => {
              open.value = name;
            }}
          >
            {title()}
          </button>
        ))}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard */}
      <div id="panel" class="panel" role="tabpanel" aria-labelledby={`tab-${panel.name}`} tabIndex={0}>
        <Older store={store} panel={panel.name} />
        <panel.Body store={store} onSeek={onSeek} />
      </div>
    </aside>
  );
}
