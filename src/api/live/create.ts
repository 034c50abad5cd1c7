// POST /v2/live: a session and the address to connect to.
import { errorResponses } from "../../contract/errors.ts";
import { CreatedSession, LiveBody, LiveQuery } from "../../contract/live.ts";
import { errors } from "../../platform/errors.ts";
import { refusedUrl } from "../../platform/net/address-rules.ts";
import { insertJob, type NewJob } from "../../platform/storage/db/jobs/new-job.ts";
import { inTransaction } from "../../platform/storage/db/transaction.ts";
import { beginFetch } from "../../service/models/begin-fetch.ts";
import { chooseModel } from "../../service/models/choose-model.ts";
import { languageRequestOf } from "../../service/models/speech-plan.ts";
import { type Api, type ApiContext, DEFAULT_MODEL, publicBase, requestIdOf } from "../context.ts";
import { ineffectiveLiveFields } from "../ineffective-fields.ts";
import { ignoredFields } from "../requests/unknown-fields.ts";
import { prepare } from "../validation/prepare.ts";
import { liveProblems } from "./problems.ts";

/** Live speech cannot wait for a model. @throws models.on_its_way, or the reason why the model cannot be fetched */
async function modelOnItsWay(id: string, context: Pick<ApiContext, "logger" | "supply">): Promise<never> {
  const { supply } = context;
  await beginFetch(id, context);
  const share = Math.round((supply.shareOf(id) ?? 0) * 100);
  throw errors.modelOnItsWay(id, `${share} %`, supply.retrySeconds(id));
}

export function addLiveCreate(
  app: Api,
  context: Pick<
    ApiContext,
    | "callbacks"
    | "database"
    | "forwarding"
    | "live"
    | "logger"
    | "models"
    | "newId"
    | "now"
    | "settings"
    | "space"
    | "supply"
    | "voices"
  >,
): void {
  const { database, live, settings } = context;
  app.post(
    "/v2/live",
    {
      schema: {
        tags: ["Live"],
        summary: "Create a live session",
        operationId: "createLive",
        querystring: LiveQuery,
        body: LiveBody,
        response: { 201: CreatedSession, ...errorResponses(400, 401, 409, 413, 415, 422, 429, 503, 507) },
      },
      config: { acceptsUnknownFields: true },
      preValidation: async (request) => {
        request.body = prepare(LiveBody, request.body ?? {}, request.unknownFields) as LiveBody;
      },
    },
    async (request, reply) => {
      await context.space.check();
      const body = request.body;
      const problems = liveProblems(body);
      const address = body.callback_config?.url;
      const refused = address ? refusedUrl(address, settings.allowPrivateAddresses) : undefined;
      if (refused) problems.push(`callback_config.url ${refused}`);
      if (problems.length > 0) throw errors.invalidParameters(problems);
      if (body.diarization && body.diarization_config?.identify_speakers) {
        await context.voices.requireOn(request.account.id);
      }
      const wanted = { model: body.model ?? DEFAULT_MODEL, language_config: body.language_config };
      const { model, isInstalled } = await chooseModel(languageRequestOf(wanted), context);
      if (!isInstalled) await modelOnItsWay(model, context);
      await live.checkCapacity(request.account);

      const { custom_metadata, ...given } = body;
      const region = request.query.region ?? body.region;
      const warnings = [...ignoredFields(request), ...ineffectiveLiveFields(body)];
      if (body.region && region !== body.region) {
        warnings.push(`region has no effect in the body: the address names ${region}`);
      }
      const params = {
        ...given,
        ...(warnings.length > 0 ? { warnings } : {}),
        ...(region ? { region } : {}),
        model: wanted.model,
        // A-law and mu-law always have eight bits; the default of bit_depth does not apply.
        bit_depth: body.encoding === "wav/pcm" ? body.bit_depth : 8,
      };
      const id = context.newId();
      const createdAt = context.now();
      const job: NewJob = {
        trace: request.span?.trace,
        id,
        accountId: request.account.id,
        kind: "live",
        model,
        createdAt,
        params,
        ...(custom_metadata ? { metadata: custom_metadata } : {}),
      };
      const token = await inTransaction(database, async (transaction) => {
        await insertJob(transaction, job);
        await live.enqueueStartSession(transaction, { id, request_params: params }, createdAt);
        return live.createToken(transaction, id, request.keyId);
      });
      context.callbacks.wake();
      request.publicRequestId = requestIdOf(id);
      const base = publicBase(request, context).replace(/^http/, "ws");
      return reply.code(201).send({
        id,
        created_at: createdAt.toISOString(),
        url: `${base}/v2/live?token=${token}`,
        ...(warnings.length > 0 ? { warnings } : {}),
      });
    },
  );
}
