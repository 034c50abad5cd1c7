// Composes the HTTP interface out of its operations; opens no port.
import { Readable } from "node:stream";
import cors from "@fastify/cors";
import multipart from "@fastify/multipart";
import Fastify, { type FastifyServerFactory, LogController } from "fastify";
import { ANY_ORIGIN, corsOriginsOf } from "../platform/config/cors-origins.ts";
import { trustOf } from "../platform/config/trusted-proxies.ts";
import { errors } from "../platform/errors.ts";
import { addCallbackSecret } from "./account/callback-secret.ts";
import { addAccountDeliveries } from "./account/deliveries.ts";
import { addAccountGet } from "./account/get.ts";
import { addKeys } from "./account/keys.ts";
import { addTranscriptList } from "./assemblyai/list.ts";
import { addStreamingToken } from "./assemblyai/token.ts";
import { addTranscripts } from "./assemblyai/transcripts.ts";
import { addConsole, consolePage } from "./console/pages.ts";
import { type Api, type ApiContext, publicBase, requestIdOf } from "./context.ts";
import { addGrant } from "./deepgram/grant.ts";
import { addListen } from "./deepgram/listen.ts";
import { FORM_OPTIONS } from "./form-parts.ts";
import { addCaptionEvents } from "./live/caption-events.ts";
import { addCaptions } from "./live/captions.ts";
import { addLiveCreate } from "./live/create.ts";
import { addLivePatch } from "./live/patch.ts";
import { addLiveStop } from "./live/stop.ts";
import { addMcp } from "./mcp/routes.ts";
import { addOpenAiAudio } from "./openai/audio.ts";
import { addClientSecrets } from "./openai/client-secrets.ts";
import { addOpenAiModels } from "./openai/models.ts";
import { addAccounts } from "./plugins/account.ts";
import { addAsyncApi } from "./plugins/asyncapi.ts";
import { addCompression } from "./plugins/compression.ts";
import { addContentTypes } from "./plugins/content-types.ts";
import { addErrorRenderer, renderUndecodable } from "./plugins/errors.ts";
import { addForwardingHints } from "./plugins/forwarding.ts";
import { addOpenApi } from "./plugins/openapi.ts";
import { addPageHeaders } from "./plugins/page-headers.ts";
import { addTraces } from "./plugins/traces.ts";
import { addAudio } from "./pre-recorded/audio.ts";
import { addCreate } from "./pre-recorded/create.ts";
import { addDeliveries } from "./pre-recorded/deliveries.ts";
import { addGet, type JobRoute } from "./pre-recorded/get.ts";
import { addRemove } from "./pre-recorded/remove.ts";
import { addEvents } from "./records/events.ts";
import { addLabels } from "./records/labels.ts";
import { addList } from "./records/list.ts";
import { addTags } from "./records/tags.ts";
import { addUnknownFields } from "./requests/unknown-fields.ts";
import { addHealth } from "./system/health.ts";
import { addMetrics } from "./system/metrics.ts";
import { addModels } from "./system/models.ts";
import { addStatus } from "./system/status.ts";
import { addRepeatedCorrections } from "./teaching/repeated.ts";
import { addVocabulary } from "./teaching/vocabulary.ts";
import { addVocabularyLists } from "./teaching/vocabulary-lists.ts";
import { addLaterAddOns } from "./transcripts/add-ons.ts";
import { addCorrections } from "./transcripts/corrections.ts";
import { addTranscript } from "./transcripts/get.ts";
import { addNotes } from "./transcripts/notes.ts";
import { addPeaks } from "./transcripts/peaks.ts";
import { addQuestions } from "./transcripts/questions.ts";
import { addShared } from "./transcripts/shared.ts";
import { addShares } from "./transcripts/shares.ts";
import { addStretches } from "./transcripts/stretches.ts";
import type { SchemaTypes } from "./type-provider.ts";
import { addUpload } from "./upload/create.ts";
import { addFileDownload } from "./upload/get.ts";
import { addFileRemoval } from "./upload/remove.ts";
import { addResumableUploads } from "./upload/resumable.ts";
import { validateLazily, validatorOptions } from "./validation/compiler.ts";
import { parseJson } from "./validation/json.ts";
import { checkAddress } from "./validation/text.ts";
import { addEnrolment } from "./voices/enrol.ts";
import { addVoices } from "./voices/manage.ts";
import { addWhisperAsr } from "./whisper-asr/routes.ts";

