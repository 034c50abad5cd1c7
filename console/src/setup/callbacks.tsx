// The callback signing secret and the latest deliveries.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { get, send } from "../api.ts";
import { attempt } from "../attempt.ts";
import { t } from "../language/language.ts";
import { copy } from "../parts/copy.ts";
import { DeliveryList } from "../parts/deliveries.tsx";
import type { AccountDeliveries, AccountDelivery, CallbackSecret } from "../shapes.ts";

export function Callbacks() {
  const secret = useSignal("");
  const deliveries = useSignal<AccountDelivery[]>([]);
  const load = async () => {
    deliveries.value = (await get<AccountDeliveries>("/v2/account/deliveries?limit=20")).items;
  };
  useEffect(() => {
    void attempt(load);
  }, []);
  return (
    <section class="card" aria-labelledby="callbacks">
      <h2 id="callbacks">{t.setup.callbacks}</h2>
      <p>{t.setup.callbacksHint}</p>
      <div class="row wrap">
        <button
          type="button"
          onClick={() =>
            attempt(async () => {
              secret.value = (await get<CallbackSecret>("/v2/account/callback-secret")).secret;
            })
          }
        >
          {t.setup.showSecret}
        </button>
        <button
          type="button"
          onClick={() => {
            if (!confirm(t.setup.newSecretQuestion)) return;
            void attempt(async () => {
              secret.value = (await send<CallbackSecret>("POST", "/v2/account/callback-secret")).secret;
            });
          }}
        >
          {t.setup.newSecret}
        </button>
        <button
          type="button"
          class="quiet"
          onClick={() => {
            if (!confirm(t.setup.retireQuestion)) return;
            void attempt(() => send("DELETE", "/v2/account/callback-secret/previous"), t.setup.retired);
          }}
        >
          {t.setup.retireSecret}
        </button>
      </div>
      {secret.value ? (
        <p class="row made">
          <code class="break">{secret.value}</code>
          <button type="button" onClick={() => copy(secret.value)}>
            {t.frame.copy}
          </button>
        </p>
      ) : null}
      <h3>{t.setup.recentCallbacks}</h3>
      <DeliveryList
        deliveries={deliveries.value}
        onReplay={(id, { job_id }) =>
          attempt(async () => {
            await send("POST", `/v2/transcription/${job_id}/deliveries/${id}/replay`);
            await load();
          }, t.setup.sentAgain)
        }
      />
    </section>
  );
}
