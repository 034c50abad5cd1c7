// Tabs of the panels beside the transcript.
import { useSignal } from "@preact/signals";
import { t } from "../language/language.ts";
import { PANELS } from "./panels.tsx";
import type { TranscriptStore } from "./store.ts";

/** Made from the recognised text: they do not follow corrections. */
const MADE_ONCE = new Set(["chapters", "summary", "entities", "sentiment", "translation", "items", "others"]);

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
        {MADE_ONCE.has(panel.name) && store.isCorrectedSince.value ? <p class="hint older">{t.panels.older}</p> : null}
        <panel.Body store={store} onSeek={onSeek} />
      </div>
    </aside>
  );
}
