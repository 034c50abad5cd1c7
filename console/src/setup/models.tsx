// Models: installed and available.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { get, send } from "../api.ts";
import { attempt } from "../attempt.ts";
import { useEvery } from "../every.ts";
import { Bar } from "../parts/bar.tsx";
import type { SpeechModel, SpeechModels } from "../shapes.ts";
import { bytes } from "../time.ts";

const POLL_MILLISECONDS = 2_000;

function spoken({ purpose, languages, codes }: SpeechModel): string {
  if (purpose === "speakers") return "finds speakers";
  if (purpose === "turns") return "detects ends of turns";
  if (purpose === "translation") return codes.join(" to ");
  return languages === 1 ? (codes[0] ?? "one language") : `${languages} languages`;
}

function size({ bytes: count, built_in, installed }: SpeechModel): string {
  if (count) return `, ${bytes(count)}${installed ? "" : " to fetch"}`;
  return built_in ? ", comes with the service" : "";
}

interface ModelRowProps {
  model: SpeechModel;
  isOperator: boolean;
  load(): Promise<void>;
}

function ModelRow({ model, isOperator, load }: ModelRowProps) {
  return (
    <li class="row between wrap">
      <span>
        <strong>{model.id}</strong>{" "}
        <small>
          {spoken(model)}
          {size(model)}, {model.licence}
        </small>
        {model.note ? <small class="block">{model.note}</small> : null}
        {model.failure ? <small class="problem block">{model.failure}</small> : null}
      </span>
      {model.fetching !== null ? <Bar share={model.fetching} name={`Fetching ${model.id}`} /> : null}
      {isOperator && !model.installed && model.fetching === null ? (
        <button
          type="button"
          onClick={() =>
            attempt(async () => {
              await send("POST", "/v2/models", { id: model.id });
              await load();
            })
          }
        >
          Fetch
        </button>
      ) : null}
      {isOperator && model.installed && !model.built_in ? (
        <button
          type="button"
          class="quiet"
          onClick={() => {
            if (!confirm(`Remove ${model.id}?`)) return;
            void attempt(async () => {
              await send("DELETE", `/v2/models/${model.id}`);
              await load();
            }, "Removed");
          }}
        >
          Remove
        </button>
      ) : null}
    </li>
  );
}

const GROUPS: readonly { title: string; purposes: readonly SpeechModel["purpose"][] }[] = [
  { title: "Speech models", purposes: ["recognition", "speakers", "turns"] },
  { title: "Language models", purposes: ["language-model"] },
  { title: "Translation models", purposes: ["translation"] },
];

export function Models({ isOperator }: { isOperator: boolean }) {
  const models = useSignal<SpeechModel[]>([]);
  const load = async () => {
    models.value = (await get<SpeechModels>("/v2/models")).items;
  };
  useEffect(() => {
    void attempt(load);
  }, []);
  useEvery(POLL_MILLISECONDS, () => load().catch(() => undefined));
  return (
    <section class="card" aria-labelledby="models">
      <h2 id="models">Models</h2>
      {GROUPS.map(({ title, purposes }) => {
        const own = models.value.filter(({ purpose }) => purposes.includes(purpose));
        const isShown = (model: SpeechModel) => model.installed || model.fetching !== null || model.failure !== null;
        // A hundred directions that can be fetched are folded.
        const shown = title === "Translation models" ? own.filter(isShown) : own;
        const folded = own.filter((model) => !shown.includes(model));
        const row = (model: SpeechModel) => (
          <ModelRow key={model.id} model={model} isOperator={isOperator} load={load} />
        );
        return (
          <section key={title} aria-label={title}>
            <h3>{title}</h3>
            <ul class="plain models">{shown.map(row)}</ul>
            {folded.length > 0 ? (
              <details>
                <summary>{folded.length} directions that can be fetched</summary>
                <ul class="plain models">{folded.map(row)}</ul>
              </details>
            ) : null}
          </section>
        );
      })}
    </section>
  );
}
