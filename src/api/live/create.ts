// POST /v2/live: a session and the address to connect to.
import { errorResponses } from "../../contract/errors.ts";
import { CreatedSession, LiveBody, LiveQuery, turnSilenceProblems } from "../../contract/live.ts";
import { errors } from "../../platform/errors.ts";
import { refusedUrl } from "../../platform/net/address-rules.ts";
import { DEFAULT_MODEL } from "../../service/models/store.ts";
import { type Api, type ApiContext, publicBase, requestIdOf } from "../context.ts";
import { ineffectiveLiveFields } from "../ineffective-fields.ts";
import { ignoredFields } from "../requests/unknown-fields.ts";
import { speakerCountProblems } from "../speaker-counts.ts";
import { prepare } from "../validation/prepare.ts";

const CONFIGS_WITH_DATA = [
  ["custom_vocabulary", "custom_vocabulary_config", "vocabulary"],
  ["custom_spelling", "custom_spelling_config", "spelling_dictionary"],
  ["translation", "translation_config", "target_languages"],
] as const;

/** Rules between fields. @returns a sentence for each one broken */
function liveProblems(body: LiveBody): string[] {
  const problems: string[] = [];
  for (const [name, config, field] of CONFIGS_WITH_DATA) {
    if (body.realtime_processing?.[name] && !body.realtime_processing[config]) {
      problems.push(`realtime_processing.${config}.${field} is required when realtime_processing.${name} is true`);
    }
  }
  if (body.callback && !body.callback_config?.url) {
    problems.push("callback_config.url is required when callback is true");
  }
  return [...problems, ...turnSilenceProblems(body.turn_detection), ...speakerCountProblems(body)];
}

export function addLiveCreate(app: Api, context: Pick<ApiContext, "creation" | "forwarding" | "settings">): void {
  const { creation, settings } = context;
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
      const body = request.body;
      const problems = liveProblems(body);
      const address = body.callback_config?.url;
      const refused = address ? refusedUrl(address, settings.allowPrivateAddresses) : undefined;
      if (refused) problems.push(`callback_config.url ${refused}`);
      if (problems.length > 0) throw errors.invalidParameters(problems);
      const region = request.query.region ?? body.region;
      const warnings = [...ignoredFields(request), ...ineffectiveLiveFields(body)];
      if (body.region && region !== body.region) {
        warnings.push(`region has no effect in the body: the address names ${region}`);
      }
      const { id, createdAt, token } = await creation.create({
        account: request.account,
        keyId: request.keyId,
        body: { ...body, ...(region ? { region } : {}), model: body.model ?? DEFAULT_MODEL },
        warnings,
        trace: request.span?.trace,
      });
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
