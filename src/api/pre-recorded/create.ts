// POST /v2/pre-recorded and POST /v2/transcription: a job is accepted when its row and its place in the queue are
// stored; nothing is fetched before the answer.
import { errorResponses } from "../../contract/errors.ts";
import { StrictQuery } from "../../contract/fields.ts";
import { CreatedJob, PreRecordedBody } from "../../contract/pre-recorded.ts";
import { errors } from "../../platform/errors.ts";
import { refusedUrl } from "../../platform/net/address-rules.ts";
import { hasLanguageModel } from "../../service/intelligence/has-language-model.ts";
import { type Api, type ApiContext, publicBase } from "../context.ts";
import { ineffectiveFields } from "../ineffective-fields.ts";
import { ignoredFields } from "../requests/unknown-fields.ts";
import { prepare } from "../validation/prepare.ts";
import { type AcceptContext, acceptRequest, audioAddressProblem } from "./accept-request.ts";
import { crossFieldProblems, uncertainRedaction } from "./problems.ts";

/** Two addresses of one operation. */
const ROUTES = [
  ["/v2/pre-recorded", "createPreRecorded"],
  ["/v2/transcription", "createTranscription"],
] as const;

export function addCreate(app: Api, context: AcceptContext & Pick<ApiContext, "resultProcesses">): void {
  const { settings } = context;
  for (const [path, operationId] of ROUTES) {
    app.post(
      path,
      {
        schema: {
          tags: ["Pre-recorded"],
          summary: "Transcribe a recording",
          operationId,
          querystring: StrictQuery,
          body: PreRecordedBody,
          response: { 201: CreatedJob, ...errorResponses(400, 401, 409, 413, 415, 422, 429, 507) },
        },
        config: { acceptsUnknownFields: true },
        preValidation: async (request) => {
          request.body = prepare(PreRecordedBody, request.body, request.unknownFields) as PreRecordedBody;
        },
        preHandler: async (request) => {
          const body = request.body as PreRecordedBody;
          const problems = crossFieldProblems(body, body.pii_redaction === true && (await hasLanguageModel(context)));
          const foreign = audioAddressProblem(body.audio_url, settings.allowPrivateAddresses);
          if (foreign) problems.push(foreign);
          for (const name of ["callback_url", "callback_config"] as const) {
            const address = name === "callback_url" ? body.callback_url : body.callback_config?.url;
            const refused = address ? refusedUrl(address, settings.allowPrivateAddresses) : undefined;
            if (refused) problems.push(`${name === "callback_url" ? name : `${name}.url`} ${refused}`);
          }
          if (problems.length > 0) throw errors.invalidParameters(problems);
        },
      },
      async (request, reply) => {
        const { body } = request;
        const warnings = [...ignoredFields(request), ...ineffectiveFields(body), ...uncertainRedaction(body)];
        const { id } = await acceptRequest(request, body, warnings, context);
        reply.code(201);
        return {
          id,
          result_url: `${publicBase(request, context)}/v2/transcription/${id}`,
          ...(warnings.length > 0 ? { warnings } : {}),
        };
      },
    );
  }
}
