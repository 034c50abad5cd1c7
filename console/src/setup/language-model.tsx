// A language model of another program on this machine, which add-ons use.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { get, send } from "../api.ts";
import { attempt } from "../attempt.ts";
import { t } from "../language/language.ts";
import { Rich } from "../language/rich.tsx";
import { useWork } from "../parts/use-work.ts";
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
  const selected = useSignal("");
  const { isRunning, run } = useWork();
  const chosen = system?.language_model;
  const offered = (servers.value ?? []).flatMap(({ name, url, models }) =>
    models
      .filter((model) => chosen?.url !== url || chosen.model !== model)
      .map((model) => ({ key: `${url} ${model}`, name, url, model })),
  );
  // The list may change while one is selected.
  const choice = offered.find(({ key }) => key === selected.value) ?? offered[0];
  return (
    <section class="card" aria-labelledby="language-model">
      <h3 id="language-model">{t.models.otherProgram}</h3>
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
      {offered.length > 0 ? (
        <form
          class="row wrap"
          onSubmit={(event) => {
            event.preventDefault();
            if (!choice) return;
            const { url, model } = choice;
            void run(() =>
              attempt(async () => {
                await send("PUT", "/v2/system/language-model", { url, model });
                await onChange();
              }, t.setup.modelUsed(model)),
            );
          }}
        >
          <select
            class="grow"
            aria-label={t.models.found}
            value={choice?.key}
            onChange={({ currentTarget }) => {
              selected.value = currentTarget.value;
            }}
          >
            {offered.map(({ key, name, model }) => (
              <option key={key} value={key} dir="ltr">
                {name}: {model}
              </option>
            ))}
          </select>
          <button type="submit" disabled={isRunning.value}>
            {t.setup.useModel}
          </button>
        </form>
      ) : null}
      {servers.value?.length === 0 ? <p class="hint">{t.setup.noModelFound}</p> : null}
      {system?.is_operator ? (
        <button type="button" onClick={look}>
          {t.setup.lookAgain}
        </button>
      ) : null}
    </section>
  );
}
