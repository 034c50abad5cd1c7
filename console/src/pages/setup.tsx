// What belongs to the account and to the service: keys, callbacks, models, how busy it is.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { account } from "../account.ts";
import { get, send, told } from "../api.ts";
import { copy } from "../copy.ts";
import { useEvery } from "../every.ts";
import { Bar } from "../parts/bar.tsx";
import { DeliveryList } from "../parts/deliveries.tsx";
import { notice } from "../parts/notices.tsx";
import { labelOf } from "../parts/schema-form.tsx";
import type { Delivery, SpeechModel, SystemStatus } from "../shapes.ts";
import { bytes, moment } from "../time.ts";

const LOOK_MILLISECONDS = 2_000;
const status = { current: undefined as SystemStatus | undefined };

/** Does it, and tells what went wrong. */
async function attempt(work: () => Promise<unknown>, said?: string): Promise<void> {
  try {
    await work();
    if (said) notice(said);
  } catch (error) {
    notice(told(error), "bad");
  }
}

export function Setup() {
  const system = useSignal<SystemStatus | undefined>(status.current);
  const load = async () => {
    system.value = await get<SystemStatus>("/v2/system").catch(() => system.value);
    status.current = system.value;
  };
  useEffect(() => {
    void load();
  }, []);
  useEvery(LOOK_MILLISECONDS, load);
  return (
    <div class="page setup">
      <h1>Setup</h1>
      <Busy system={system.value} />
      <Keys />
      <Models isOperator={system.value?.is_operator === true} />
      <LanguageModel system={system.value} onChange={load} />
      <Callbacks />
      <section class="card">
        <h2>For programs</h2>
        <p>
          The interface is described at <a href="/docs/api">/docs/api</a>, as documents at{" "}
          <a href="/openapi.json">/openapi.json</a> and <a href="/asyncapi.json">/asyncapi.json</a>. Clients of OpenAI's
          audio interface use <code>{location.origin}/v1</code>.
        </p>
      </section>
    </div>
  );
}

