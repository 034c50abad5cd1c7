// POST /v1/listen: recordings, for clients of Deepgram's interface.
import type { FastifyRequest } from "fastify";
import {
  ListenAddress,
  ListenAnswer,
  ListenAudio,
  ListenQuery,
  type ListenWarning,
  listenErrors,
} from "../../contract/deepgram-recorded.ts";
import { errors } from "../../platform/errors.ts";
import { findFile } from "../../platform/storage/db/files/files.ts";
import type { JobRow } from "../../platform/storage/db/jobs/jobs.ts";
import { audioKey } from "../../platform/storage/objects/keys.ts";
import { listenModel } from "../../service/deepgram/models.ts";
import { hasLanguageModel } from "../../service/intelligence/has-language-model.ts";
import { redactionProblems } from "../../service/intelligence/redaction-types.ts";
import type { AnswerRequest } from "../../service/transcripts/interface-answer.ts";
import { type AwaitedContext, acceptAwaited, awaitedAnswer } from "../awaited-job.ts";
import { clientGone } from "../client-gone.ts";
import type { Api, ApiContext } from "../context.ts";
import { ignoredFields } from "../requests/unknown-fields.ts";
import { sendWarnings } from "../requests/warnings-header.ts";
import { type ListenOptions, listenOptions, listenParameters } from "./query.ts";
import { type ReceivedAudio, receiveAudio } from "./receive.ts";

type Context = AwaitedContext & Pick<ApiContext, "resultProcesses" | "fetches" | "newId" | "space">;

const ANY_CONTENT = "application/octet-stream";

/** @throws request.invalid for what can only be redacted with a language model, where there is none */
async function checkRedaction({ redacted, languages }: ListenOptions, context: Context): Promise<void> {
  if (redacted.length === 0) return;
  const problems = redactionProblems(redacted, languages, await hasLanguageModel(context));
  if (problems.length > 0) throw errors.invalidParameters(problems.map((problem) => `redact: ${problem}`));
}

const unknownWarnings = (request: FastifyRequest): ListenWarning[] =>
  ignoredFields(request).map((message) => ({
    parameter: message.split(" ")[0] ?? "",
    type: "unknown_parameter",
    message,
  }));

async function answerRequest(
  row: JobRow,
  { sha256 }: ReceivedAudio,
  options: ListenOptions,
  { database, recordingModels }: Pick<Context, "database" | "recordingModels">,
): Promise<AnswerRequest> {
  const file = await findFile(database, row.id);
  const installed = await recordingModels.find(row.model);
  const { codeSwitching, languagesHinted } = options;
  return {
    of: "deepgram",
    requestId: row.id,
    sha256,
    created: row.created_at.toISOString(),
    channels: file?.number_of_channels ?? 1,
    model: { id: row.model, engine: installed?.engine ?? "" },
    punctuates: options.punctuates,
    paragraphs: options.paragraphs,
    utterances: options.utterances,
    splitSeconds: options.splitSeconds,
    multichannel: options.multichannel,
    detectsLanguage: options.detectsLanguage,
    namesLanguages: codeSwitching,
    languagesHinted,
    search: options.search,
    warnings: options.warnings,
    extra: options.extra,
    tags: options.tags,
  };
}

export function addListen(app: Api, context: Context): void {
  // The scope keeps the parser, which accepts bytes of any type, from other routes.
  app.register(async (scope: Api) => {
    scope.addContentTypeParser("*", (_request, payload, done) => done(null, payload));
    scope.post(
      "/v1/listen",
      {
        config: {
          acceptsUnknownFields: true,
          describedBodies: { [ANY_CONTENT]: ListenAudio, "application/json": ListenAddress },
          takesAnyContent: true,
        },
        schema: {
          tags: ["Deepgram"],
          operationId: "listen",
          summary: "Transcribe a recording",
          description:
            "For clients of Deepgram's interface. The body is the recording, of any content type, or JSON with its address. Parameters that are not available are refused by their name; what has no effect is named in metadata.warnings. Nothing of the recording is kept.",
          querystring: ListenQuery,
          response: { 200: ListenAnswer, ...listenErrors(400, 401, 404, 410, 413, 415, 422, 424, 503, 507) },
        },
      },
      async (request, reply) => {
        const options = listenOptions(request.query);
        const warnings = [...options.warnings, ...unknownWarnings(request)];
        await checkRedaction(options, context);
        const model = await listenModel(options.model, context.recordingModels);
        await context.space.check();
        context.decoders.checkRoom(request.account.id);
        const gone = clientGone(reply);
        const id = context.newId();
        const received = await receiveAudio(request, audioKey(id), options.raw, gone, context);
        const { size, filename, source, formatWarning } = received;
        if (formatWarning !== undefined)
          warnings.push({ parameter: "encoding", type: "unlikely_format", message: formatWarning });
        // Also for an error: samples in another format may sound like another language.
        sendWarnings(
          reply,
          warnings.map(({ message }) => message),
        );
        const parameters = () => listenParameters(options, model);
        const stored = { id, size, filename, ...(source === undefined ? {} : { source }) };
        const row = await acceptAwaited(request, stored, parameters, gone, context);
        const wanted = await answerRequest(row, received, { ...options, warnings }, context);
        const { contentType, body, warnings: all } = await awaitedAnswer(request, id, gone, wanted, context);
        sendWarnings(reply, all);
        return reply
          .header("dg-request-id", id)
          .type(contentType)
          .send(body as never);
      },
    );
  });
}
