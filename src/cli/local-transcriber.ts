// Runs the stages of a job on this machine, without a server or a database. Leaves no files behind.

import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import type { Readable } from "node:stream";
import { pino } from "pino";
import { ASSEMBLIES, decoderPool } from "../compose/compose.ts";
import { recognitionPool } from "../compose/recognition-startup.ts";
import { type AddonParameters, parseJobParameters } from "../contract/job-parameters.ts";
import { FetchAddress } from "../platform/addresses/fetch-address.ts";
import { isAddress } from "../platform/addresses/web-url.ts";
import { PARLANCE } from "../platform/command-prefix.ts";
import { childEnvironment } from "../platform/config/load.ts";
import type { Settings } from "../platform/config/settings.ts";
import { errors, toParlanceError, withDetail } from "../platform/errors.ts";
import { fetchWithRetries } from "../platform/net/retried-fetch.ts";
import { NO_TRACING } from "../platform/observability/tracing.ts";
import { Disk } from "../platform/storage/disk/disk.ts";
import { FreeSpace } from "../platform/storage/free-space.ts";
import { FileStore } from "../platform/storage/objects/file-store.ts";
import { emptyTemporaryFolder } from "../platform/storage/temporary-folder.ts";
import { ResultProcesses } from "../service/intelligence/process/result-processes.ts";
import { JobEstimate } from "../service/jobs/job-estimate.ts";
import { StageTimes } from "../service/jobs/stage-times.ts";
import { STAGES } from "../service/jobs/stages/all.ts";
import { nameOfFetched, retryBounds } from "../service/jobs/stages/fetch.ts";
import { dropForeignWords } from "../service/jobs/stages/foreign-speech.ts";
import {
  costOf,
  type Stage,
  type StageContext,
  type StageOutputs,
  type StageServices,
} from "../service/jobs/stages/stage.ts";
import { WorkFiles, workFolder } from "../service/jobs/stages/work-files.ts";
import { type LanguageRequest, languageRequestOf, planSpeech } from "../service/models/speech-plan.ts";
import { ModelStore } from "../service/models/store.ts";
import { hubOf, modelStore } from "../service/models/store-settings.ts";
import { addModel } from "./add-model.ts";
import { makePrivateFolder } from "./private-folder.ts";
import { keptWeights } from "./shared-weights.ts";
import { PIPE, type Transcriber } from "./transcriber.ts";
import { UsageError } from "./usage-error.ts";

/** The proportions of the stages depend little on the length of the recording. */
const ESTIMATED_AUDIO_SECONDS = 600;
/** A job of the command line has one attempt. */
const ATTEMPT = 1;
const AFTER_FETCH = STAGES.filter(({ name }) => name !== "fetch");

/** Copies a file, the content of an address, or standard input. @returns its name, whose extension may determine the format */
async function store(
  source: string,
  key: string,
  { objects, limits, allowPrivateAddresses }: StageServices,
): Promise<string> {
  const { maximumFileBytes, fetchTimeoutSeconds } = limits;
  if (!isAddress(source)) {
    await objects.write(key, await openSource(source), maximumFileBytes);
    return source === PIPE ? "" : source;
  }
  const timeoutMilliseconds = fetchTimeoutSeconds * 1000;
  const retries = retryBounds(limits);
  const options = { tenant: "", allowPrivateAddresses, timeoutMilliseconds, minimumBytesPerSecond: 0, retries };
  const address = FetchAddress.of(source);
  return fetchWithRetries(address, options, async (fetched) => {
    await objects.write(key, fetched.body, maximumFileBytes);
    return nameOfFetched(fetched, address.shown);
  });
}

async function openSource(source: string): Promise<Readable> {
  if (source === PIPE) return process.stdin;
  const found = await stat(source).catch(() => undefined);
  if (!found?.isFile()) {
    throw errors.fileMissing(source, found !== undefined);
  }
  return createReadStream(source);
}

/** Prints a line on standard error. */
type Note = (text: string) => void;

/** Fetches the model that the request needs, if it is missing and may be fetched. */
async function modelFor(request: LanguageRequest, settings: Settings, note: Note): Promise<string> {
  const store = modelStore(settings);
  const installed = await store.list();
  if (request.model !== undefined && !ModelStore.isDefault(request.model) && !(await store.find(request.model))) {
    throw new UsageError(
      `--model ${request.model} is not installed (installed: ${installed.map(({ id }) => id).join(", ")}). ` +
        `${PARLANCE} models list shows more; add one with: ${PARLANCE} models add ${request.model}`,
    );
  }
  const { model } = planSpeech(request, installed, settings);
  if (await store.find(model)) return model;
  note(`${model} is not installed; it is fetched once.`);
  await addModel(model, store, { hub: hubOf(settings) });
  return planSpeech(request, await store.list(), settings).model;
}

