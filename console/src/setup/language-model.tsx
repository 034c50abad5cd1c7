// The language model that add-ons use.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { get, send } from "../api.ts";
import { attempt } from "../attempt.ts";
import { t } from "../language/language.ts";
import { Rich } from "../language/rich.tsx";
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
      <h2 id="language-model">{t.setup.languageModel}</h2>
      <p>{t.setup.languageModelHint}</p>
      {chosen ? (
        <p class="row between">
          <span>
            <Rich
              text={t.setup.modelInUse}
              parts={[
                () => (
                  <strong>
                    <bdi>{chosen.model}</bdi>
                  </strong>
                ),
                () => (
                  <small class="break">
                    <bdi>{chosen.url}</bdi>
                  </small>
                ),
              ]}
            />
          </span>
          <button
            type="button"
            class="quiet"
            onClick={() =>
              attempt(async () => {
                await send("DELETE", "/v2/system/language-model");
                await onChange();
              }, t.setup.rulesAgain)
            }
          >
            {t.setup.useNone}
          </button>
        </p>
      ) : null}
      <ul class="plain">
        {(servers.value ?? []).flatMap(({ name, url, models }) =>
          models.map((model) => (
            <li key={`${url}${model}`} class="row between">
              <span>
                <bdi>{name}</bdi>: <strong dir="ltr">{model}</strong>
              </span>
              <button
                type="button"
                disabled={chosen?.url === url && chosen.model === model}
                onClick={() =>
                  attempt(async () => {
                    await send("PUT", "/v2/system/language-model", { url, model });
                    await onChange();
                  }, t.setup.modelUsed(model))
                }
              >
                {t.setup.useModel}
              </button>
            </li>
          )),
        )}
      </ul>
      {servers.value?.length === 0 ? <p class="hint">{t.setup.noModelFound}</p> : null}
      {system?.is_operator ? (
        <button type="button" onClick={look}>
          {t.setup.lookAgain}
        </button>
      ) : null}
    </section>
  );
}
