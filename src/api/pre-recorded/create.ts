// POST /v2/pre-recorded and POST /v2/transcription: a job is accepted when its row and its place in the queue are
// stored; nothing is fetched before the answer.
import type { FastifyRequest } from "fastify";
import { errors } from "../../errors.ts";
import { languageRequestOf } from "../../models/speech-plan.ts";
import { refusedUrl } from "../../net/address-rules.ts";
import { findFile } from "../../storage/db/files.ts";
import type { NewJob } from "../../storage/db/new-job.ts";
import { acceptRecorded, refuseOverQueued } from "../accept-job.ts";
import { chooseModel } from "../choose-model.ts";
import { type Api, type ApiContext, DEFAULT_MODEL, publicBase, requestIdOf } from "../context.ts";
import { errorResponses } from "../schemas/errors.ts";
import { prepare } from "../validation/prepare.ts";
import { CreatedJob, crossFieldProblems, effectiveLanguages, PreRecordedBody } from "./schema.ts";

const FILE_PATH = /^\/file\/([0-9a-f-]{36})\/?$/i;

/**
 * The uploaded file that an address names. The host does not matter: a proxy may have changed it.
 * @throws file.unknown when the address is one of ours and names no file of this account
 */
async function uploadedFile(
  audioUrl: string,
  request: FastifyRequest,
  { database, settings }: ApiContext,
): Promise<string | undefined> {
  const url = new URL(audioUrl);
  const id = FILE_PATH.exec(url.pathname)?.[1];
  if (!id) return undefined;
  const file = await findFile(database, id);
  if (file?.account_id === request.account.id && !file.audio_deleted_at) return file.id;
  if (url.host === new URL(publicBase(request, settings)).host) throw errors.unknownFile();
  return undefined;
}

export function addCreate(app: Api, context: ApiContext): void {
  const { settings } = context;
  for (const path of ["/v2/pre-recorded", "/v2/transcription"]) {
    app.post(
      path,
      {
        schema: {
          tags: ["Pre-recorded"],
          summary: "Transcribe a recording",
          operationId: path.endsWith("n") ? "createTranscription" : "createPreRecorded",
          body: PreRecordedBody,
          response: { 201: CreatedJob, ...errorResponses(400, 401, 413, 415, 422, 429, 507) },
        },
        preValidation: async (request) => {
          request.body = prepare(PreRecordedBody, request.body) as PreRecordedBody;
        },
        preHandler: async (request) => {
          const body = request.body as PreRecordedBody;
          const problems = crossFieldProblems(body);
          if (!FILE_PATH.test(new URL(body.audio_url).pathname)) {
            const refused = refusedUrl(body.audio_url, settings.allowPrivateAddresses);
            if (refused) problems.push(`audio_url ${refused}`);
          }
          for (const name of ["callback_url", "callback_config"] as const) {
            const address = name === "callback_url" ? body.callback_url : body.callback_config?.url;
            const refused = address ? refusedUrl(address, settings.allowPrivateAddresses) : undefined;
            if (refused) problems.push(`${name === "callback_url" ? name : `${name}.url`} ${refused}`);
          }
          if (problems.length > 0) throw errors.invalidParameters(problems);
        },
      },
      async (request, reply) => {
        await context.space.check();
        const body = request.body;
        const language_config = effectiveLanguages(body);
        const wanted = { model: body.model ?? DEFAULT_MODEL, language_config };
        const { model, isInstalled } = await chooseModel(languageRequestOf(wanted), context);
        const fileId = await uploadedFile(body.audio_url, request, context);
        await refuseOverQueued(request.account.id, context);
        const id = context.newId();
        const { custom_metadata, ...given } = body;
        const params = { ...given, ...wanted };
        const job: NewJob = {
          trace: request.span?.trace,
          id,
          accountId: request.account.id,
          kind: "pre-recorded",
          model,
          createdAt: context.now(),
          params,
          audioUrl: body.audio_url,
          ...(custom_metadata ? { metadata: custom_metadata } : {}),
          ...(fileId ? { fileId } : {}),
        };
        await acceptRecorded(job, isInstalled, context);
        request.publicRequestId = requestIdOf(id);
        reply.code(201);
        return { id, result_url: `${publicBase(request, settings)}/v2/transcription/${id}` };
      },
    );
  }
}
