// POST of a stretch of a transcript whose audio is recognised again.
import type { FastifyRequest } from "fastify";
import { errorResponses } from "../../contract/errors.ts";
import { JobIdParams } from "../../contract/job.ts";
import { parseJobParameters, parseLiveParameters } from "../../contract/job-parameters.ts";
import {
  AlternativesBody,
  MOST_RECOGNIZED_SECONDS,
  MOST_STRETCH_SECONDS,
  RecognitionBody,
  StretchAlternatives,
  StretchWords,
} from "../../contract/stretches.ts";
import { errors } from "../../platform/errors.ts";
import { fileWithAudio, type JobWithFile } from "../../platform/storage/db/jobs/job-files.ts";
import type { StretchJob } from "../../service/stretches/stretches.ts";
import { clientGone } from "../client-gone.ts";
import type { Api, ApiContext } from "../context.ts";
import { findOwnJob } from "../find-own-job.ts";
import { prepare } from "../validation/prepare.ts";

/** Parameters of speech of a job of either kind. */
function speechOf({ kind, request_params: stored }: JobWithFile): StretchJob["params"] & { track?: number } {
  if (kind !== "live") {
    const { audio_track: track, audio_range: _, ...params } = parseJobParameters(stored);
    // Words that were redacted would be shown.
    if (params.pii_redaction === true) throw errors.stretchRedacted();
    return { ...params, ...(track === undefined ? {} : { track }) };
  }
  const { model, language_config, realtime_processing } = parseLiveParameters(stored);
  const { custom_vocabulary, custom_vocabulary_config, account_words } = realtime_processing;
  return {
    language_config,
    ...(model === undefined ? {} : { model }),
    ...(custom_vocabulary === undefined ? {} : { custom_vocabulary }),
    ...(custom_vocabulary_config === undefined ? {} : { custom_vocabulary_config }),
    ...(account_words === undefined ? {} : { account_words }),
  };
}

/** @throws request.not_found, job.no_transcript, stretches.redacted, stretches.no_audio */
async function jobOf(request: FastifyRequest, context: Pick<ApiContext, "database">): Promise<StretchJob> {
  const row = await findOwnJob(request, context, undefined);
  if (row.status !== "done") throw errors.noTranscript(row.status);
  const { track, ...params } = speechOf(row);
  const file = fileWithAudio(row);
  if (!file) throw errors.stretchWithoutAudio();
  return { file, track, tenant: request.account.id, params };
}

const answers = errorResponses(400, 401, 404, 409, 410, 413, 415, 422, 503, 507);

export function addStretches(app: Api, context: Pick<ApiContext, "database" | "stretches">): void {
  const { stretches } = context;
  app.post(
    "/v2/transcription/:id/alternatives",
    {
      schema: {
        tags: ["Transcripts"],
        summary: "What else may have been said in a stretch",
        description: `An extension of the interface. The stored audio of a word or phrase of up to ${MOST_STRETCH_SECONDS} s is recognised again, with the audio around it. The answer has up to three other texts with their probabilities. Nothing is changed.`,
        params: JobIdParams,
        body: AlternativesBody,
        response: { 200: StretchAlternatives, ...answers },
      },
      preValidation: async (request) => {
        request.body = prepare(AlternativesBody, request.body) as AlternativesBody;
      },
    },
    async (request, reply) => stretches.alternatives(await jobOf(request, context), request.body, clientGone(reply)),
  );
  app.post(
    "/v2/transcription/:id/recognition",
    {
      schema: {
        tags: ["Transcripts"],
        summary: "Recognise a stretch again",
        description: `An extension of the interface. The stored audio of a stretch of up to ${MOST_RECOGNIZED_SECONDS} s is recognised again, with another model or language. The answer has the words with their times. Nothing is changed: send a correction to use them.`,
        params: JobIdParams,
        body: RecognitionBody,
        response: { 200: StretchWords, ...answers },
      },
      preValidation: async (request) => {
        request.body = prepare(RecognitionBody, request.body) as RecognitionBody;
      },
    },
    async (request, reply) => stretches.recognize(await jobOf(request, context), request.body, clientGone(reply)),
  );
}
