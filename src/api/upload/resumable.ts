// /v2/upload/resumable: uploads that resume, after the protocol tus 1.0.0 (https://tus.io/protocols/resumable-upload) with its extensions
// creation, creation-defer-length, creation-with-upload, expiration, termination and checksum. GET is this service's own: it reports the upload and interrupts nothing.
import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import { errorResponses } from "../../contract/errors.ts";
import { JobIdParams } from "../../contract/job.ts";
import { noContent } from "../../contract/responses.ts";
import { TUS_CONTENT_TYPE, TUS_VERSION } from "../../contract/tus.ts";
import {
  AUDIO_URL_HEADER,
  ResumableAppendHeaders,
  ResumableBytes,
  ResumableCreationHeaders,
  ResumableHeaders,
  type ResumableUpload,
  ResumableUploadBody,
  type Upload,
} from "../../contract/upload.ts";
import { errors } from "../../platform/errors.ts";
import { isKeyValid } from "../../platform/storage/db/accounts/accounts.ts";
import type { UploadRow } from "../../platform/storage/db/files/uploads.ts";
import { isUuid } from "../../platform/storage/db/ids.ts";
import { limitsOf } from "../../service/accounts/limits.ts";
import { removeAudio } from "../../service/jobs/remove-job.ts";
import { isRefusal } from "../../service/uploads/upload-completion.ts";
import type { Api, ApiContext } from "../context.ts";
import { describedFile, fileAddress, storedFile } from "./stored-file.ts";
import {
  announcedLength,
  bytesHeader,
  checkBodyLength,
  checksumOf,
  checkTusVersion,
  metadataOf,
  optionalBytesHeader,
  refuseUnsupported,
  TUS_CHECKSUMS,
} from "./tus-headers.ts";

const PATH = "/v2/upload/resumable";
const EXTENSIONS = "creation,creation-defer-length,creation-with-upload,expiration,termination,checksum";

type ResumableContext = Pick<
  ApiContext,
  "database" | "decoders" | "forwarding" | "newId" | "now" | "objects" | "quarantine" | "settings" | "uploads"
>;

type IdRequest = FastifyRequest<{ Params: JobIdParams }>;

/** The operations on uploads; each route of a method calls one. */
class Operations {
  constructor(private readonly context: ResumableContext) {}

  async create(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { settings, uploads, newId } = this.context;
    const { headers, account } = request;
    checkTusVersion(headers);
    refuseUnsupported(headers);
    const { length, isLengthDeferred } = announcedLength(headers, limitsOf(account, settings).uploadBytes);
    const { text, filename } = metadataOf(headers);
    const checksum = checksumOf(headers);
    const { body } = request;
    if (body instanceof Readable) checkBodyLength(headers, { length, is_length_deferred: isLengthDeferred }, 0);
    const place = { id: newId(), accountId: account.id };
    const upload = await uploads.create({ ...place, length, isLengthDeferred, filename, metadata: text });
    reply.header("location", `${PATH}/${upload.id}`);
    let stored = upload;
    if (body instanceof Readable) {
      await uploads.append(upload, 0, body, checksum);
      stored = await uploads.find(upload.id, account.id);
    }
    const answer = await this.completeAnswer(request, stored);
    addProgress(reply, stored, answer);
    return reply.code(201).send(bodyOf(stored, answer));
  }

  async append(request: IdRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { headers, body } = request;
    let upload = await this.find(request);
    checkTusVersion(headers);
    const offset = bytesHeader(headers, "Upload-Offset");
    const checksum = checksumOf(headers);
    if (!(body instanceof Readable)) throw errors.wrongContentType(headers["content-type"] ?? "", TUS_CONTENT_TYPE);
    if (upload.received !== offset) throw errors.wrongOffset(offset, upload.received);
    const length = optionalBytesHeader(headers, "Upload-Length");
    // A length that its own body contradicts is not taken over.
    checkBodyLength(headers, length === undefined ? upload : { length, is_length_deferred: false }, offset);
    if (length !== undefined) upload = await this.context.uploads.withLength(upload, length);
    await this.context.uploads.append(upload, offset, body, checksum);
    // A complete file is judged before the answer.
    const stored = await this.find(request);
    return addProgress(reply, stored, await this.completeAnswer(request, stored))
      .code(204)
      .send();
  }

