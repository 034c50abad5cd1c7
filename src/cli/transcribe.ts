// parlance transcribe: the stages of a job without a server, a database or anything left behind.
import { createReadStream } from "node:fs";
import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { pino } from "pino";
import { decoderPool, recognitionPool } from "../compose.ts";
import { childEnvironment, loadSettings } from "../config/load.ts";
import { errors, ParlanceError } from "../errors.ts";
import { Analyst } from "../intelligence/process/analyst.ts";
import { overallProgress, STAGES } from "../jobs/stages/all.ts";
import type { StageContext, StageOutputs, StageServices } from "../jobs/stages/stage.ts";
import type { TranscriptionResult } from "../jobs/transcript.ts";
import { safeGet, translateBodyError } from "../net/safe-fetch.ts";
import { findEngine, modelNames } from "../recognition/registry.ts";
import { FileStore } from "../storage/objects/file-store.ts";
import { COMPLIANCE, layoutCaptions } from "../subtitles/layout.ts";
import { writeSrt, writeVtt } from "../subtitles/write.ts";
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
  model: string,
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
      model,
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

export const transcribeCommand: Command = {
  name: "transcribe",
  synopsis: "transcribe FILE|URL [--format text|txt|json|srt|vtt] [--model ID] [--speakers]",
  summary: "Print the transcript of a recording, without a server.",
  async run(args) {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        format: { type: "string", default: "text" },
        model: { type: "string" },
        speakers: { type: "boolean", default: false },
      },
    });
    const [source] = positionals;
    if (!source || positionals.length > 1) throw usageError(`name one file or address: parlance ${this.synopsis}`);
    if (!(values.format in FORMATS)) {
      throw usageError(`--format must be one of ${Object.keys(FORMATS).join(", ")}; it is ${values.format}`);
    }
    const settings = loadSettings();
    const engine = findEngine(values.model, settings.model);
    if (!engine) throw usageError(`--model must be one of ${modelNames().join(", ")}; it is ${values.model}`);

    const folder = await mkdtemp(path.join(os.tmpdir(), "parlance-"));
    const logger = pino({ level: "silent" });
    const recognition = recognitionPool({ ...settings, model: engine.id }, logger);
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
        analyst,
        limits: settings,
        allowPrivateAddresses: settings.allowPrivateAddresses,
        logger,
      };
      const result = await transcribe(source, services, engine.id, { diarization: values.speakers });
      process.stdout.write(FORMATS[values.format as Format](result));
    } finally {
      await cleanUp();
    }
  },
};
