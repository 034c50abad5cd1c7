// POST /v2/live: a session and the address to connect to.
import { errorResponses } from "../../contract/errors.ts";
import { CreatedSession, LiveBody, LiveQuery } from "../../contract/live.ts";
import { DEFAULT_MODEL } from "../../service/models/store.ts";
import { type Api, type ApiContext, publicBase, requestIdOf } from "../context.ts";
import { ignoredFields } from "../requests/unknown-fields.ts";
import { prepare } from "../validation/prepare.ts";
import { checkLiveBody } from "./judge.ts";

/** How some clients name the encoding, jambonz among them. */
const PCM = /^pcm$/i;

function withEncoding(body: unknown): unknown {
  const { encoding } = body as { encoding?: unknown };
  return typeof encoding === "string" && PCM.test(encoding) ? { ...(body as object), encoding: "wav/pcm" } : body;
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
      config: { acceptsUnknownFields: true, takesJsonAsText: true },
      preValidation: async (request) => {
        request.body = prepare(LiveBody, withEncoding(request.body ?? {}), request.unknownFields) as LiveBody;
      },
    },
    async (request, reply) => {
      const body = request.body;
      const ineffective = checkLiveBody(body, settings);
      const region = request.query.region ?? body.region;
      const warnings = [...ignoredFields(request), ...ineffective];
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
