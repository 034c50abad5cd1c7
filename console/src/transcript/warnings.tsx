// The warnings of a result. A warning about a missing model links to the page of models. Once the model is installed, it has a button that finds
// the speakers again.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { ReadMessage } from "../../../src/contract/messages/read-message.ts";
import { hasSpeakersOfPeople } from "../../../src/contract/transcript/correction.ts";
import { at } from "../address.ts";
import { attempt } from "../attempt.ts";
import { t } from "../language/language.ts";
import { messageOf, said } from "../language/messages.ts";
import { Rich } from "../language/rich.tsx";
import { loadModels, models } from "../models.ts";
import type { Values } from "../parts/schema.ts";
import { useWork } from "../parts/use-work.ts";
import type { TranscriptStore } from "./store.ts";

const MISSING = new Set<string>(["models.optional.missing", "models.optional.not_fetched"]);
/** Warnings that end with speakers that the model finds later. */
const OF_SPEAKERS = new Set<string>(["live.speakers.encoder", "live.speakers.none"]);

interface MissingModel {
  id: string;
  /** Whether the speakers can be found again with the model. */
  isOfSpeakers: boolean;
}

/** @returns the model whose absence a warning states. Pure. */
function missingModelOf(message: ReadMessage | undefined): MissingModel | undefined {
  const reason = message?.parameters["reason"];
  if (!message || typeof reason !== "object" || !MISSING.has(reason.code)) return undefined;
  return { id: String(reason.parameters["model"]), isOfSpeakers: OF_SPEAKERS.has(message.code) };
}

/** @returns the request for the speakers of a job, as they were requested first. Names of known voices belong to a new transcript. Pure. */
function speakersRequest(params: Values | null | undefined): Values {
  const { identify_speakers: _, ...config } = (params?.["diarization_config"] ?? {}) as Values;
  return { diarization: true, ...(Object.keys(config).length > 0 ? { diarization_config: config } : {}) };
}

/** Requests the speakers again. Before corrected speakers are replaced, it requests a confirmation. */
async function findSpeakers({ job, corrections, addOns }: TranscriptStore): Promise<void> {
  const body = speakersRequest(job.peek()?.request_params as Values | undefined);
  const replaces = hasSpeakersOfPeople(corrections.peek(), addOns.ids.peek());
  if (replaces && !confirm(t.transcript.speakersQuestion)) return;
  await attempt(() => addOns.request({ ...body, ...(replaces ? { replace_speakers: true } : {}) }));
}

function Remedy({ store, model }: { store: TranscriptStore; model: MissingModel }) {
  const { isRunning, run } = useWork();
  useEffect(() => {
    void attempt(loadModels);
  }, []);
  const found = models.value?.find(({ id }) => id === model.id);
  if (!found) return null;
  if (!found.installed)
    return <Rich text={t.transcript.addModel} parts={[(w) => <a href={at("/setup/models")}>{w}</a>]} />;
  if (!model.isOfSpeakers) return null;
  return (
    <button
      type="button"
      disabled={isRunning.value || store.addOns.open.value !== undefined}
      onClick={() => void run(() => findSpeakers(store))}
    >
      {t.transcript.speakersAgain}
    </button>
  );
}

function Warning({ store, text }: { store: TranscriptStore; text: string }) {
  const model = useSignal<MissingModel | undefined>(undefined);
  useEffect(() => {
    void messageOf(text).then((message) => {
      model.value = missingModelOf(message);
    });
  }, [text]);
  return (
    <p class="hint problem">
      {said(text)} {model.value ? <Remedy store={store} model={model.value} /> : null}
    </p>
  );
}

export function Warnings({ store }: { store: TranscriptStore }) {
  const { warnings = [] } = store.job.value?.result?.metadata ?? {};
  return (
    <>
      {warnings.map((warning) => (
        <Warning key={warning} store={store} text={warning} />
      ))}
    </>
  );
}
