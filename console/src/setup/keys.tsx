// API keys of the account.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { get, send } from "../api.ts";
import { attempt } from "../attempt.ts";
import { t } from "../language/language.ts";
import { copy } from "../parts/copy.ts";
import { useWork } from "../parts/use-work.ts";
import type { Key, Keys as KeyList, MadeKey } from "../shapes.ts";
import { moment } from "../time.ts";
import { useTyped } from "../typed-text.ts";

export function Keys() {
  const keys = useSignal<Key[]>([]);
  const made = useSignal("");
  const name = useTyped({ field: "key" });
  const { isRunning, run } = useWork();
  const load = async () => {
    keys.value = (await get<KeyList>("/v2/account/keys")).items;
  };
  useEffect(() => {
    void attempt(load);
  }, []);
  return (
    <section class="card" aria-labelledby="keys">
      <h2 id="keys">{t.setup.keys}</h2>
      <ul class="plain">
        {keys.value.map((key) => (
          <li key={key.id} class="row between">
            <span>
              <bdi>{key.name || t.setup.unnamedKey}</bdi> <small>{moment(key.created_at)}</small>
            </span>
            <button
              type="button"
              class="quiet"
              onClick={() => {
                if (!confirm(t.setup.revokeQuestion(key.name))) return;
                void attempt(async () => {
                  await send("DELETE", `/v2/account/keys/${key.id}`);
                  await load();
                }, t.setup.revoked);
              }}
            >
              {t.setup.revoke}
            </button>
          </li>
        ))}
      </ul>
      <form
        class="row"
        onSubmit={(event) => {
          event.preventDefault();
          void run(() =>
            attempt(async () => {
              made.value = (await send<MadeKey>("POST", "/v2/account/keys", { name: name.value })).key;
              name.value = "";
              await load();
            }),
          );
        }}
      >
        <label class="grow">
          <span class="unseen">{t.setup.newKey}</span>
          <input
            type="text"
            required
            maxLength={100}
            placeholder={t.setup.newKey}
            value={name.value}
            onInput={({ currentTarget }) => {
              name.value = currentTarget.value;
            }}
          />
        </label>
        <button type="submit" disabled={isRunning.value}>
          {t.setup.makeKey}
        </button>
      </form>
      {made.value ? (
        <p class="row made" role="status">
          <code class="break">{made.value}</code>
          <button type="button" onClick={() => copy(made.value)}>
            {t.frame.copy}
          </button>
          <span class="hint">{t.setup.copyNow}</span>
        </p>
      ) : null}
    </section>
  );
}
