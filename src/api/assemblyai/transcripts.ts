// /v2/transcript: recordings, for clients of AssemblyAI's interface. A transcript is a recorded job, whichever interface created it.
import type { FastifyReply, FastifyRequest } from "fastify";
import { assemblyAiErrors } from "../../contract/assemblyai.ts";
import { type TranscriptJob, TranscriptRequest } from "../../contract/assemblyai-request.ts";
import {
  CaptionQuery,
  ParagraphsBody,
  SentencesBody,
  TranscriptBody,
  WordSearchBody,
  WordSearchQuery,
} from "../../contract/assemblyai-transcript.ts";
import { StrictQuery } from "../../contract/fields.ts";
import { JobIdParams, JobRemovalQuery } from "../../contract/job.ts";
import { isAnyLanguage } from "../../contract/languages.ts";
import { errors } from "../../platform/errors.ts";
import { refusedUrl } from "../../platform/net/address-rules.ts";
import { printedCorrections } from "../../platform/storage/db/jobs/corrections.ts";
import type { JobWithFile } from "../../platform/storage/db/jobs/job-files.ts";
import { assemblyAiModel } from "../../service/assemblyai/models.ts";
import { hasLanguageModel } from "../../service/intelligence/has-language-model.ts";
import type { TranscriptPart } from "../../service/transcripts/assemblyai-answer.ts";
import { clientGone } from "../client-gone.ts";
import type { Api, ApiContext } from "../context.ts";
import { findOwnJob } from "../find-own-job.ts";
import { type AcceptContext, acceptRequest, audioAddressProblem } from "../pre-recorded/accept-request.ts";
import { remadeJob } from "../pre-recorded/get.ts";
import { uncertainRedaction } from "../pre-recorded/problems.ts";
import { removeOwnJob } from "../pre-recorded/remove.ts";
import { ignoredFields } from "../requests/unknown-fields.ts";
import { sendWarnings } from "../requests/warnings-header.ts";
import { prepare, prepareQuery } from "../validation/prepare.ts";
import { removedTranscript, transcriptOf, transcriptRecord } from "./record.ts";
import { parseTranscript } from "./request.ts";

const PATH = "/v2/transcript";
const KIND = "pre-recorded";
const tags = ["AssemblyAI"];

type Context = AcceptContext &
  Pick<
    ApiContext,
    | "resultProcesses"
    | "isOnlyProcess"
    | "live"
    | "namedResults"
    | "objects"
    | "quarantine"
    | "secrets"
    | "transcriptProcess"
    | "worker"
  >;

/** A field that names any language is absent once the body is prepared. */
function namesAnyLanguage(body: unknown): boolean {
  const { language_code: one, language_codes: several } = (body ?? {}) as Record<string, unknown>;
  const names = [one, several].flat().filter((name): name is string => typeof name === "string");
  return names.some(isAnyLanguage);
}

function addCreate(app: Api, context: Context): void {
  const { settings } = context;
  app.post(
    PATH,
    {
      schema: {
        tags,
        summary: "Transcribe a recording",
        operationId: "createTranscript",
        querystring: StrictQuery,
        body: TranscriptRequest,
        response: { 200: TranscriptBody, ...assemblyAiErrors(400, 401, 404, 409, 413, 415, 422, 507) },
      },
      config: { acceptsUnknownFields: true, takesBareKey: true },
      preValidation: async (request) => {
        const isAny = namesAnyLanguage(request.body);
        const body = prepare(TranscriptRequest, request.body, request.unknownFields) as TranscriptRequest;
        request.body = isAny ? { ...body, language_detection: true } : body;
      },
    },
    async (request, reply) => {
      const { body } = request;
      const names = body.speech_models ?? (body.speech_model === undefined ? [] : [body.speech_model]);
      const model = await assemblyAiModel(names, context.recordingModels);
      const hasModel = body.redact_pii === true && (await hasLanguageModel(context));
      const parsed = parseTranscript(body, model, hasModel);
      const { problems } = parsed;
      const foreign = audioAddressProblem(body.audio_url, settings.allowPrivateAddresses);
      if (foreign) problems.push(foreign);
      const refused = body.webhook_url ? refusedUrl(body.webhook_url, settings.allowPrivateAddresses) : undefined;
      if (refused) problems.push(`webhook_url ${refused}`);
      if (problems.length > 0) throw errors.invalidParameters(problems);
      const { webhook, ...form } = parsed.job;
      // Sealed like the secrets that sign callbacks.
      const sealed = webhook ? { webhook: { name: webhook.name, value: context.secrets.seal(webhook.value) } } : {};
      const warnings = [...ignoredFields(request), ...parsed.warnings, ...uncertainRedaction(parsed.body)];
      const assemblyai = { ...form, ...sealed };
      const { id, audioUrl } = await acceptRequest(request, parsed.body, warnings, context, { assemblyai });
      sendWarnings(reply, warnings);
      return transcriptRecord({ id, status: "queued", audioUrl, warnings }, assemblyai.shown);
    },
  );
}

