// Account and service: keys, callbacks, models, load.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { at, base } from "../address.ts";
import { get } from "../api.ts";
import { useEvery } from "../every.ts";
import { Busy } from "../setup/busy.tsx";
import { Callbacks } from "../setup/callbacks.tsx";
import { Keys } from "../setup/keys.tsx";
import { LanguageModel } from "../setup/language-model.tsx";
import { Models } from "../setup/models.tsx";
import { Vocabulary } from "../setup/vocabulary.tsx";
import type { SystemStatus } from "../shapes.ts";
import { useTitle } from "../use-title.ts";

const POLL_MILLISECONDS = 2_000;
const status = { current: undefined as SystemStatus | undefined };

export function Setup() {
  useTitle("Setup");
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
      <h1>Setup</h1>
      <Busy system={system.value} />
      <Keys />
      <Models isOperator={system.value?.is_operator === true} />
      <LanguageModel system={system.value} onChange={load} />
      <Vocabulary />
      <Callbacks />
      <section class="card">
        <h2>For programs</h2>
        <p>
          The interface is described at <a href={at("/docs/api")}>{at("/docs/api")}</a>, as documents at{" "}
          <a href={at("/openapi.json")}>{at("/openapi.json")}</a> and{" "}
          <a href={at("/asyncapi.json")}>{at("/asyncapi.json")}</a>. Clients of OpenAI's audio interface use{" "}
          <code>{base}/v1</code>.
        </p>
      </section>
    </div>
  );
}
