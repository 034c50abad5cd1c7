// The one renderer of errors over HTTP.
import type { ErrorObject } from "ajv";
import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import { type ErrorCode, errors, ParlanceError, shortageError } from "../../platform/errors.ts";
import { publicMessage } from "../../platform/public-message.ts";
import { goneReference, type ReferencedTable } from "../../platform/storage/db/gone-references.ts";
import {
  isDictationPath,
  isStreamingPath,
  isTokenPath,
  isTranscriptPath,
  streamingError,
  transcriptError,
} from "../../service/assemblyai/errors.ts";
import { isDeepgramPath, listenError } from "../../service/deepgram/errors.ts";
import { OPENAI_PREFIX, openAiErrorBody } from "../../service/openai/errors.ts";
import type { SendPage } from "../console/pages.ts";
import { type Api, type ApiContext, publicBase } from "../context.ts";
import { hasBareKey, isAssemblyAiUpload } from "../upload/raw-upload.ts";
import { validationSentences } from "../validation/sentences.ts";
import { asrError, isAsrPath } from "../whisper-asr/errors.ts";
import { wrongContentType } from "./content-types.ts";
import { routeHint } from "./route-hints.ts";

/** By the table of the row that was deleted during the request. */
const GONE: Readonly<Record<ReferencedTable, () => ParlanceError>> = {
  accounts: errors.keyUnknown,
  deliveries: () => errors.notFound("Delivery"),
  jobs: () => errors.notFound("Job"),
  uploads: () => errors.notFound("Upload"),
  voices: () => errors.notFound("Voice"),
};

/** Errors of Fastify and its plugins in our words. */
function fromFastify(error: FastifyError, request: FastifyRequest): ParlanceError {
  const gone = goneReference(error);
  if (gone) return GONE[gone]();
  if (error.validation) {
    return errors.invalidParameters(validationSentences(error.validation as unknown as ErrorObject[]));
  }
  switch (error.code) {
    case "FST_ERR_CTP_BODY_TOO_LARGE":
      return errors.bodyOverLimit();
    case "FST_ERR_CTP_INVALID_MEDIA_TYPE":
      return wrongContentType(request);
    default:
      // The multipart parser's own complaints come without a status.
      if (error.message.startsWith("Multipart:")) {
        return errors.malformedBody("its content type is missing the multipart boundary", error);
      }
      if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) {
        return errors.refusedByServer(error.message, error.statusCode);
      }
      // A handler that met a full disk, or too many open files.
      return shortageError(error) ?? errors.internal(error);
  }
}

const parlanceErrorOf = (thrown: FastifyError | ParlanceError, request: FastifyRequest) =>
  thrown instanceof ParlanceError ? thrown : fromFastify(thrown, request);

/** A file or an object is missing, or the recording of a job is gone. */
const mayMeanDeletion = ({ code, status }: ParlanceError) =>
  status === 410 || status === 500 || code === "storage.unavailable";

/** If another request deletes what a request is about, the request can fail in many ways. Such an error becomes "not found". */
async function unlessDeleted(
  thrown: FastifyError | ParlanceError,
  request: FastifyRequest,
): Promise<FastifyError | ParlanceError> {
  const { subject } = request;
  if (!subject || !mayMeanDeletion(parlanceErrorOf(thrown, request))) return thrown;
  if (await subject.exists().catch(() => true)) return thrown;
  request.log.info({ err: thrown }, `the ${subject.name.toLowerCase()} was deleted during the request`);
  return errors.notFound(subject.name);
}

/** Expected many times over: probes of a service that starts, clients that leave, floods of one account. */
const UNLOGGED = new Set<ErrorCode>([
  "service.not_ready",
  "work.aborted",
  "decode.queue_full",
  "fetch.queue_full",
  "transcripts.queue_full",
]);

const GLADIA_PREFIX = "/v2/";
/** Beginnings of messages by which clients of the Gladia interface recognise a wrong key. */
const GLADIA_WORDS: Readonly<Partial<Record<ErrorCode, string>>> = {
  "account.key_missing": "no gladia key provided",
  "account.key_unknown": "gladia user not found",
};

function errorBody(error: ParlanceError, request: FastifyRequest) {
  const beginning = request.url.startsWith(GLADIA_PREFIX) ? GLADIA_WORDS[error.code] : undefined;
  const text = publicMessage(error);
  const message = beginning === undefined ? text : `${beginning}: ${text}`;
  return {
    statusCode: error.status,
    message,
    timestamp: new Date().toISOString(),
    path: request.url.split("?")[0],
    request_id: request.publicRequestId,
    ...(error.fields ? { validation_errors: error.fields } : {}),
    error: { code: error.status, message },
  };
}

