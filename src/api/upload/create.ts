// POST /v2/upload: a file as a multipart part or as the body, streamed to disk, or an address to fetch one from.

import { Readable } from "node:stream";
import type { FastifyRequest } from "fastify";
import { errorResponses } from "../../contract/errors.ts";
import { StrictQuery } from "../../contract/fields.ts";
import { UploadAnswer, UploadBytes, UploadForm, UploadFromAddress } from "../../contract/upload.ts";
import { errors } from "../../platform/errors.ts";
import { isKeyValid } from "../../platform/storage/db/accounts/accounts.ts";
import { saveFile } from "../../platform/storage/db/files/files.ts";
import { audioKey } from "../../platform/storage/objects/keys.ts";
import { limitsOf } from "../../service/accounts/limits.ts";
import { clientGone } from "../client-gone.ts";
import type { Api, ApiContext } from "../context.ts";
import { formParts } from "../form-parts.ts";
import { FileOfForm } from "../receive-file.ts";
import { ignoredFields } from "../requests/unknown-fields.ts";
import { bodyObject } from "../validation/body-object.ts";
import { parseJson } from "../validation/json.ts";
import { shownPath } from "../validation/text.ts";
import { type FetchContext, fetchRecording } from "./fetch-recording.ts";
import { isFileAsJson, isRawUpload } from "./raw-upload.ts";
import { describedFile, fileAddress, type Received, storedFile } from "./stored-file.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The content type is application/json, but the body may be the recording itself: AssemblyAI's clients send it so. */
    isDeclaredJson: boolean;
  }
}

const BYTES_TYPE = "application/octet-stream";
/** Names under which clients send the file. */
const PART_NAMES = ["audio", "file"];

/** Stores the recording of a request under `key`. */
type Receive = (
  request: FastifyRequest,
  key: string,
  limitBytes: number,
  gone: AbortSignal,
  context: FetchContext,
) => Promise<Received>;

const receivePart: Receive = async (request, key, limitBytes, _gone, { objects, space }) => {
  const file = new FileOfForm({ objects, space }, key, limitBytes);
  const problems: string[] = [];
  for await (const part of formParts(request)) {
    if (part.kind === "field") request.unknownFields.note([], part.name, part.value, PART_NAMES);
    else if (PART_NAMES.includes(part.name)) await file.take(part);
    else {
      part.content.resume();
      problems.push(`${shownPath([part.name])} must not be a file; send the recording as the part named audio`);
    }
  }
  const stored = file.result("audio", problems);
  if (problems.length > 0 || !stored) throw errors.invalidParameters(problems);
  return stored;
};

const receiveAddress: Receive = async (request, key, limitBytes, gone, context) => {
  const { audio_url: given, ...others } = bodyObject(request.body);
  for (const [name, value] of Object.entries(others)) request.unknownFields.note([], name, value, ["audio_url"]);
  if (typeof given !== "string") throw errors.invalidParameters(["audio_url is required"]);
  return fetchRecording(request, { given, name: "audio_url", key, limitBytes }, gone, context);
};

const OBJECT = "{".charCodeAt(0);
/** First bytes of other JSON texts that clients send. */
const OTHER_JSON = [..."[ \t\r\n"].map((character) => character.charCodeAt(0));
const EMPTY = "body is empty: send a form with the recording as audio, its bytes, or JSON with its audio_url";
const MOST_JSON_BYTES = 65_536;

/** The file itself. No media file begins as a JSON object: a client that states no content type may send an address. */
const receiveBytes: Receive = async (request, key, limitBytes, gone, context) => {
  const { objects, space } = context;
  const body = (request.body ?? Readable.from([])) as Readable;
  const rest = body[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  const { value: beginning, done } = await rest.next();
  if (done) throw errors.invalidParameters([EMPTY]);
  async function* all(): AsyncGenerator<Buffer> {
    yield beginning;
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
  }
  const first = beginning[0] ?? 0;
  if (first !== OBJECT && !(request.isDeclaredJson && OTHER_JSON.includes(first))) {
    return { size: await objects.write(key, space.guarded(all(), "new"), limitBytes), filename: "audio" };
  }
  const read: Buffer[] = [];
  let size = 0;
  for await (const chunk of all()) {
    size += chunk.length;
    if (size > MOST_JSON_BYTES) throw errors.bodyOverLimit();
    read.push(chunk);
  }
  request.body = parseJson(Buffer.concat(read).toString());
  return receiveAddress(request, key, limitBytes, gone, context);
};

type UploadContext = Pick<
  ApiContext,
  "database" | "decoders" | "fetches" | "forwarding" | "newId" | "now" | "objects" | "settings" | "space"
>;

export function addUpload(app: Api, context: UploadContext): void {
  // The scope keeps the parser, which accepts bytes of any type, from other routes.
  app.register(async (scope: Api) => {
    scope.addContentTypeParser("*", (_request, payload, done) => done(null, payload));
    scope.decorateRequest("isDeclaredJson", false);
    // The first byte decides whether such a body is a file or JSON, so Fastify's JSON parser must not read it.
    scope.addHook("onRequest", async (request) => {
      if (!isFileAsJson(request)) return;
      request.isDeclaredJson = true;
      request.raw.headers["content-type"] = BYTES_TYPE;
    });
    addRoute(scope, context);
  });
}

function addRoute(app: Api, context: UploadContext): void {
  const { database, objects, settings } = context;
  app.post(
    "/v2/upload",
    {
      config: {
        acceptsUnknownFields: true,
        describedBodies: {
          "multipart/form-data": UploadForm,
          "application/json": UploadFromAddress,
          [BYTES_TYPE]: UploadBytes,
        },
        takesAnyContent: true,
        takesBareKey: true,
      },
      schema: {
        tags: ["Files"],
        operationId: "upload",
        summary: "Store an audio or video file; its address is then accepted as audio_url",
        querystring: StrictQuery,
        response: { 200: UploadAnswer, ...errorResponses(400, 401, 404, 410, 413, 415, 424, 503, 507) },
      },
    },
    async (request, reply) => {
      await context.space.check();
      context.decoders.checkRoom(request.account.id);
      const gone = clientGone(reply);
      const id = context.newId();
      const key = audioKey(id);
      const { uploadBytes } = limitsOf(request.account, settings);
      const isRaw = isRawUpload(request);
      const receive = isRaw ? receiveBytes : request.isMultipart() ? receivePart : receiveAddress;
      try {
        const received = await receive(request, key, uploadBytes, gone, context);
        const warnings = ignoredFields(request);
        // An upload takes its time: the key may have been revoked since.
        if (!(await isKeyValid(database, request.keyId))) throw errors.keyUnknown();
        const { file, tracks, track } = await storedFile(id, request.account.id, received, gone, context);
        await saveFile(database, file);
        const address = fileAddress(request, context, id);
        return {
          audio_url: address,
          ...(isRaw ? { upload_url: address } : {}),
          ...describedFile(file, tracks, track),
          ...(warnings.length > 0 ? { warnings } : {}),
        };
      } catch (error) {
        await objects.remove(key);
        throw error;
      }
    },
  );
}
