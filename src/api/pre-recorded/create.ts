// POST /v2/pre-recorded and POST /v2/transcription: a job is accepted when its row and its place in the queue are
// stored; nothing is fetched before the answer.
import type { FastifyRequest } from "fastify";
import { errorResponses } from "../../contract/errors.ts";
import { StrictQuery } from "../../contract/fields.ts";
import { CreatedJob, effectiveLanguages, PreRecordedBody } from "../../contract/pre-recorded.ts";
import { FetchAddress } from "../../platform/addresses/fetch-address.ts";
import { parseUrl } from "../../platform/addresses/web-url.ts";
import { errors } from "../../platform/errors.ts";
import { refusedUrl } from "../../platform/net/address-rules.ts";
import { findFile } from "../../platform/storage/db/files/files.ts";
import { isUuid } from "../../platform/storage/db/ids.ts";
import type { NewJob } from "../../platform/storage/db/jobs/new-job.ts";
import { hasLanguageModel } from "../../service/intelligence/has-language-model.ts";
import { acceptRecorded } from "../../service/jobs/accept.ts";
import { chooseModel } from "../../service/models/choose-model.ts";
import { languageRequestOf } from "../../service/models/speech-plan.ts";
import { DEFAULT_MODEL } from "../../service/models/store.ts";
import { type Api, type ApiContext, publicBase, requestIdOf } from "../context.ts";
import { ineffectiveFields } from "../ineffective-fields.ts";
import { ignoredFields } from "../requests/unknown-fields.ts";
import { prepare } from "../validation/prepare.ts";
import { crossFieldProblems, uncertainRedaction } from "./problems.ts";

/** Two addresses of one operation. */
const ROUTES = [
  ["/v2/pre-recorded", "createPreRecorded"],
  ["/v2/transcription", "createTranscription"],
] as const;

/** Behind any prefix: a reverse proxy may have removed or added one since the upload. */
const FILE_PATH = /^(.*)\/file\/([^/]{36})\/?$/;

/**
 * Finds the uploaded file that an address names. Scheme and host do not matter: a proxy may have changed them.
 * @returns id of the file; undefined for an address of another host
 * @throws file.unknown when the address is one of this service and names no file of this account
 */
async function uploadedFile(
  audioUrl: string,
  request: FastifyRequest,
  { database, forwarding }: Pick<ApiContext, "database" | "forwarding">,
): Promise<string | undefined> {
  const url = parseUrl(audioUrl);
  const [, prefix = "", id] = FILE_PATH.exec(url?.pathname ?? "") ?? [];
  if (!url || !id) return undefined;
  const file = isUuid(id) ? await findFile(database, id) : undefined;
  if (file?.account_id === request.account.id && !file.audio_deleted_at) return file.id;
  const own = parseUrl(publicBase(request, { forwarding }));
  const ownPrefixes = ["", own?.pathname.replace(/\/$/, ""), request.clientView.prefix];
  if (url.host === own?.host && ownPrefixes.includes(prefix)) throw errors.unknownFile();
  return undefined;
}

export function addCreate(
  app: Api,
  context: Pick<
    ApiContext,
    | "resultProcesses"
    | "database"
    | "forwarding"
    | "models"
    | "newId"
    | "now"
    | "queue"
    | "settings"
    | "space"
    | "voices"
    | "waitingForModels"
  >,
): void {
  const { settings } = context;
  for (const [path, operationId] of ROUTES) {
    app.post(
      path,
      {
        schema: {
          tags: ["Pre-recorded"],
          summary: "Transcribe a recording",
          operationId,
          querystring: StrictQuery,
          body: PreRecordedBody,
          response: { 201: CreatedJob, ...errorResponses(400, 401, 409, 413, 415, 422, 429, 507) },
        },
        config: { acceptsUnknownFields: true },
        preValidation: async (request) => {
          request.body = prepare(PreRecordedBody, request.body, request.unknownFields) as PreRecordedBody;
        },
        preHandler: async (request) => {
          const body = request.body as PreRecordedBody;
          const problems = crossFieldProblems(body, body.pii_redaction === true && (await hasLanguageModel(context)));
          // An address that may be one of an uploaded file is checked after the look-up of the file.
          const isMaybeFile = FILE_PATH.test(parseUrl(body.audio_url)?.pathname ?? "");
          const foreign = isMaybeFile
            ? undefined
            : refusedUrl(FetchAddress.of(body.audio_url).shown, settings.allowPrivateAddresses);
          if (foreign) problems.push(`audio_url ${foreign}`);
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
        if (body.diarization_config?.identify_speakers) await context.voices.requireOn(request.account.id);
        const language_config = effectiveLanguages(body);
        const wanted = { model: body.model ?? DEFAULT_MODEL, language_config };
        const { model, isInstalled } = await chooseModel(languageRequestOf(wanted), context);
        const fileId = await uploadedFile(body.audio_url, request, context);
        const address = FetchAddress.of(body.audio_url);
        const foreign = fileId ? undefined : refusedUrl(address.shown, settings.allowPrivateAddresses);
        if (foreign) throw errors.invalidParameters([`audio_url ${foreign}`]);
        const id = context.newId();
        const { custom_metadata, ...given } = body;
        const warnings = [...ignoredFields(request), ...ineffectiveFields(body), ...uncertainRedaction(body)];
        const params = { ...given, audio_url: address.shown, ...wanted, ...(warnings.length > 0 ? { warnings } : {}) };
        const job: NewJob = {
          trace: request.span?.trace,
          id,
          accountId: request.account.id,
          kind: "pre-recorded",
          model,
          createdAt: context.now(),
          params,
          audioUrl: address,
          ...(custom_metadata ? { metadata: custom_metadata } : {}),
          ...(fileId ? { fileId } : {}),
        };
        await acceptRecorded(job, isInstalled, context);
        request.publicRequestId = requestIdOf(id);
        reply.code(201);
        return {
          id,
          result_url: `${publicBase(request, context)}/v2/transcription/${id}`,
          ...(warnings.length > 0 ? { warnings } : {}),
        };
      },
    );
  }
}