/** Fetches the model that speech in another language than English needs. @returns false where that fails */
async function canFetch(model: string, settings: Settings, store: ModelStore, note: Note): Promise<boolean> {
  note(`The speech is not in English; the model ${model} is fetched once.`);
  try {
    await addModel(model, store, { hub: hubOf(settings) });
  } catch (thrown) {
    const { message, detail } = toParlanceError(thrown);
    process.stderr.write(`${withDetail(message, detail)}\n`);
    return false;
  }
  store.forget();
  return true;
}

/** Fetches the speaker model. If that fails, diarization uses the recogniser's encoder. */
async function fetchSpeakerModel(settings: Settings, store: ModelStore, note: Note): Promise<void> {
  const { speakerModel, fetchModels } = settings;
  if (speakerModel === "" || !fetchModels || (await store.findSpeakerModel(speakerModel))) return;
  note(`The model ${speakerModel}, which finds speakers, is fetched once.`);
  try {
    await addModel(speakerModel, store, { hub: hubOf(settings) });
  } catch (thrown) {
    const { message, detail } = toParlanceError(thrown);
    const reason = withDetail(message, detail);
    process.stderr.write(
      `${reason}\nThe recogniser's encoder is used instead, which finds speakers less accurately.\n`,
    );
  }
}

/** @param params  fields of a request, for every recording */
export async function startLocalTranscriber(
  settings: Settings,
  params: AddonParameters,
  { isQuiet = false }: { isQuiet?: boolean } = {},
): Promise<Transcriber> {
  const note: Note = (text) => {
    if (!isQuiet) process.stderr.write(`${text}\n`);
  };
  const model = await modelFor(languageRequestOf(params), settings, note);
  const models = modelStore(settings);
  if (params.diarization === true) await fetchSpeakerModel(settings, models, note);
  const { path: folder, remove } = makePrivateFolder("transcribe");
  const own = { ...settings, model, dataDirectory: folder };
  const logger = pino({ level: "silent" });
  const recognition = recognitionPool(own, models, logger, { sharedFolder: keptWeights(settings) });
  const decoders = decoderPool(own);
  const limits = { ...ASSEMBLIES, requests: 1, requestsPerTenant: 1 };
  const resultProcesses = new ResultProcesses(childEnvironment(await emptyTemporaryFolder(folder)), {}, limits);
  const objects = new FileStore(folder, new Disk(false));
  const services: StageServices = {
    tracing: NO_TRACING,
    get database(): never {
      throw errors.internal("the command line has no database");
    },
    objects,
    space: new FreeSpace(folder, 0),
    decoders,
    recognition,
    models,
    speech: settings,
    speakerModel: settings.speakerModel,
    resultProcesses,
    stageTimes: new StageTimes(),
    limits: settings,
    allowPrivateAddresses: settings.allowPrivateAddresses,
    logger,
  };
  const stop = async () => {
    await Promise.all([recognition.stop(), decoders.stop(), resultProcesses.stop()]);
    remove();
  };
  try {
    const started = recognition.start();
    recognition.wake();
    await started;
  } catch (error) {
    await stop();
    throw error;
  }
  let last = 0;
  return {
    stop,
    async transcribe(source, progress, more = {}) {
      const id = `transcribe-${++last}`;
      const objectKey = `${id}/source`;
      try {
        const filename = await store(source, objectKey, services);
        const outputs: StageOutputs = { fetch: { fileId: id, objectKey, filename } };
        const job: StageContext["job"] = {
          id,
          hold: { id, worker: "", attempt: ATTEMPT },
          accountId: "",
          model,
          audioUrl: null,
          fileId: null,
          addedTo: null,
          startedAt: new Date(),
          params: parseJobParameters({ ...params, ...more }),
        };
        const files = WorkFiles.of(id, ATTEMPT, outputs);
        const estimated = AFTER_FETCH.map((stage) => ({ name: stage.name, cost: costOf(stage, job, services) }));
        const estimate = new JobEstimate(estimated, new Set(), services.stageTimes, ESTIMATED_AUDIO_SECONDS);
        const run = async (stage: Stage) => {
          estimate.begin(stage.name);
          const report = (share: number) => {
            estimate.report(share);
            progress(stage.name, estimate.share);
          };
          report(0);
          const signal = new AbortController().signal;
          const context = { job, outputs, files, services, signal, priority: "recorded" as const, progress: report };
          const output = await stage.run({ ...context, requireHeld: () => undefined });
          Object.assign(outputs, { [stage.name]: { ...output, attempt: ATTEMPT } });
        };
        for (const stage of AFTER_FETCH) {
          await run(stage);
          const wanted = stage.name === "recognize" ? outputs.recognize?.foreign?.wantedModel : undefined;
          if (wanted === undefined || !(await canFetch(wanted, settings, models, note))) continue;
          await dropForeignWords(wanted, outputs, files, objects);
          await run(stage);
        }
        return await objects.localPath(outputs.assemble?.resultKey ?? "");
      } finally {
        // Folders of recordings that failed, too: a watch runs for days.
        await objects.removeFolder(workFolder(id));
        await objects.removeFolder(id);
      }
    },
  };
}
