// The OpenAPI document made from the routes' own schemas, and a page to read it on and to try it out.
import swagger from "@fastify/swagger";
import swaggerUi from "@fastify/swagger-ui";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { TSchema } from "typebox";
import { splitTarget } from "../../platform/addresses/web-url.ts";
import { keyHeaderNames } from "../../platform/config/key-headers.ts";
import { type Api, type ApiContext, publicBase } from "../context.ts";
import { nameOperations } from "../description/operation-ids.ts";
import { shareSchemas } from "../description/shared-schemas.ts";
import { LOGO } from "../docs/logo.ts";
import { addDocsPages } from "../docs/pages.ts";
import { REFERENCE_STYLE } from "../docs/style.ts";

// Multipart bodies in the OpenAPI document. Handlers read these as streams, so that no schema validates them: a route describes them in
// its configuration, and accepts the content types that it describes.
declare module "fastify" {
  interface FastifyContextConfig {
    /** Bodies by content type; only JSON is accepted where it is missing. */
    describedBodies?: Readonly<Record<string, TSchema>>;
  }
}

/** The described bodies of a route, as the document has them. */
function requestBodyOf(bodies: Readonly<Record<string, TSchema>>) {
  return {
    required: true,
    content: Object.fromEntries(Object.entries(bodies).map(([type, schema]) => [type, { schema }])),
  };
}

const REFERENCE_PATH = "/docs/api";
const TITLE = "Parlance API";

const TAGS = [
  ["Pre-recorded", "Recordings as jobs"],
  ["Live", "Live sessions; what is said on the WebSocket: /asyncapi.json"],
  ["All jobs", "Both kinds together"],
  ["Transcripts", "Extensions: transcripts as files, corrections"],
  ["Corrections that teach", "Extensions: repeated corrections, the vocabulary of the account, vocabulary lists"],
  ["Files", "Uploads"],
  ["OpenAI", "For clients of OpenAI's audio interface"],
  ["Subtitle tools", "For clients of whisper-asr-webservice, such as Bazarr"],
  ["Deepgram", "For clients of Deepgram's interface; the documentation has its live part"],
  ["AssemblyAI", "For clients of AssemblyAI's interface; the documentation has its WebSocket"],
  ["Assistants", "The Model Context Protocol"],
  ["Account", "Keys, limits, callbacks"],
  ["System", "The service itself"],
] as const;

interface Operation {
  operationId?: string;
  requestBody?: unknown;
  responses?: Record<string, { content?: Record<string, unknown> }>;
}
type Operations = Record<string, Record<string, Operation>>;
type Bodies = Map<string, ReturnType<typeof requestBodyOf>>;

/** `/file/:id` as the document writes it. */
const documentPath = (url: string) => url.replace(/:(\w+)/g, "{$1}");

const JSON_TYPE = "application/json";

/** Errors are JSON. The plugin gives every answer of an operation the media types of its success. */
function describeErrorsAsJson({ responses = {} }: Operation): void {
  for (const [status, response] of Object.entries(responses)) {
    const [described] = Object.values(response.content ?? {});
    if (Number(status) >= 400 && described !== undefined) response.content = { [JSON_TYPE]: described };
  }
}

/** The document with shared schemas, names of operations and the forms that routes describe. */
function completed<Document extends object>(document: Document, bodies: Bodies): Document {
  const { paths, components, ...rest } = structuredClone(document) as { paths: Operations; components?: object };
  nameOperations(paths);
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const body = bodies.get(`${method} ${path}`);
      if (body) operation.requestBody = structuredClone(body);
      describeErrorsAsJson(operation);
    }
  }
  const shared = shareSchemas(paths);
  return {
    ...rest,
    components: { ...components, schemas: shared.schemas },
    paths: shared.paths,
  } as unknown as Document;
}

/** The reference page resolves addresses in its document relative to its own path, and its scripts are there. */
async function addFinalSlash(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> {
  const { path } = splitTarget(request.url);
  return path === REFERENCE_PATH ? reply.redirect(`${REFERENCE_PATH}/`) : undefined;
}

export async function addOpenApi(
  app: Api,
  context: Pick<ApiContext, "forwarding" | "settings">,
  version: string,
): Promise<void> {
  const { settings } = context;
  const names = keyHeaderNames(settings);
  const bodies: Bodies = new Map();
  app.addHook("onRoute", ({ method, url, config }) => {
    const described = config?.describedBodies;
    if (!described) return;
    for (const one of [method].flat())
      bodies.set(`${one.toLowerCase()} ${documentPath(url)}`, requestBodyOf(described));
  });
  await app.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: {
        title: TITLE,
        version,
        description: "Speech transcription that you run yourself: live over WebSocket, recordings over HTTP.",
        license: { name: "MIT", identifier: "MIT" },
      },
      tags: TAGS.map(([name, description]) => ({ name, description })),
      components: {
        securitySchemes: {
          ...Object.fromEntries(names.map((name) => [name, { type: "apiKey" as const, in: "header" as const, name }])),
          bearer: { type: "http" as const, scheme: "bearer" },
        },
      },
      security: [...names, "bearer"].map((name) => ({ [name]: [] })),
    },
  });
  if (!settings.docs) return;
  let document: object | undefined;
  const wholeDocument = () => {
    document ??= completed(app.swagger(), bodies);
    return document;
  };
  /** @param base  in front of the paths of this service: a prefix, or an address */
  const documentAt = (base: string) => ({
    ...wholeDocument(),
    servers: [{ url: base === "" ? "/" : base }],
    externalDocs: { url: `${base}/docs`, description: "Documentation" },
  });
  await app.register(swaggerUi, {
    routePrefix: REFERENCE_PATH,
    uiHooks: { onRequest: addFinalSlash },
    // Relative to the page: it may be open under another host than that of PARLANCE_PUBLIC_URL.
    transformSpecification: (_document, { clientView }) => documentAt(clientView.prefix),
    transformSpecificationClone: false,
    uiConfig: { docExpansion: "list", deepLinking: true, persistAuthorization: false, tryItOutEnabled: true },
    logo: { type: "image/svg+xml", content: Buffer.from(LOGO), href: "/", target: "_self" },
    theme: {
      title: TITLE,
      css: [{ filename: "parlance.css", content: REFERENCE_STYLE }],
      favicon: [{ filename: "icon.svg", rel: "icon", type: "image/svg+xml", sizes: "any", content: LOGO }],
    },
  });
  app.get("/openapi.json", { config: { isOpen: true }, schema: { hide: true } }, async (request) =>
    documentAt(publicBase(request, context)),
  );
  await addDocsPages(app, context);
}
