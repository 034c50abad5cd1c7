// parlance transcribe: the stages of a job without a server, a database or anything left behind.
import { createReadStream } from "node:fs";
import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { pino } from "pino";
import { LANGUAGES } from "../api/schemas/languages.ts";
import { decoderPool, hubOf, modelStore, recognitionPool } from "../compose.ts";
import { childEnvironment, loadSettings } from "../config/load.ts";
import type { Settings } from "../config/settings.ts";
import { errors, ParlanceError } from "../errors.ts";
import { Analyst } from "../intelligence/process/analyst.ts";
import { overallProgress, STAGES } from "../jobs/stages/all.ts";
import type { StageContext, StageOutputs, StageServices } from "../jobs/stages/stage.ts";
import type { AddonResult, Transcription, TranscriptionResult } from "../jobs/transcript.ts";
import { type LanguageRequest, planSpeech, type SpeechPlan } from "../models/speech-plan.ts";
import type { ModelStore } from "../models/store.ts";
import { safeGet, translateBodyError } from "../net/safe-fetch.ts";
import { FileStore } from "../storage/objects/file-store.ts";
import { COMPLIANCE, layoutCaptions } from "../subtitles/layout.ts";
import { writeSrt, writeVtt } from "../subtitles/write.ts";
import { addModel } from "./add-model.ts";
import { type Command, usageError } from "./command.ts";
import { ProgressBar } from "./progress-bar.ts";

const FORMATS = {
  txt: (result: TranscriptionResult) =>
    `${result.transcription.utterances.map(({ speaker, text }) => (speaker === undefined ? text : `Speaker ${speaker}: ${text}`)).join("\n")}\n`,
  text: (result: TranscriptionResult) => FORMATS.txt(result),
  json: (result: TranscriptionResult) => `${JSON.stringify(result, null, 2)}\n`,
  srt: (result: TranscriptionResult) => writeSrt(layoutCaptions(result.transcription.utterances, COMPLIANCE)),
  vtt: (result: TranscriptionResult) => writeVtt(layoutCaptions(result.transcription.utterances, COMPLIANCE)),
};
type Format = keyof typeof FORMATS;

/** The same result with the English translation as its transcript. */
function inEnglish(result: TranscriptionResult): TranscriptionResult {
  const { success, error, results } = result["translation"] as AddonResult<Transcription[]>;
  if (!success || !results[0]) throw usageError(error?.message ?? "the translation failed");
  return { ...result, transcription: results[0] };
}

const AFTER_FETCH = STAGES.filter(({ name }) => name !== "fetch");
const SOURCE_KEY = "source";
const JOB_ID = "transcribe";

/** The recording's bytes below our own temporary folder; the decoder never sees the user's path or an address. */
async function takeSource(source: string, { objects, limits, allowPrivateAddresses }: StageServices): Promise<void> {
  if (/^https?:\/\//i.test(source)) {
    const { body } = await safeGet(source, {
      allowPrivateAddresses,
      timeoutMilliseconds: limits.fetchTimeoutSeconds * 1000,
    });
    await objects.write(SOURCE_KEY, body, limits.maximumFileBytes).catch((error: unknown) => {
      throw error instanceof ParlanceError ? error : translateBodyError(error);
    });
    return;
  }
  const found = await stat(source).catch(() => undefined);
  if (!found) throw usageError(`there is no file ${source}`);
  if (!found.isFile()) throw usageError(`${source} is not a file`);
  await objects.write(SOURCE_KEY, createReadStream(source));
}

