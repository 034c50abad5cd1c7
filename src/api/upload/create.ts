// POST /v2/upload: a file as a multipart part, streamed to disk, or an address to fetch one from.
import type { MultipartFile } from "@fastify/multipart";
import { Type } from "@sinclair/typebox";
import type { FastifyRequest } from "fastify";
import { limitsOf } from "../../accounts/limits.ts";
import { errors } from "../../errors.ts";
import { filenameOf } from "../../jobs/stages/fetch.ts";
import { refusedUrl } from "../../net/address-rules.ts";
import { safeGet } from "../../net/safe-fetch.ts";
import { saveFile } from "../../storage/db/files.ts";
import { audioKey } from "../../storage/objects/keys.ts";
import { type Api, type ApiContext, publicBase } from "../context.ts";
import { errorResponses } from "../schemas/errors.ts";
import { type Received, storedFile } from "./stored-file.ts";

const UploadAnswer = Type.Object(
  {
    audio_url: Type.String({ format: "uri" }),
    audio_metadata: Type.Object({
      id: Type.String({ format: "uuid" }),
      filename: Type.String(),
      source: Type.Optional(Type.String()),
      extension: Type.String(),
      size: Type.Integer(),
      audio_duration: Type.Number(),
      number_of_channels: Type.Integer({ minimum: 1 }),
    }),
  },
  { title: "Upload" },
);

/** Names under which clients send the file. */
const PART_NAMES = new Set(["audio", "file"]);

async function filePart(request: FastifyRequest): Promise<MultipartFile> {
  for await (const part of request.parts()) {
    if (part.type === "file" && PART_NAMES.has(part.fieldname)) return part;
    if (part.type === "file") part.file.resume();
  }
  throw errors.invalidParameters(["audio is required: send the file as the multipart part named audio"]);
}

async function receivePart(
  request: FastifyRequest,
  key: string,
  limitBytes: number,
  { objects }: ApiContext,
): Promise<Received> {
  const part = await filePart(request);
  const size = await objects.write(key, part.file, limitBytes);
  return { size, filename: filenameOf(new URL(`file:///${encodeURIComponent(part.filename || "audio")}`)) };
}

async function receiveAddress(
  request: FastifyRequest,
  key: string,
  limitBytes: number,
  { objects, settings }: ApiContext,
): Promise<Received> {
  const address = (request.body as { audio_url?: unknown } | undefined)?.audio_url;
  if (typeof address !== "string") throw errors.invalidParameters(["audio_url is required"]);
  const refused = refusedUrl(address, settings.allowPrivateAddresses);
  if (refused) throw errors.invalidParameters([`audio_url ${refused}`]);
  const fetched = await safeGet(address, {
    allowPrivateAddresses: settings.allowPrivateAddresses,
    timeoutMilliseconds: settings.fetchTimeoutSeconds * 1000,
  });
  const size = await objects.write(key, fetched.body, limitBytes);
  return { size, filename: filenameOf(fetched.url), source: address };
}

export function addUpload(app: Api, context: ApiContext): void {
  const { database, objects, settings } = context;
  app.post(
    "/v2/upload",
    {
      schema: {
        tags: ["Files"],
        summary: "Store an audio or video file; its address is then accepted as audio_url",
        consumes: ["multipart/form-data", "application/json"],
        response: { 200: UploadAnswer, ...errorResponses(400, 401, 413, 415, 507) },
      },
    },
    async (request) => {
      await context.space.check();
      const id = context.newId();
      const key = audioKey(id);
      const { uploadBytes } = limitsOf(request.account, settings);
      const received = await (request.isMultipart() ? receivePart : receiveAddress)(request, key, uploadBytes, context);
      try {
        const file = await storedFile(id, request.account.id, received, context);
        await saveFile(database, file);
        const { filename, source, extension, size, audio_duration, number_of_channels } = file;
        return {
          audio_url: `${publicBase(request, settings)}/file/${id}`,
          audio_metadata: {
            id,
            filename,
            ...(source ? { source } : {}),
            extension,
            size,
            audio_duration,
            number_of_channels,
          },
        };
      } catch (error) {
        await objects.remove(key);
        throw error;
      }
    },
  );
}
