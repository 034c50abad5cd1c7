// POST /v2/live: a session and the address to connect to.
import { errorResponses } from "../../contract/errors.ts";
import { CreatedSession, LiveBody, LiveQuery } from "../../contract/live.ts";
import { FetchAddress } from "../../platform/addresses/fetch-address.ts";
import type { CreatedSession as NewSession } from "../../service/live/session/creation.ts";
import { SOURCE_RATE } from "../../service/live/sources/source-decoder.ts";
import { DEFAULT_MODEL } from "../../service/models/store.ts";
import { CAPTIONS_PAGE } from "../console/pages.ts";
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

/** The samples of a source, which its decoder makes. */
const SOURCE_FORMAT = { encoding: "wav/pcm", bit_depth: 16, sample_rate: SOURCE_RATE, channels: 1 } as const;

/** @returns a sentence for each field that a source leaves without effect */
function withoutEffect(body: LiveBody): string[] {
  const sentences = Object.entries(SOURCE_FORMAT)
    .filter(([name, value]) => body[name as keyof typeof SOURCE_FORMAT] !== value)
    .map(([name]) => `${name} has no effect with source: the source states its format`);
  if (body.messages_config?.receive_final_transcripts === false)
    sentences.push("messages_config.receive_final_transcripts has no effect with source: captions are made of finals");
  return sentences;
}

const withSource = (body: LiveBody, source: FetchAddress) => ({
  ...SOURCE_FORMAT,
  messages_config: { ...body.messages_config, receive_final_transcripts: true },
  source: { ...body.source, url: source.shown },
});

interface AddressParts {
  base: string;
  hasSource: boolean;
  hasConsole: boolean;
}

function addressesOf({ id, token, viewerToken }: NewSession, { base, hasSource, hasConsole }: AddressParts) {
  const url = `${base.replace(/^http/, "ws")}/v2/live?token=${token}`;
  if (viewerToken === undefined) return { url };
  const own = (path: string) => `${base}${path}?token=${viewerToken}`;
  const events = own(`/v2/live/${id}/events`);
  const captions = {
    events,
    ...(hasConsole ? { page: own(`/captions/${id}`) } : {}),
    ...(hasSource ? { playlist: own(`/v2/live/${id}/captions.m3u8`) } : {}),
  };
  return { url: hasSource ? events : url, captions };
}

export function addLiveCreate(
  app: Api,
  context: Pick<ApiContext, "creation" | "forwarding" | "settings" | "sources">,
): void {
  const { creation, settings, sources } = context;
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
      const source = body.source && FetchAddress.of(body.source.url);
      if (source) warnings.push(...withoutEffect(body));
      const created = await creation.create({
        account: request.account,
        keyId: request.keyId,
        body: {
          ...body,
          ...(region ? { region } : {}),
          ...(source ? withSource(body, source) : {}),
          model: body.model ?? DEFAULT_MODEL,
        },
        source,
        warnings,
        trace: request.span?.trace,
      });
      const { id, createdAt } = created;
      request.publicRequestId = requestIdOf(id);
      if (source) void sources.open(id).catch((error: unknown) => request.log.warn({ err: error, session: id }));
      return reply.code(201).send({
        id,
        created_at: createdAt.toISOString(),
        ...addressesOf(created, {
          ...{ base: publicBase(request, context), hasSource: source !== undefined },
          hasConsole: app.hasRoute({ method: "GET", url: CAPTIONS_PAGE }),
        }),
        ...(warnings.length > 0 ? { warnings } : {}),
      });
    },
  );
}
