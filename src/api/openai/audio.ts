// POST /v1/audio/transcriptions and /v1/audio/translations, for clients of OpenAI's interface.

import { PassThrough } from "node:stream";
import { StrictQuery } from "../../contract/fields.ts";
import { parseJobParameters } from "../../contract/job-parameters.ts";
import { AUDIO_CONTENT, AudioRequest, openAiErrors } from "../../contract/openai.ts";
import { toParlanceError } from "../../platform/errors.ts";
import type { JobRow } from "../../platform/storage/db/jobs/jobs.ts";
import { audioKey } from "../../platform/storage/objects/keys.ts";
import { callerWording } from "../../service/intelligence/caller-wording.ts";
import { openAiErrorBody } from "../../service/openai/errors.ts";
import type { AnswerRequest } from "../../service/transcripts/interface-answer.ts";
import { event, type SentText } from "../../service/transcripts/openai-answer.ts";
import { joinedTexts } from "../../speech/text/joined-texts.ts";
import { awaitedAnswer, forget, uncorrected, untilEnded } from "../awaited-job.ts";
import { clientGone } from "../client-gone.ts";
import type { Api, ApiContext } from "../context.ts";
import { sendSlowEventStream } from "../event-stream.ts";
import { sendWarnings } from "../requests/warnings-header.ts";
import { changesText, SettledText } from "./deltas.ts";
import { LANGUAGE_NAMING } from "./fields.ts";
import type { AudioForm } from "./form.ts";
import { readForm } from "./form.ts";
import { acceptAudio } from "./parameters.ts";

type Task = "transcribe" | "translate";

/** The process with the job stores copies in the bucket once a second. */
const BUCKET_LOOK_MILLISECONDS = 1_000;

const ROUTE = {
  acceptsUnknownFields: true,
  takesBasicKey: true,
  describedBodies: { "multipart/form-data": AudioRequest },
};

export function addOpenAiAudio(
  app: Api,
  context: Pick<
    ApiContext,
    | "awaitedJobs"
    | "database"
    | "decoders"
    | "enroller"
    | "isOnlyProcess"
    | "live"
    | "recordingModels"
    | "newId"
    | "now"
    | "objects"
    | "quarantine"
    | "queue"
    | "requestVoices"
    | "results"
    | "settings"
    | "space"
    | "temporaryFolder"
    | "transcriptProcess"
    | "waitingForModels"
    | "worker"
  >,
): void {
  const answerRequest = (form: AudioForm, task: Task, sent: readonly SentText[]): AnswerRequest => ({
    of: "openai",
    task,
    format: form.format,
    granularities: form.granularities,
    withLogprobs: form.withLogprobs,
    withLanguages: LANGUAGE_NAMING.test(form.model),
    isStreamed: form.isStreamed,
    sent,
  });

  /** Sends events while the text is recognised. */
  const stream = async (
    row: JobRow,
    form: AudioForm,
    { task, keyId }: { task: Task; keyId: string | null },
    signal: AbortSignal,
    output: PassThrough,
  ) => {
    const parameters = parseJobParameters(row.request_params);
    const writing = { numerals: form.numerals, kept: callerWording(parameters) };
    const settled = new SettledText(context, row.id, writing);
    let lookedAt = Number.NEGATIVE_INFINITY;
    const sendNew = async () => {
      if (context.objects.kind === "bucket" && performance.now() - lookedAt < BUCKET_LOOK_MILLISECONDS) return;
      lookedAt = performance.now();
      const before = settled.sent.at(-1);
      const texts = await settled.next(signal);
      if (texts.length === 0) return;
      output.write(event({ type: "transcript.text.delta", delta: joinedTexts(texts, before) }));
    };
    const changesAtEnd = changesText(parameters) || form.format === "diarized_json";
    const ended = await untilEnded({ id: row.id, keyId }, signal, context, changesAtEnd ? undefined : sendNew);
    const caller = { tenant: ended.account_id, signal };
    const wanted = answerRequest(form, task, settled.sent);
    output.end((await context.transcriptProcess.answer(caller, await uncorrected(ended, context), wanted)).body);
  };

  for (const [path, task] of [
    ["/v1/audio/transcriptions", "transcribe"],
    ["/v1/audio/translations", "translate"],
  ] as const) {
    app.post(
      path,
      {
        config: ROUTE,
        schema: {
          tags: ["OpenAI"],
          summary: task === "transcribe" ? "Transcribe a recording" : "What a recording says, in English",
          description:
            "For clients of OpenAI's audio interface: multipart with file, model, language or languages[], prompt, keywords[], response_format, timestamp_granularities[], known_speaker_names[], known_speaker_references[], include[], temperature, chunking_strategy (auto), stream; and audio_track, an extension, which names an audio track by its number. Any other field is named in the header x-parlance-warnings. Nothing of the recording is kept.",
          operationId: task === "transcribe" ? "transcribeAudio" : "translateAudio",
          querystring: StrictQuery,
          response: {
            200: {
              description: "In the form of response_format; server-sent events where stream is true",
              content: AUDIO_CONTENT,
            },
            ...openAiErrors(400, 401, 404, 413, 415, 422, 503, 507),
          },
        },
      },
      async (request, reply) => {
        await context.space.check();
        context.decoders.checkRoom(request.account.id);
        const gone = clientGone(reply);
        const id = context.newId();
        const form = await readForm(request, audioKey(id), context);
        // Also for an error: a misspelt field may have caused it.
        sendWarnings(reply, form.warnings);
        const row = await acceptAudio(request, form, id, task, gone, context);
        if (form.isStreamed) {
          const output = new PassThrough();
          void stream(row, form, { task, keyId: request.keyId }, gone, output)
            .catch((thrown: unknown) => {
              const error = toParlanceError(thrown);
              if (error.status >= 500 && !gone.aborted) request.log.error({ err: thrown }, "request failed");
              output.end(event({ type: "error", ...openAiErrorBody(error) }));
            })
            .finally(() => forget(request, id, context));
          return sendSlowEventStream(reply, output) as never;
        }
        const {
          contentType,
          body,
          warnings: ofResult,
        } = await awaitedAnswer(request, id, gone, answerRequest(form, task, []), context);
        sendWarnings(reply, [...form.warnings, ...ofResult]);
        return reply.type(contentType).send(body as never);
      },
    );
  }
}