  /** Ends the request that adds bytes: a client that has lost its connection sends HEAD before the service detects the loss. */
  async head(request: IdRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { id } = await this.find(request);
    checkTusVersion(request.headers);
    const upload = await this.context.uploads.release(id, request.account.id);
    const answer = await this.completeAnswer(request, upload).catch(refused);
    if (upload.is_length_deferred) reply.header("upload-defer-length", 1);
    else reply.header("upload-length", upload.length);
    if (upload.metadata !== "") reply.header("upload-metadata", upload.metadata);
    return addProgress(reply, upload, answer).code(200).send();
  }

  async get(request: IdRequest): Promise<ResumableUpload> {
    const upload = await this.find(request);
    return bodyOf(upload, await this.completeAnswer(request, upload));
  }

  async remove(request: IdRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { id, verdict } = await this.context.uploads.find(request.params.id, request.account.id);
    checkTusVersion(request.headers);
    if (verdict?.answer && (await removeAudio(id, this.context)).isInUse) throw errors.fileInUse();
    await this.context.uploads.remove(id);
    return reply.code(204).send();
  }

  private async find(request: IdRequest): Promise<UploadRow> {
    const upload = await this.context.uploads.find(request.params.id, request.account.id);
    request.subject = { name: "Upload", exists: () => this.context.uploads.exists(upload) };
    return upload;
  }

  /**
   * @returns undefined while bytes are missing
   * @throws what the complete file is refused for, as POST /v2/upload does; decode.queue_full
   */
  private async completeAnswer(request: FastifyRequest, upload: UploadRow): Promise<Upload | undefined> {
    const { context } = this;
    const { id, filename, length, received } = upload;
    if (received < length || upload.is_length_deferred) return undefined;
    // An upload takes its time: the key may have been revoked since.
    if (!(await isKeyValid(context.database, request.keyId))) throw errors.keyUnknown();
    // The file is written before it is judged.
    if (upload.verdict === null) context.decoders.checkRoom(request.account.id);
    const answer = await context.uploads.verdict(upload, async () => {
      const untilTheEnd = new AbortController().signal;
      const content = { size: length, filename };
      const { file, tracks, track } = await storedFile(id, request.account.id, content, untilTheEnd, context);
      return { file, answer: describedFile(file, tracks, track) };
    });
    return { audio_url: fileAddress(request, context, id), ...answer } as Upload;
  }
}

/** For HEAD: a file that is refused is complete, and GET has the reason. */
function refused(thrown: unknown): undefined {
  if (!isRefusal(thrown)) throw thrown;
}

function addProgress(
  reply: FastifyReply,
  { received, expires_at }: UploadRow,
  answer: Upload | undefined,
): FastifyReply {
  if (answer) reply.header(AUDIO_URL_HEADER, answer.audio_url);
  return reply.header("upload-offset", received).header("upload-expires", expires_at.toUTCString());
}

function bodyOf(
  { id, filename, length, is_length_deferred: isDeferred, received: offset, created_at, expires_at }: UploadRow,
  answer: Upload | undefined,
): ResumableUpload {
  const times = { created_at: created_at.toISOString(), expires_at: expires_at.toISOString() };
  return { id, filename, length: isDeferred ? null : length, offset, ...times, upload: answer ?? null };
}

const DESCRIPTION =
  "An extension of the interface: an upload that continues after a cut connection, in the protocol tus 1.0.0. Any client of tus works. See /docs/uploads.";

export function addResumableUploads(app: Api, context: ResumableContext): void {
  const operations = new Operations(context);
  app.register(async (scope: Api) => {
    scope.addHook("onSend", async (_request, reply) => {
      reply.header("tus-resumable", TUS_VERSION).header("cache-control", "no-store");
      if (reply.statusCode === 412) reply.header("tus-version", TUS_VERSION);
    });
    scope.addHook("onRequest", async ({ params, account }) => {
      const { id } = params as Partial<JobIdParams>;
      if (account && id !== undefined && !isUuid(id)) throw errors.notFound("Upload");
    });
    addReadingRoutes(scope, operations, context);
    scope.register(async (inner: Api) => {
      inner.removeAllContentTypeParsers();
      inner.addContentTypeParser(TUS_CONTENT_TYPE, (_request, payload, done) => done(null, payload));
      addWritingRoutes(inner, operations);
    });
  });
}

