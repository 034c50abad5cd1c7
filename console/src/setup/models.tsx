// Speech models: installed and available.
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
  return languages === 1 ? (codes[0] ?? "one language") : `${languages} languages`;
}

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
      <h2 id="models">Speech models</h2>
      <ul class="plain models">
        {models.value.map((model) => (
          <li key={model.id} class="row between wrap">
            <span>
              <strong>{model.id}</strong>{" "}
              <small>
                {spoken(model)}
                {model.bytes
                  ? `, ${bytes(model.bytes)}${model.installed ? "" : " to fetch"}`
                  : ", comes with the service"}
                , {model.licence}
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
        ))}
      </ul>
    </section>
  );
}
