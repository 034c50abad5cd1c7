// The language model that add-ons use.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { get, send } from "../api.ts";
import { attempt } from "../attempt.ts";
import type { FoundServers, SystemStatus } from "../shapes.ts";

export function LanguageModel({ system, onChange }: { system: SystemStatus | undefined; onChange(): Promise<void> }) {
  const servers = useSignal<FoundServers["items"] | undefined>(undefined);
  const look = () =>
    attempt(async () => {
      servers.value = (await get<FoundServers>("/v2/system/language-models")).items;
    });
  useEffect(() => {
    if (system?.is_operator) void look();
  }, [system?.is_operator]);
  const chosen = system?.language_model;
  return (
    <section class="card" aria-labelledby="language-model">
      <h2 id="language-model">Language model</h2>
      <p>
        Summaries, chapters and translations are better with one. It may run on this machine (Ollama, llama.cpp, vLLM,
        LM Studio); nothing leaves it then.
      </p>
      {chosen ? (
        <p class="row between">
          <span>
            In use: <strong>{chosen.model}</strong> <small class="break">{chosen.url}</small>
          </span>
          <button
            type="button"
            class="quiet"
            onClick={() =>
              attempt(async () => {
                await send("DELETE", "/v2/system/language-model");
                await onChange();
              }, "Add-ons use rules again")
            }
          >
            Use none
          </button>
        </p>
      ) : null}
      <ul class="plain">
        {(servers.value ?? []).flatMap(({ name, url, models }) =>
          models.map((model) => (
            <li key={`${url}${model}`} class="row between">
              <span>
                {name}: <strong>{model}</strong>
              </span>
              <button
                type="button"
                disabled={chosen?.url === url && chosen.model === model}
                onClick={() =>
                  attempt(async () => {
                    await send("PUT", "/v2/system/language-model", { url, model });
                    await onChange();
                  }, `Add-ons use ${model}`)
                }
              >
                Use it
              </button>
            </li>
          )),
        )}
      </ul>
      {servers.value?.length === 0 ? <p class="hint">None was found on this machine.</p> : null}
      {system?.is_operator ? (
        <button type="button" onClick={look}>
          Look again
        </button>
      ) : null}
    </section>
  );
}
