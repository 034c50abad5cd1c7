// Account and service: keys, callbacks, models, load.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { at, base } from "../address.ts";
import { get } from "../api.ts";
import { useEvery } from "../every.ts";
import { t } from "../language/language.ts";
import { Rich } from "../language/rich.tsx";
import { Busy } from "../setup/busy.tsx";
import { Callbacks } from "../setup/callbacks.tsx";
import { Keys } from "../setup/keys.tsx";
import { LanguageModel } from "../setup/language-model.tsx";
import { Models } from "../setup/models.tsx";
import { Vocabulary } from "../setup/vocabulary.tsx";
import { VocabularyLists } from "../setup/vocabulary-lists.tsx";
import type { SystemStatus } from "../shapes.ts";
import { useTitle } from "../use-title.ts";

const POLL_MILLISECONDS = 2_000;
const status = { current: undefined as SystemStatus | undefined };

const Address = ({ path }: { path: string }) => (
  <a href={at(path)} dir="ltr">
    {at(path)}
  </a>
);

export function Setup() {
  useTitle(t.frame.setup);
  const system = useSignal<SystemStatus | undefined>(status.current);
  const load = async () => {
    system.value = await get<SystemStatus>("/v2/system").catch(() => system.value);
    status.current = system.value;
  };
  useEffect(() => {
    void load();
  }, []);
  useEvery(POLL_MILLISECONDS, load);
  return (
    <div class="page setup">
      <h1>{t.frame.setup}</h1>
      <Busy system={system.value} />
      <Keys />
      <Models isOperator={system.value?.is_operator === true} />
      <LanguageModel system={system.value} onChange={load} />
      <Vocabulary />
      <VocabularyLists />
      <Callbacks />
      <section class="card">
        <h2>{t.setup.programs}</h2>
        <p>
          <Rich
            text={t.setup.interface}
            parts={[
              () => <Address path="/docs/api" />,
              () => <Address path="/openapi.json" />,
              () => <Address path="/asyncapi.json" />,
              () => <code dir="ltr">{base}/v1</code>,
            ]}
          />
        </p>
      </section>
    </div>
  );
}
