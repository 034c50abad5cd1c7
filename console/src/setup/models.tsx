// Models: installed and available.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { get, send } from "../api.ts";
import { attempt } from "../attempt.ts";
import { useEvery } from "../every.ts";
import { formats, t } from "../language/language.ts";
import { said } from "../language/messages.ts";
import { languageName } from "../language-name.ts";
import { Bar } from "../parts/bar.tsx";
import type { SpeechModel, SpeechModels } from "../shapes.ts";

const POLL_MILLISECONDS = 2_000;

function spoken({ purpose, languages, codes }: SpeechModel): string {
  const [first = "", second = ""] = codes.map(languageName);
  if (purpose === "speakers") return t.setup.findsSpeakers;
  if (purpose === "turns") return t.setup.detectsTurns;
  if (purpose === "translation") return t.setup.direction(first, second);
  return languages === 1 ? first || t.setup.oneLanguage : t.setup.languageCount(languages);
}

function size({ bytes: count, built_in, installed }: SpeechModel): string {
  if (count) return installed ? formats.bytes(count) : t.setup.toFetch(formats.bytes(count));
  return built_in ? t.setup.builtIn : "";
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
        <strong dir="ltr">{model.id}</strong>{" "}
        <small>{formats.facts([spoken(model), size(model), model.licence])}</small>
        {model.note ? <small class="block">{model.note}</small> : null}
        {model.failure ? <small class="problem block">{said(model.failure)}</small> : null}
      </span>
      {model.fetching !== null ? <Bar share={model.fetching} name={t.setup.fetching(model.id)} /> : null}
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
          {t.setup.fetch}
        </button>
      ) : null}
      {isOperator && model.installed && !model.built_in ? (
        <button
          type="button"
          class="quiet"
          onClick={() => {
            if (!confirm(t.setup.removeQuestion(model.id))) return;
            void attempt(async () => {
              await send("DELETE", `/v2/models/${model.id}`);
              await load();
            }, t.setup.removed);
          }}
        >
          {t.setup.remove}
        </button>
      ) : null}
    </li>
  );
}

const GROUPS: readonly {
  name: "speechModels" | "languageModels" | "translationModels";
  purposes: readonly SpeechModel["purpose"][];
}[] = [
  { name: "speechModels", purposes: ["recognition", "speakers", "turns"] },
  { name: "languageModels", purposes: ["language-model"] },
  { name: "translationModels", purposes: ["translation"] },
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
      <h2 id="models">{t.setup.models}</h2>
      {GROUPS.map(({ name, purposes }) => {
        const own = models.value.filter(({ purpose }) => purposes.includes(purpose));
        const isShown = (model: SpeechModel) => model.installed || model.fetching !== null || model.failure !== null;
        // A hundred directions that can be fetched are folded.
        const shown = name === "translationModels" ? own.filter(isShown) : own;
        const folded = own.filter((model) => !shown.includes(model));
        const row = (model: SpeechModel) => (
          <ModelRow key={model.id} model={model} isOperator={isOperator} load={load} />
        );
        return (
          <section key={name} aria-label={t.setup[name]}>
            <h3>{t.setup[name]}</h3>
            <ul class="plain models">{shown.map(row)}</ul>
            {folded.length > 0 ? (
              <details>
                <summary>{t.setup.directions(folded.length)}</summary>
                <ul class="plain models">{folded.map(row)}</ul>
              </details>
            ) : null}
          </section>
        );
      })}
    </section>
  );
}