/** Runs the stages of a job over one file or address. @param params  as a request has them */
export async function transcribe(
  source: string,
  services: StageServices,
  params: Record<string, unknown> = {},
): Promise<TranscriptionResult> {
  const bar = new ProgressBar();
  const { objects } = services;
  try {
    await takeSource(source, services);
    const outputs: StageOutputs = { fetch: { fileId: JOB_ID, objectKey: SOURCE_KEY } };
    const job: StageContext["job"] = {
      id: JOB_ID,
      accountId: "",
      model: "",
      audioUrl: null,
      fileId: null,
      startedAt: new Date(),
      params,
    };
    for (const stage of AFTER_FETCH) {
      const progress = (share: number) => bar.show(stage.name, overallProgress(stage.name, share));
      progress(0);
      const output = await stage.run({ job, outputs, services, signal: new AbortController().signal, progress });
      Object.assign(outputs, { [stage.name]: output });
    }
    const key = outputs.assemble?.resultKey ?? "";
    return JSON.parse(await readFile(await objects.localPath(key), "utf8")) as TranscriptionResult;
  } finally {
    bar.clear();
  }
}

/** The model that a plan needs, fetched where it may be and is not there. */
async function planned(request: LanguageRequest, settings: Settings, store: ModelStore): Promise<SpeechPlan> {
  const plan = planSpeech(request, await store.list(), settings);
  if (await store.find(plan.model)) return plan;
  process.stderr.write(`${plan.model} is not installed; it is fetched once.\n`);
  await addModel(plan.model, store, { hub: hubOf(settings) });
  return planSpeech(request, await store.list(), settings);
}

export const transcribeCommand: Command = {
  name: "transcribe",
  synopsis:
    "transcribe FILE|URL [--format text|txt|json|srt|vtt] [--language CODE[,CODE]] [--switching] [--to-english] [--model ID] [--speakers]",
  summary: "Print the transcript of a recording, without a server.",
  async run(args) {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        format: { type: "string", default: "text" },
        language: { type: "string", default: "" },
        switching: { type: "boolean", default: false },
        "to-english": { type: "boolean", default: false },
        model: { type: "string" },
        speakers: { type: "boolean", default: false },
      },
    });
    const [source] = positionals;
    if (!source || positionals.length > 1) throw usageError(`name one file or address: parlance ${this.synopsis}`);
    if (!(values.format in FORMATS)) {
      throw usageError(`--format must be one of ${Object.keys(FORMATS).join(", ")}; it is ${values.format}`);
    }
    const languages = values.language.split(",").filter((code) => code !== "");
    const strange = languages.find((code) => !LANGUAGES.includes(code));
    if (strange !== undefined) throw usageError(`--language takes ISO 639 codes such as en or es; it is ${strange}`);
    const settings = loadSettings();
    const store = modelStore(settings);
    const model = values.model ?? settings.model;
    const request = { languages, codeSwitching: values.switching, ...(values.model ? { model } : {}) };
    const plan = await planned(request, settings, store);

    const folder = await mkdtemp(path.join(os.tmpdir(), "parlance-"));
    const logger = pino({ level: "silent" });
    const recognition = recognitionPool({ ...settings, model: plan.model }, store, logger);
    const decoders = decoderPool({ ...settings, concurrentJobs: 1 });
    const analyst = new Analyst(childEnvironment(), {});
    const cleanUp = async () => {
      await Promise.all([recognition.stop(), decoders.stop(), analyst.stop()]);
      await rm(folder, { recursive: true, force: true });
    };
    process.once("SIGINT", () => void cleanUp().then(() => process.exit(130)));
    try {
      await recognition.start();
      const services: StageServices = {
        get database(): never {
          throw errors.internal("the command line has no database");
        },
        objects: new FileStore(folder),
        decoders,
        recognition,
        models: store,
        speech: settings,
        analyst,
        limits: settings,
        allowPrivateAddresses: settings.allowPrivateAddresses,
        logger,
      };
      const result = await transcribe(source, services, {
        ...(values.model ? { model } : {}),
        language_config: { languages, code_switching: values.switching },
        diarization: values.speakers,
        ...(values["to-english"] ? { translation: true, translation_config: { target_languages: ["en"] } } : {}),
      });
      process.stdout.write(FORMATS[values.format as Format](values["to-english"] ? inEnglish(result) : result));
    } finally {
      await cleanUp();
    }
  },
};
