// Add-ons for a finished transcript: requested, and read. They are made by the workers, as jobs are.
import type { FastifyRequest } from "fastify";
import { errorResponses } from "../../contract/errors.ts";
import { StrictQuery } from "../../contract/fields.ts";
import { JobIdParams } from "../../contract/job.ts";
import { parseJobParameters } from "../../contract/job-parameters.ts";
import {
  AcceptedAddOns,
  FIELDS_OF_WORDS,
  type LaterAddOns,
  LaterAddOnsBody,
  LaterAddOnsList,
  requestedLater,
} from "../../contract/later-add-ons.ts";
import type { PreRecordedBody } from "../../contract/pre-recorded.ts";
import { errors } from "../../platform/errors.ts";
import { publicText } from "../../platform/public-message.ts";
import { listAddOns } from "../../platform/storage/db/jobs/add-ons.ts";
import type { JobRow } from "../../platform/storage/db/jobs/jobs.ts";
import { laterAddonsOf } from "../../service/intelligence/registry.ts";
import { acceptAddOns } from "../../service/jobs/accept-add-ons.ts";
import { type Api, type ApiContext, publicBase } from "../context.ts";
import { findOwnJob } from "../find-own-job.ts";
import { ineffectiveFields } from "../ineffective-fields.ts";
import { isoTime } from "../job-record.ts";
import { crossFieldProblems } from "../pre-recorded/problems.ts";
import { ignoredFields } from "../requests/unknown-fields.ts";
import { sendList } from "../streamed-list.ts";
import { prepare } from "../validation/prepare.ts";

type AddOnsContext = Pick<
  ApiContext,
  | "database"
  | "forwarding"
  | "newId"
  | "now"
  | "queue"
  | "recordingModels"
  | "results"
  | "settings"
  | "space"
  | "waitingForModels"
>;

/** Refused before the schema, which does not know them. */
function problemsOfWords(body: unknown): string[] {
  if (typeof body !== "object" || body === null) return [];
  const given = body as Readonly<Record<string, unknown>>;
  const isSet = (name: string) => given[name] !== undefined && given[name] !== null && given[name] !== false;
  // Without numerals, numbers are in words.
  return FIELDS_OF_WORDS.filter((name) => isSet(name) || (name === "numerals" && given[name] === false)).map(
    (name) => `${name} decides the words of a transcript: transcribe the recording again with it`,
  );
}

function problemsOf(body: LaterAddOnsBody): string[] {
  // The recording is that of the job.
  const problems = crossFieldProblems({ ...body, audio_url: "" } as PreRecordedBody, false);
  if (laterAddonsOf(body).length === 0) problems.push("at least one add-on must be true");
  if (body.diarization_config?.identify_speakers === true) {
    problems.push(
      "diarization_config.identify_speakers names voices of a new transcript only: transcribe again with it",
    );
  }
  return problems;
}

function shown(row: JobRow): LaterAddOns {
  const { later_add_ons: later, ...params } = parseJobParameters(row.request_params);
  const request = requestedLater(params);
  return {
    id: row.id,
    add_ons: laterAddonsOf(request).map(({ name }) => name),
    status: row.status,
    stage: row.stage,
    share: Math.round(row.progress * 1000) / 1000,
    created_at: isoTime(row.created_at),
    completed_at: row.completed_at && isoTime(row.completed_at),
    error_code: row.error_code,
    error_message: row.error_message === null ? null : publicText(row.error_message),
    request_params: { ...request, ...(later?.replaces_speakers ? { replace_speakers: true } : {}) },
  };
}

async function* shownAddOns(database: ApiContext["database"], jobId: string): AsyncGenerator<LaterAddOns> {
  for await (const row of listAddOns(database, jobId)) yield shown(row);
}

async function accept(request: FastifyRequest<{ Body: LaterAddOnsBody }>, context: AddOnsContext) {
  await context.space.check();
  const { body } = request;
  const row = await findOwnJob(request, context, undefined);
  // Whether it is there, and whole.
  await context.results.path(row);
  const warnings = [...ignoredFields(request), ...ineffectiveFields({ ...body, audio_url: "" } as PreRecordedBody)];
  const id = context.newId();
  const { hasCorrections } = await acceptAddOns(
    { id, row, body, madeBy: request.keyName, createdAt: context.now(), trace: request.span?.trace },
    context,
  );
  const speakers = hasCorrections ? ("correction" as const) : ("result" as const);
  return {
    id,
    result_url: `${publicBase(request, context)}/v2/transcription/${row.id}`,
    ...(body.diarization === true ? { speakers } : {}),
    ...(warnings.length > 0 ? { warnings } : {}),
  };
}

export function addLaterAddOns(app: Api, context: AddOnsContext): void {
  app.post(
    "/v2/transcription/:id/add-ons",
    {
      schema: {
        tags: ["Transcripts"],
        summary: "Make add-ons for a finished transcript",
        description:
          "An extension of the interface. The add-ons are made from the transcript with its corrections, without recognising it again, and then are in the result of the job, as if they had been requested with it. They have the fields of a job. An add-on that is there already is made again; a translation into another language joins the others. Add-ons that are not named stay. One request at a time is made for a transcript. Diarization needs the stored audio and a speaker model. Fields that decide the words are refused.",
        params: JobIdParams,
        querystring: StrictQuery,
        body: LaterAddOnsBody,
        response: {
          202: AcceptedAddOns,
          ...errorResponses(400, 401, 404, 409, 410, 413, 415, 422, 429, 500, 503, 507),
        },
      },
      config: { acceptsUnknownFields: true },
      preValidation: async (request) => {
        const problems = problemsOfWords(request.body);
        if (problems.length > 0) throw errors.invalidParameters(problems);
        request.body = prepare(LaterAddOnsBody, request.body, request.unknownFields) as LaterAddOnsBody;
      },
      preHandler: async ({ body }) => {
        const problems = problemsOf(body as LaterAddOnsBody);
        if (problems.length > 0) throw errors.invalidParameters(problems);
      },
    },
    async (request, reply) => reply.code(202).send(await accept(request, context)),
  );
  app.get(
    "/v2/transcription/:id/add-ons",
    {
      schema: {
        tags: ["Transcripts"],
        summary: "Add-ons that were requested for a finished transcript",
        description:
          "An extension of the interface. Poll it until `status` is done or error. Requests are listed for as long as results are kept.",
        params: JobIdParams,
        response: { 200: LaterAddOnsList, ...errorResponses(401, 404) },
      },
    },
    async (request, reply) => {
      const row = await findOwnJob(request, context, undefined);
      return sendList(reply, {}, "items", shownAddOns(context.database, row.id)) as never;
    },
  );
}