/** HEAD, which every route with GET answers: the same status and headers without the content. */
function addHead(app: Api): void {
  app.addHook("onSend", async (request, _reply, payload) => {
    if (request.method !== "HEAD" || !(payload instanceof Readable)) return payload;
    // Fastify would read a recording to its end. The empty stream leaves the header content-length as the route set it.
    payload.destroy();
    return Readable.from([]);
  });
}

const OWN_PATH = /^\/(?![/\\])/;

/** Redirects of routes and plugins name paths of this service; a browser needs the prefix of the reverse proxy in front of them. */
function addRedirectPrefixes(app: Api): void {
  app.addHook("onSend", async ({ clientView }, reply) => {
    const location = reply.getHeader("location");
    if (typeof location === "string" && OWN_PATH.test(location)) reply.header("location", clientView.prefix + location);
  });
}

/** Counts requests over HTTP against the limit of their account. */
function addRequestLimits(app: Api, { requestRates }: Pick<ApiContext, "requestRates">): void {
  app.addHook("onRequest", async (request) => {
    // Routes without a key have no account.
    if (request.account) await requestRates.take(request.account);
  });
}

/** Without this list, scripts of other origins read the content type and length of an answer only. */
const EXPOSED_HEADERS = [
  "Retry-After",
  "X-Parlance-Warnings",
  "Asr-Engine",
  "X-Request-Id",
  "X-Aipi-Call-Id",
  "Content-Disposition",
  "Content-Range",
  "Accept-Ranges",
  // Of uploads that resume.
  "Location",
  "Parlance-Audio-Url",
  "Tus-Checksum-Algorithm",
  "Tus-Extension",
  "Tus-Max-Size",
  "Tus-Resumable",
  "Tus-Version",
  "Upload-Expires",
  "Upload-Defer-Length",
  "Upload-Length",
  "Upload-Metadata",
  "Upload-Offset",
];
const BODY_LIMIT_BYTES = 1_048_576;

const JOB_ROUTES: JobRoute[] = [
  { path: "/v2/live", kind: "live", tag: "Live" },
  { path: "/v2/pre-recorded", kind: "pre-recorded", tag: "Pre-recorded" },
  { path: "/v2/transcription", kind: undefined, tag: "All jobs" },
];

/** Interfaces of other services, and that of assistants. */
function addOtherInterfaces(app: Api, context: ApiContext, version: string): void {
  addOpenAiAudio(app, context);
  addOpenAiModels(app, context);
  addClientSecrets(app, context);
  addWhisperAsr(app, context);
  addListen(app, context);
  addGrant(app, context);
  addStreamingToken(app, context);
  addTranscripts(app, context);
  addTranscriptList(app, context);
  addMcp(app, context, version);
}

/** Those that only live sessions have. */
function addLive(app: Api, context: ApiContext): void {
  addLiveCreate(app, context);
  addLivePatch(app, context);
  addLiveStop(app, context);
  addCaptions(app, context);
  addCaptionEvents(app, context);
}

function addTranscriptOperations(app: Api, context: ApiContext): void {
  addTranscript(app, context);
  addCorrections(app, context);
  addNotes(app, context);
  addShares(app, context);
  addShared(app, context);
  addPeaks(app, context);
  addStretches(app, context);
  addQuestions(app, context);
  addLaterAddOns(app, context);
  addRepeatedCorrections(app, context);
  addVocabulary(app, context);
  addVocabularyLists(app, context);
}

