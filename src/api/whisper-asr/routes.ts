// POST /asr and /detect-language, for clients of whisper-asr-webservice such as Bazarr.

import type { FastifyReply, FastifyRequest } from "fastify";
import { LANGUAGE_DETECTION_SECONDS } from "../../contract/bounds.ts";
import {
  ASR_CONTENT,
  AsrForm,
  AsrQuery,
  asrErrors,
  DetectedLanguage,
  DetectQuery,
} from "../../contract/whisper-asr.ts";
import { audioKey } from "../../platform/storage/objects/keys.ts";
import { DEFAULT_MODEL } from "../../service/models/store.ts";
import { findModelNamed } from "../../service/openai/model-names.ts";
import type { AnswerRequest } from "../../service/transcripts/interface-answer.ts";
import { type AwaitedContext, acceptAwaited, awaitedAnswer } from "../awaited-job.ts";
import { clientGone } from "../client-gone.ts";
import type { Api, ApiContext } from "../context.ts";
import { sendWarnings } from "../requests/warnings-header.ts";
import { type Storing, storeRecording } from "./form.ts";
import { asrOptions, asrParameters, detectsRaw } from "./query.ts";

/** The engine, as that service names its own. */
const ENGINE = "parlance";

type Context = AwaitedContext & Pick<ApiContext, "newId" | "space">;

interface AsrRequest {
  storing: Omit<Storing, "key">;
  params: Record<string, unknown>;
  warnings: readonly string[];
  answer: AnswerRequest;
}

/** @returns the body, and the file name of the recording */
async function run(request: FastifyRequest, reply: FastifyReply, wanted: AsrRequest, context: Context) {
  await context.space.check();
  context.decoders.checkRoom(request.account.id);
  const gone = clientGone(reply);
  const id = context.newId();
  const key = audioKey(id);
  const { size, filename, warnings: ofRequest } = await storeRecording(request, { key, ...wanted.storing }, context);
  // Also for an error: samples in another format may sound like another language, or like no speech.
  sendWarnings(reply, [...wanted.warnings, ...ofRequest]);
  const parameters = () => ({ model: DEFAULT_MODEL, ...wanted.params });
  await acceptAwaited(request, { id, size, filename }, parameters, gone, context);
  const { contentType, body, warnings: ofResult } = await awaitedAnswer(request, id, gone, wanted.answer, context);
  sendWarnings(reply, [...wanted.warnings, ...ofRequest, ...ofResult]);
  reply.type(contentType);
  return { body, filename };
}

/** An unknown name is no error: clients send the sizes of Whisper that other servers have. */
async function modelOf(name: string | undefined, { recordingModels }: Context) {
  const found = name === undefined ? DEFAULT_MODEL : await findModelNamed(name, recordingModels);
  const warning = "model has no effect: no installed model has this name, and the default one is used";
  return { model: found ?? DEFAULT_MODEL, warnings: found === undefined ? [warning] : [] };
}

const DESCRIPTION =
  "For clients of whisper-asr-webservice. Parameters that are not part of it are named in the header x-parlance-warnings. Nothing of the recording is kept.";

export function addWhisperAsr(app: Api, context: Context): void {
  const config = {
    acceptsUnknownFields: true,
    takesBasicKey: true,
    describedBodies: { "multipart/form-data": AsrForm },
  };
  app.post(
    "/asr",
    {
      config,
      schema: {
        tags: ["Subtitle tools"],
        operationId: "asr",
        summary: "Transcribe a recording, or translate it into English",
        description: DESCRIPTION,
        querystring: AsrQuery,
        response: {
          200: { description: "In the form of output, always as plain text", content: ASR_CONTENT },
          ...asrErrors(400, 401, 413, 415, 422, 503, 507),
        },
      },
    },
    async (request, reply) => {
      const options = asrOptions(request.query);
      const { isRaw, task, output, withWords, language } = options;
      const { model, warnings } = await modelOf(options.model, context);
      const wanted: AsrRequest = {
        storing: { isRaw },
        params: { model, ...asrParameters(options) },
        warnings: [...options.warnings, ...warnings],
        answer: { of: "whisper-asr", task, output, withWords, language },
      };
      const { body, filename } = await run(request, reply, wanted, context);
      reply.header("asr-engine", ENGINE);
      reply.header("content-disposition", `attachment; filename="${encodeURIComponent(filename)}.${output}"`);
      return body as never;
    },
  );
  app.post(
    "/detect-language",
    {
      config,
      schema: {
        tags: ["Subtitle tools"],
        operationId: "detectLanguage",
        summary: "The language of a recording",
        description: `${DESCRIPTION} The beginning of the speech decides, up to ${LANGUAGE_DETECTION_SECONDS / 60} minutes into the recording.`,
        querystring: DetectQuery,
        response: { 200: DetectedLanguage, ...asrErrors(400, 401, 413, 415, 422, 503, 507) },
      },
    },
    async (request, reply) => {
      const isRaw = detectsRaw(request.query);
      const wanted: AsrRequest = {
        storing: { isRaw, mostSeconds: LANGUAGE_DETECTION_SECONDS },
        params: { language_config: { languages: [], code_switching: false }, detects_only: true },
        warnings: [],
        answer: { of: "detect-language" },
      };
      return (await run(request, reply, wanted, context)).body as never;
    },
  );
}