function Busy({ system }: { system: SystemStatus | undefined }) {
  const state = account.value;
  const limits = state.kind === "in" ? Object.entries(state.account.limits) : [];
  return (
    <section class="card" aria-labelledby="busy">
      <h2 id="busy">This service</h2>
      {system ? (
        <dl class="facts">
          <div>
            <dt>State</dt>
            <dd>{system.ready ? "Ready" : "Loading its models"}</dd>
          </div>
          <div>
            <dt>Version</dt>
            <dd>{system.version}</dd>
          </div>
          <div>
            <dt>Jobs</dt>
            <dd>
              {system.jobs.processing} worked on, {system.jobs.queued} waiting
            </dd>
          </div>
          <div>
            <dt>Live sessions</dt>
            <dd>{system.load.live_sessions}</dd>
          </div>
          <div>
            <dt>Live finals wait</dt>
            <dd>{Math.round(system.load.final_delay * 1000)} ms</dd>
          </div>
          <div>
            <dt>Processor</dt>
            <dd>
              {Math.round(system.load.processor * 100)} % of {system.cores} cores
            </dd>
          </div>
          <div>
            <dt>Memory free</dt>
            <dd>{bytes(system.load.memory_free)}</dd>
          </div>
          <div>
            <dt>Recognisers</dt>
            <dd>
              {system.recognizers}, {system.model}
            </dd>
          </div>
        </dl>
      ) : (
        <p class="hint">Loading…</p>
      )}
      <h3>Limits of the account {state.kind === "in" ? state.account.name : ""}</h3>
      <dl class="facts">
        {limits.map(([name, value]) => (
          <div key={name}>
            <dt>{labelOf(name)}</dt>
            <dd>{value === 0 ? "none" : name.endsWith("bytes") ? bytes(value) : value.toLocaleString()}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

interface Key {
  id: string;
  name: string;
  created_at: string;
}

function Keys() {
  const keys = useSignal<Key[]>([]);
  const made = useSignal("");
  const name = useSignal("");
  const load = async () => {
    keys.value = (await get<{ items: Key[] }>("/v2/account/keys")).items;
  };
  useEffect(() => {
    void attempt(load);
  }, []);
  return (
    <section class="card" aria-labelledby="keys">
      <h2 id="keys">Keys</h2>
      <ul class="plain">
        {keys.value.map((key) => (
          <li key={key.id} class="row between">
            <span>
              {key.name || "Without a name"} <small>{moment(key.created_at)}</small>
            </span>
            <button
              type="button"
              class="quiet"
              onClick={() => {
                if (!confirm(`Revoke the key ${key.name}? Programs that use it are refused from now on.`)) return;
                void attempt(async () => {
                  await send("DELETE", `/v2/account/keys/${key.id}`);
                  await load();
                }, "Revoked");
              }}
            >
              Revoke
            </button>
          </li>
        ))}
      </ul>
      <form
        class="row"
        onSubmit={(event) => {
          event.preventDefault();
          void attempt(async () => {
            made.value = (await send<{ key: string }>("POST", "/v2/account/keys", { name: name.value })).key;
            name.value = "";
            await load();
          });
        }}
      >
        <label class="grow">
          <span class="unseen">Name of a new key</span>
          <input
            type="text"
            required
            maxLength={100}
            placeholder="Name of a new key"
            value={name.value}
            onInput={({ currentTarget }) => {
              name.value = currentTarget.value;
            }}
          />
        </label>
        <button type="submit">Make a key</button>
      </form>
      {made.value ? (
        <p class="row made" role="status">
          <code class="break">{made.value}</code>
          <button type="button" onClick={() => copy(made.value)}>
            Copy
          </button>
          <span class="hint">It is shown this once.</span>
        </p>
      ) : null}
    </section>
  );
}

function Models({ isOperator }: { isOperator: boolean }) {
  const models = useSignal<SpeechModel[]>([]);
  const load = async () => {
    models.value = (await get<{ items: SpeechModel[] }>("/v2/models")).items;
  };
  useEffect(() => {
    void attempt(load);
  }, []);
  useEvery(LOOK_MILLISECONDS, () => load().catch(() => undefined));
  return (
    <section class="card" aria-labelledby="models">
      <h2 id="models">Speech models</h2>
      <ul class="plain models">
        {models.value.map((model) => (
          <li key={model.id} class="row between wrap">
            <span>
              <strong>{model.id}</strong>{" "}
              <small>
                {model.languages === 1 ? (model.codes[0] ?? "one language") : `${model.languages} languages`}
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

interface Server {
  name: string;
  url: string;
  models: string[];
}

function LanguageModel({ system, onChange }: { system: SystemStatus | undefined; onChange(): Promise<void> }) {
  const servers = useSignal<Server[] | undefined>(undefined);
  const look = () =>
    attempt(async () => {
      servers.value = (await get<{ items: Server[] }>("/v2/system/language-models")).items;
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
              }, "Add-ons go by rules again")
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

function Callbacks() {
  const secret = useSignal("");
  const deliveries = useSignal<Delivery[]>([]);
  const load = async () => {
    deliveries.value = (await get<{ items: Delivery[] }>("/v2/account/deliveries?limit=20")).items;
  };
  useEffect(() => {
    void attempt(load);
  }, []);
  return (
    <section class="card" aria-labelledby="callbacks">
      <h2 id="callbacks">Callbacks</h2>
      <p>They are signed as the Standard Webhooks specification says.</p>
      <div class="row wrap">
        <button
          type="button"
          onClick={() =>
            attempt(async () => {
              secret.value = (await get<{ secret: string }>("/v2/account/callback-secret")).secret;
            })
          }
        >
          Show the secret
        </button>
        <button
          type="button"
          onClick={() => {
            if (!confirm("Make a new secret? Callbacks carry both signatures until the old one is retired.")) return;
            void attempt(async () => {
              secret.value = (await send<{ secret: string }>("POST", "/v2/account/callback-secret")).secret;
            });
          }}
        >
          New secret
        </button>
        <button
          type="button"
          class="quiet"
          onClick={() => {
            if (!confirm("Retire the secret before? Only the current one signs from now on.")) return;
            void attempt(() => send("DELETE", "/v2/account/callback-secret/previous"), "Retired");
          }}
        >
          Retire the one before
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
      <h3>The last ones</h3>
      <DeliveryList
        deliveries={deliveries.value}
        onReplay={(id, { job_id }) =>
          attempt(async () => {
            await send("POST", `/v2/transcription/${job_id}/deliveries/${id}/replay`);
            await load();
          }, "It is sent again")
        }
      />
    </section>
  );
}