/** @param serverFactory  makes the server, which owns its sockets and answers what is no request */
export async function createApp(
  context: ApiContext,
  version: string,
  serverFactory: FastifyServerFactory,
): Promise<Api> {
  const { settings } = context;
  const app: Api = Fastify({
    serverFactory,
    // The server has answered already.
    clientErrorHandler: () => undefined,
    loggerInstance: context.logger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: "request" }),
    genReqId: () => requestIdOf(context.newId()),
    trustProxy: trustOf(settings.trustProxy) ?? false,
    bodyLimit: BODY_LIMIT_BYTES,
    routerOptions: { ignoreTrailingSlash: true, ignoreDuplicateSlashes: false },
    ajv: validatorOptions,
    schemaController: { compilersFactory: { buildValidator: validateLazily } },
    exposeHeadRoutes: true,
    frameworkErrors: renderUndecodable,
  }).withTypeProvider<SchemaTypes>();

  // Answers are built here and checked in tests; serialising by schema would drop what a schema forgot.
  app.setSerializerCompiler(() => (value) => (typeof value === "string" ? value : JSON.stringify(value)));
  app.decorateRequest("publicRequestId", "");
  app.decorateRequest("subject", undefined);
  app.decorateRequest("clientView");
  app.addHook("onRequest", async (request) => {
    request.publicRequestId = request.id;
    request.clientView = context.forwarding.viewOf(request.raw);
    if (!URL.canParse(publicBase(request, context))) {
      throw errors.headerMalformed("Host", "must be a host name or an IP address, with or without a port");
    }
  });
  addHead(app);
  addForwardingHints(app, context);
  addTraces(app, context);
  addPageHeaders(app, settings);
  addCompression(app);
  addRedirectPrefixes(app);
  app.addHook("onSend", async (request, reply) => {
    reply.header("x-request-id", request.publicRequestId).header("x-aipi-call-id", request.publicRequestId);
  });
  app.addHook("onResponse", async (request, reply) => {
    const { method } = request;
    const path = request.url.split("?")[0];
    const milliseconds = Math.round(reply.elapsedTime);
    request.log.info({ method, path, status: reply.statusCode, milliseconds }, "request");
    // Who changed what, with which key.
    if (method === "GET" || method === "HEAD" || reply.statusCode >= 400 || !request.account) return;
    const { account, keyName, ip: address } = request;
    request.log.info({ audit: true, account: account.name, keyName, address, method, path }, "audit");
  });
  // Some clients send a JSON content type without a body.
  app.addContentTypeParser("application/json", { parseAs: "string" }, (_request, text, done) => {
    if (text === "") return done(null, undefined);
    try {
      done(null, parseJson(text as string));
    } catch (error) {
      done(error as Error);
    }
  });

  const sendPage = context.roles.has("api") ? await consolePage() : undefined;
  addErrorRenderer(app, context, sendPage);
  const origins = corsOriginsOf(settings.corsOrigins);
  if (origins.length > 0) {
    await app.register(cors, {
      origin: origins.includes(ANY_ORIGIN) ? ANY_ORIGIN : origins,
      exposedHeaders: EXPOSED_HEADERS,
      methods: ["GET", "POST", "PUT", "PATCH", "DELETE"],
    });
  }
  await app.register(multipart, FORM_OPTIONS);
  if (context.roles.has("api")) {
    await addOpenApi(app, context, version);
    if (sendPage) await addConsole(app, sendPage);
    addAsyncApi(app, context, version);
  }
  addAccounts(app, context);
  addRequestLimits(app, context);
  app.addHook("preValidation", async (request) => checkAddress(request));
  addContentTypes(app);
  addUnknownFields(app, settings.strictRequests);

  app.after(() => {
    addHealth(app, context);
    if (settings.metrics) addMetrics(app, context);
    if (!context.roles.has("api")) return;
    addStatus(app, context, version);
    addModels(app, context);
    addAccountGet(app, context);
    addKeys(app, context);
    addAccountDeliveries(app, context);
    addCallbackSecret(app, context);
    addUpload(app, context);
    addResumableUploads(app, context);
    addFileDownload(app, context);
    addFileRemoval(app, context);
    addCreate(app, context);
    addLive(app, context);
    for (const route of JOB_ROUTES) {
      addList(app, context, route);
      addGet(app, context, route);
      addRemove(app, context, route);
      addAudio(app, context, route);
      addDeliveries(app, context, route);
    }
    addOtherInterfaces(app, context, version);
    addEvents(app, context);
    addLabels(app, context);
    addTags(app, context);
    addTranscriptOperations(app, context);
    addVoices(app, context);
    addEnrolment(app, context);
  });
  await app.ready();
  return app;
}