/** Those whose body is a part of the file. */
function addWritingRoutes(app: Api, operations: Operations): void {
  const config = { describedBodies: { [TUS_CONTENT_TYPE]: ResumableBytes } };
  app.post(
    PATH,
    {
      config,
      schema: {
        tags: ["Files"],
        operationId: "beginResumableUpload",
        summary: "Begin an upload that resumes; the body may be its first bytes",
        description: DESCRIPTION,
        headers: ResumableCreationHeaders,
        response: {
          201: ResumableUploadBody,
          ...errorResponses(400, 401, 409, 412, 413, 415, 460, 503, 507),
        },
      },
    },
    (request, reply) => operations.create(request, reply) as never,
  );
  app.patch(
    `${PATH}/:id`,
    {
      config,
      schema: {
        tags: ["Files"],
        operationId: "continueResumableUpload",
        summary: "Add bytes to an upload that resumes",
        description: `${DESCRIPTION} The answer to the last bytes has the header ${AUDIO_URL_HEADER}.`,
        params: JobIdParams,
        headers: ResumableAppendHeaders,
        response: {
          204: noContent("Stored; the header Upload-Offset has the number of stored bytes"),
          ...errorResponses(400, 401, 404, 409, 410, 412, 413, 415, 460, 503, 507),
        },
      },
    },
    (request, reply) => operations.append(request, reply) as never,
  );
  // For clients that cannot send PATCH, DELETE or HEAD.
  app.post(`${PATH}/:id`, { schema: { hide: true, params: JobIdParams } }, (request, reply) => {
    switch (request.headers["x-http-method-override"]) {
      case "PATCH":
        return operations.append(request, reply) as never;
      case "DELETE":
        return operations.remove(request, reply) as never;
      case "HEAD":
        return operations.head(request, reply) as never;
      default:
        throw errors.noRoute(
          "POST",
          request.url.split("?")[0] ?? "",
          "Send PATCH, or POST with the header X-HTTP-Method-Override: PATCH",
        );
    }
  });
}

function addReadingRoutes(app: Api, operations: Operations, { settings }: Pick<ResumableContext, "settings">): void {
  // A request without the headers of a browser's preflight is one of tus.
  const open = { isOpen: true, cors: { strictPreflight: false, preflightContinue: true } };
  for (const url of [PATH, `${PATH}/:id`]) {
    app.options(url, { config: open, schema: { hide: true } }, async (_request, reply) =>
      reply
        .code(204)
        .header("tus-version", TUS_VERSION)
        .header("tus-extension", EXTENSIONS)
        .header("tus-max-size", settings.maximumFileBytes)
        .header("tus-checksum-algorithm", TUS_CHECKSUMS)
        .send(),
    );
  }
  app.head(`${PATH}/:id`, { schema: { hide: true, params: JobIdParams } }, (request, reply) =>
    operations.head(request, reply),
  );
  app.get(
    `${PATH}/:id`,
    {
      schema: {
        tags: ["Files"],
        operationId: "getResumableUpload",
        summary: "How much of an upload is stored; the file's description once it is complete",
        description: DESCRIPTION,
        params: JobIdParams,
        response: { 200: ResumableUploadBody, ...errorResponses(400, 401, 404, 410, 413, 503, 507) },
      },
    },
    (request) => operations.get(request),
  );
  app.delete(
    `${PATH}/:id`,
    {
      schema: {
        tags: ["Files"],
        operationId: "deleteResumableUpload",
        summary: "Delete an upload that resumes, with what is stored of it",
        description: DESCRIPTION,
        params: JobIdParams,
        headers: ResumableHeaders,
        response: { 204: noContent("Deleted"), ...errorResponses(400, 401, 403, 404, 410, 412, 413, 415) },
      },
    },
    (request, reply) => operations.remove(request, reply) as never,
  );
}
