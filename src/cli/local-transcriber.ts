// The stages of a job without a server, a database or anything left behind: for files on this machine.
import { createReadStream } from "node:fs";
import { mkdtemp, rm, stat } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import type { Readable } from "node:stream";
import { pino } from "pino";
import { decoderPool, hubOf } from "../compose.ts";
import { childEnvironment } from "../config/load.ts";
import type { Settings } from "../config/settings.ts";
import { errors, ParlanceError } from "../errors.ts";
import { modelStore, recognitionPool } from "../hearing.ts";
import { Analyst } from "../intelligence/process/analyst.ts";
import { overallProgress, STAGES } from "../jobs/stages/all.ts";
import { type StageContext, type StageOutputs, type StageServices, workFolder } from "../jobs/stages/stage.ts";
import { type LanguageRequest, languageRequestOf, planSpeech } from "../models/speech-plan.ts";
import { safeGet, translateBodyError } from "../net/safe-fetch.ts";
import { NO_TRACING } from "../observability/tracing.ts";
import { FreeSpace } from "../storage/free-space.ts";
import { FileStore } from "../storage/objects/file-store.ts";
import { addModel } from "./add-model.ts";

const AFTER_FETCH = STAGES.filter(({ name }) => name !== "fetch");

/** What comes through a pipe. */
export const PIPE = "-";
export const isAddress = (source: string) => /^https?:\/\//i.test(source);

export interface LocalTranscriber {
  /**
   * @param source    a file, an address, or PIPE
   * @param progress  told the stage and the share of the whole, 0 to 1
   * @param more      parameters of this recording alone
   * @returns file of the result; it is gone once the transcriber has stopped
   */
  transcribe(
    source: string,
    progress: (stage: string, share: number) => void,
    more?: Record<string, unknown>,
  ): Promise<string>;
  stop(): Promise<void>;
}

async function openSource(source: string, { limits, allowPrivateAddresses }: StageServices): Promise<Readable> {
  if (source === PIPE) return process.stdin;
  if (isAddress(source)) {
    const timeoutMilliseconds = limits.fetchTimeoutSeconds * 1000;
    return (await safeGet(source, { allowPrivateAddresses, timeoutMilliseconds })).body;
  }
  const found = await stat(source).catch(() => undefined);
  if (!found?.isFile()) {
    throw new ParlanceError(found ? `${source} is not a file` : `there is no file ${source}`, {
      code: "file.missing",
      status: 404,
    });
  }
  return createReadStream(source);
}

/** Fetches the model that the request needs, where it may be and is not there. */
async function modelFor(request: LanguageRequest, settings: Settings): Promise<string> {
  const store = modelStore(settings);
  const { model } = planSpeech(request, await store.list(), settings);
  if (await store.find(model)) return model;
  process.stderr.write(`${model} is not installed; it is fetched once.\n`);
  await addModel(model, store, { hub: hubOf(settings) });
  return planSpeech(request, await store.list(), settings).model;
}

/** @param params  of every recording, as a request has them */
export async function startLocalTranscriber(
  settings: Settings,
  params: Record<string, unknown>,
): Promise<LocalTranscriber> {
  const model = await modelFor(languageRequestOf(params), settings);
  const models = modelStore(settings);
  const folder = await mkdtemp(path.join(os.tmpdir(), "parlance-"));
  const logger = pino({ level: "silent" });
  const recognition = recognitionPool({ ...settings, model }, models, logger);
  const decoders = decoderPool(settings);
  const analyst = new Analyst(childEnvironment(), {});
  const objects = new FileStore(folder);
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
    analyst,
    limits: settings,
    allowPrivateAddresses: settings.allowPrivateAddresses,
    logger,
  };
  const stop = async () => {
    await Promise.all([recognition.stop(), decoders.stop(), analyst.stop()]);
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await recognition.start();
  } catch (error) {
    await stop();
    throw error;
  }
  let last = 0;
  return {
    stop,
    async transcribe(source, progress, more = {}) {
      const id = `transcribe-${++last}`;
      const content = await openSource(source, services);
      await objects.write(`${id}/source`, content, settings.maximumFileBytes).catch((error: unknown) => {
        throw error instanceof ParlanceError || !isAddress(source) ? error : translateBodyError(error);
      });
      const outputs: StageOutputs = { fetch: { fileId: id, objectKey: `${id}/source` } };
      const job: StageContext["job"] = {
        id,
        accountId: "",
        model,
        audioUrl: null,
        fileId: null,
        startedAt: new Date(),
        params: { ...params, ...more },
      };
      for (const stage of AFTER_FETCH) {
        const tell = (share: number) => progress(stage.name, overallProgress(stage.name, share));
        tell(0);
        const signal = new AbortController().signal;
        Object.assign(outputs, {
          [stage.name]: await stage.run({ job, outputs, services, signal, priority: "recorded", progress: tell }),
        });
      }
      await objects.removeFolder(workFolder(id));
      await objects.removeFolder(id);
      return objects.localPath(outputs.assemble?.resultKey ?? "");
    },
  };
}