/** A path of AssemblyAI's interface for which this service has no route. */
const isUnroutedAssemblyAi = (path: string, request: FastifyRequest) =>
  request.is404 && (isDictationPath(path) || (path.startsWith(GLADIA_PREFIX) && hasBareKey(request)));

/** In the shape of the interface that the request's path belongs to. */
function inShape(error: ParlanceError, request: FastifyRequest): { status: number; body: object } {
  const path = request.url.split("?")[0] ?? "";
  if (isAsrPath(path)) return asrError(error);
  if (isDeepgramPath(path)) return { status: error.status, body: listenError(error, request.publicRequestId) };
  if (isStreamingPath(path) || isTokenPath(path)) return { status: error.status, body: streamingError(error) };
  if (isTranscriptPath(path) || isAssemblyAiUpload(request) || isUnroutedAssemblyAi(path, request))
    return { status: error.status, body: transcriptError(error) };
  const body = path.startsWith(OPENAI_PREFIX) ? openAiErrorBody(error) : errorBody(error, request);
  return { status: error.status, body };
}

/** For an address that cannot be decoded, which no route and no hook ever gets: it can name nothing. */
export function renderUndecodable(_: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  request.publicRequestId = request.id;
  render(errors.noRoute(request.method, request.url.split("?")[0] ?? ""), request, reply);
}

/** A person opened the address in a browser, which names XHTML: programs ask for JSON or for anything, and some of them for HTML. */
const isForPerson = ({ method, headers, url }: FastifyRequest) => {
  const accept = String(headers.accept ?? "").toLowerCase();
  const isPage = accept.includes("text/html") && accept.includes("application/xhtml+xml");
  return method === "GET" && isPage && !url.startsWith(OPENAI_PREFIX);
};

/** Errors for which the console has a page: that there is nothing, and that a sign-in has ended. */
const WITH_PAGE = new Set([401, 404]);

/** Headers that describe the content of a success. They are set before the content turns out to be unreadable. */
const OF_SUCCESS = ["content-encoding", "content-disposition", "content-length", "accept-ranges", "etag"];

/** A stream may also fail before its first byte, when its headers are already set. */
function removeHeadersOfSuccess(reply: FastifyReply, status: number): void {
  for (const name of OF_SUCCESS) reply.removeHeader(name);
  // With 416, the header names the size of the whole.
  if (status !== 416) reply.removeHeader("content-range");
  reply.header("cache-control", "no-store");
}

function render(
  thrown: FastifyError | ParlanceError,
  request: FastifyRequest,
  reply: FastifyReply,
  sendPage?: SendPage,
) {
  const error = parlanceErrorOf(thrown, request);
  if (error.status >= 500 && !UNLOGGED.has(error.code)) request.log.error({ err: thrown }, "request failed");
  removeHeadersOfSuccess(reply, error.status);
  if (error.retryAfterSeconds !== undefined) reply.header("retry-after", String(error.retryAfterSeconds));
  if (sendPage && WITH_PAGE.has(error.status) && isForPerson(request))
    return sendPage(request, reply.code(error.status));
  const { status, body } = inShape(error, request);
  return reply.code(status).type("application/json; charset=utf-8").send(body);
}

/** The request that precedes one of a page of another origin. No route answers it without PARLANCE_CORS_ORIGINS. */
const isPreflight = ({ method, headers }: FastifyRequest) =>
  method === "OPTIONS" && headers.origin !== undefined && headers["access-control-request-method"] !== undefined;
const FOREIGN_PAGE =
  "Pages and apps of other origins may not call this service in a browser; PARLANCE_CORS_ORIGINS names those that may";

/** @param sendPage  the console's page; undefined where there is none */
export function addErrorRenderer(app: Api, context: Pick<ApiContext, "forwarding">, sendPage?: SendPage): void {
  app.setErrorHandler(async (thrown: FastifyError | ParlanceError, request, reply) =>
    render(await unlessDeleted(thrown, request), request, reply, sendPage),
  );
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split("?")[0] ?? "";
    const hint = isPreflight(request) ? FOREIGN_PAGE : routeHint(request.method, path, publicBase(request, context));
    render(errors.noRoute(request.method, path, hint), request, reply, sendPage);
  });
}
