// The callback signing secret and the latest deliveries.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { get, send } from "../api.ts";
import { attempt } from "../attempt.ts";
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
      <h2 id="callbacks">Callbacks</h2>
      <p>They are signed according to the Standard Webhooks specification.</p>
      <div class="row wrap">
        <button
          type="button"
          onClick={() =>
            attempt(async () => {
              secret.value = (await get<CallbackSecret>("/v2/account/callback-secret")).secret;
            })
          }
        >
          Show the secret
        </button>
        <button
          type="button"
          onClick={() => {
            if (!confirm("Create a new secret? Callbacks carry both signatures until the old one is retired.")) return;
            void attempt(async () => {
              secret.value = (await send<CallbackSecret>("POST", "/v2/account/callback-secret")).secret;
            });
          }}
        >
          New secret
        </button>
        <button
          type="button"
          class="quiet"
          onClick={() => {
            if (!confirm("Retire the previous secret? Callbacks are then signed with the current one only.")) return;
            void attempt(() => send("DELETE", "/v2/account/callback-secret/previous"), "Retired");
          }}
        >
          Retire the previous secret
        </button>
      </div>
      {secret.value ? (
        <p class="row made">
          <code class="break">{secret.value}</code>
          <button type="button" onClick={() => copy(secret.value)}>
            Copy
          </button>
        </p>
      ) : null}
      <h3>Recent callbacks</h3>
      <DeliveryList
        deliveries={deliveries.value}
        onReplay={(id, { job_id }) =>
          attempt(async () => {
            await send("POST", `/v2/transcription/${job_id}/deliveries/${id}/replay`);
            await load();
          }, "The callback is sent again")
        }
      />
    </section>
  );
}