/** Answers a part of a finished transcript, as corrected. */
async function sendPart(
  row: JobWithFile,
  form: TranscriptJob["form"],
  part: TranscriptPart,
  reply: FastifyReply,
  context: Context,
): Promise<FastifyReply> {
  const signal = clientGone(reply);
  const { path, close } = await context.namedResults.open(row, signal);
  try {
    const { contentType, body, warnings } = await context.transcriptProcess.answer(
      { tenant: row.account_id, signal },
      { result: path, corrections: () => printedCorrections(context.database, row.id) },
      { of: "assemblyai", id: row.id, form, part },
    );
    sendWarnings(reply, warnings);
    return reply.type(contentType).send(body as never);
  } finally {
    await close();
  }
}

async function sendPartOf(
  request: FastifyRequest,
  reply: FastifyReply,
  part: TranscriptPart,
  context: Context,
): Promise<FastifyReply> {
  const row = await findOwnJob(request, context, KIND);
  return sendPart(row, transcriptOf(row).form, part, reply, context);
}

function addGet(app: Api, context: Context): void {
  app.get(
    `${PATH}/:id`,
    {
      schema: {
        tags,
        summary: "A transcript",
        operationId: "getTranscriptById",
        params: JobIdParams,
        response: { 200: TranscriptBody, ...assemblyAiErrors(401, 404, 503) },
      },
      config: { takesBareKey: true },
    },
    async (request, reply) => {
      const row = await findOwnJob(request, context, KIND);
      const { record, form, reportsLanguage } = transcriptOf(row);
      if (row.status !== "done") return reply.send(record as never);
      const channels = row.file?.number_of_channels ?? 1;
      try {
        const whole = { kind: "transcript" as const, record, channels, reportsLanguage };
        return (await sendPart(row, form, whole, reply, context)) as never;
      } catch (thrown) {
        // The transcript is unfinished until its result is made again.
        const current = await remadeJob(thrown, request, context, KIND);
        return reply.send(transcriptOf(current).record as never);
      }
    },
  );
}

function addParts(app: Api, context: Context): void {
  const common = { tags, params: JobIdParams };
  const config = { takesBareKey: true };
  const failures = assemblyAiErrors(400, 401, 404, 409, 503);
  for (const [kind, body] of [
    ["sentences", SentencesBody],
    ["paragraphs", ParagraphsBody],
  ] as const) {
    app.get(
      `${PATH}/:id/${kind}`,
      { schema: { ...common, summary: `Its ${kind}`, response: { 200: body, ...failures } }, config },
      async (request, reply) => (await sendPartOf(request, reply, { kind }, context)) as never,
    );
  }
  app.get(
    `${PATH}/:id/word-search`,
    {
      schema: {
        ...{ ...common, summary: "Places of words and phrases in it" },
        querystring: WordSearchQuery,
        response: { 200: WordSearchBody, ...failures },
      },
      config,
    },
    async (request, reply) => {
      const { words } = request.query;
      return (await sendPartOf(request, reply, { kind: "search", words }, context)) as never;
    },
  );
  for (const format of ["srt", "vtt"] as const) {
    app.get(
      `${PATH}/:id/${format}`,
      {
        schema: {
          ...{ ...common, summary: `It as subtitles, ${format}` },
          querystring: CaptionQuery,
          response: {
            200: { description: "Subtitles", content: { "text/plain": { schema: { type: "string" } } } },
            ...failures,
          },
        },
        config,
        preValidation: async (request) => {
          request.query = prepareQuery(CaptionQuery, request.query) as typeof request.query;
        },
      },
      async (request, reply) => {
        const { chars_per_caption: columns } = request.query;
        const part = { kind: "captions" as const, format, ...(columns === undefined ? {} : { columns }) };
        return (await sendPartOf(request, reply, part, context)) as never;
      },
    );
  }
}

function addRemove(app: Api, context: Context): void {
  app.delete(
    `${PATH}/:id`,
    {
      schema: {
        tags,
        summary: "Delete a transcript with its audio",
        operationId: "deleteTranscript",
        params: JobIdParams,
        querystring: JobRemovalQuery,
        response: { 200: TranscriptBody, ...assemblyAiErrors(400, 401, 403, 404, 413, 415) },
      },
      config: { takesBareKey: true },
    },
    async (request) => removedTranscript(await removeOwnJob(request, context, KIND, request.query.cancel === "true")),
  );
}

export function addTranscripts(app: Api, context: Context): void {
  addCreate(app, context);
  addGet(app, context);
  addParts(app, context);
  addRemove(app, context);
}
