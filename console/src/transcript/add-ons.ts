// What is added to a finished transcript later: the requests, and which parts a request can make again.
import { computed, signal } from "@preact/signals";
import { TEXT_ADD_ONS } from "../../../src/contract/text-add-ons.ts";
import { get, send } from "../api.ts";
import type { Values } from "../parts/schema.ts";
import { runsInTurn } from "../runs-in-turn.ts";
import type { Job, LaterAddOns, LaterAddOnsList } from "../shapes.ts";

/** Whether an add-on needs the text alone. The service makes it again; others belong to the recognition. */
export const canBeMadeLater = (name: string): boolean => (TEXT_ADD_ONS as readonly string[]).includes(name);

const isOpen = ({ status }: LaterAddOns) => status === "queued" || status === "processing";

/** Languages of a translation that is there. */
function translatedInto({ result }: Pick<Job, "result">): string[] {
  const { results } = (result?.["translation"] ?? {}) as { results?: { languages: string[] }[] | null };
  return (results ?? []).flatMap(({ languages }) => languages);
}

/** The request that makes parts of a result again, as they were requested before. Pure. */
export function requestOf(job: Pick<Job, "request_params" | "result">, names: readonly string[]): Values {
  const { post_processing, realtime_processing, ...own } = (job.request_params ?? {}) as Values;
  const params: Values = { ...(realtime_processing as Values), ...(post_processing as Values), ...own };
  const body: Values = {};
  for (const name of names.filter(canBeMadeLater)) {
    body[name] = true;
    const config = params[`${name}_config`];
    if (config !== undefined && config !== null) body[`${name}_config`] = config;
  }
  const languages = translatedInto(job);
  if (body["translation"] && languages.length > 0)
    body["translation_config"] = { ...(body["translation_config"] as Values), target_languages: languages };
  return body;
}

/** The request for what a request that failed did not make. Pure. */
export function restOf({ add_ons, created_at, request_params }: LaterAddOns, result: Job["result"]): Values {
  const times = result?.metadata.added_at ?? {};
  const made = add_ons.filter((name) => Date.parse(times[name] ?? "") >= Date.parse(created_at));
  if (made.length === add_ons.length) return request_params as Values;
  const gone = made.flatMap((name) => [name, `${name}_config`]);
  if (made.includes("diarization")) gone.push("replace_speakers");
  return Object.fromEntries(Object.entries(request_params).filter(([field]) => !gone.includes(field)));
}

/** @param reload  called when the result has changed */
export function addOnStore(path: string, reload: () => Promise<unknown>) {
  const requests = signal<LaterAddOns[]>([]);
  const dismissed = signal<string | undefined>(undefined);
  /** The last request that has ended; null before the first answer. */
  let lastEnded: string | undefined | null = null;
  const load = runsInTurn(async () => {
    const { items } = await get<LaterAddOnsList>(`${path}/add-ons`);
    requests.value = items;
    const ended = items.find((one) => !isOpen(one))?.id;
    // If the result cannot be read, the next load reads it.
    if (lastEnded !== null && ended !== lastEnded) await reload();
    lastEnded = ended;
  });
  return {
    load,
    /** The request that is being worked on. */
    open: computed(() => requests.value.find(isOpen)),
    /** Of the requests. A correction with such an id has the speakers that were found. */
    ids: computed(() => new Set(requests.value.map(({ id }) => id))),
    /** The last request, if it failed and nobody has closed its message. */
    failed: computed(() => {
      const [last] = requests.value;
      return last?.status === "error" && last.id !== dismissed.value ? last : undefined;
    }),
    dismiss(id: string) {
      dismissed.value = id;
    },
    /** @throws ApiError */
    async request(body: Values) {
      await send("POST", `${path}/add-ons`, body);
      await load();
    },
  };
}
