// An audio request of OpenAI's interface as the parameters of a job.
import type { FastifyRequest } from "fastify";
import type { JobRow } from "../../platform/storage/db/jobs/jobs.ts";
import { DIARIZING, modelNamed } from "../../service/openai/model-names.ts";
import { vocabularyOf } from "../../service/openai/prompt.ts";
import { acceptAwaited } from "../awaited-job.ts";
import type { ApiContext } from "../context.ts";
import type { AudioForm } from "./form.ts";
import { voicesOfSpeakers } from "./known-speakers.ts";

function paramsOf(form: AudioForm, model: string, task: "transcribe" | "translate") {
  const vocabulary = [...new Set([...form.keywords, ...vocabularyOf(form.prompt)])];
  return {
    model,
    language_config: { languages: form.languages, code_switching: false },
    ...(form.audioTrack === undefined ? {} : { audio_track: form.audioTrack }),
    ...(form.numerals ? {} : { numerals: false }),
    ...(vocabulary.length > 0 ? { custom_vocabulary: true, custom_vocabulary_config: { vocabulary } } : {}),
    ...(form.format === "diarized_json" || DIARIZING.test(form.model) ? { diarization: true } : {}),
    ...(task === "translate" ? { translation: true, translation_config: { target_languages: ["en"] } } : {}),
  };
}

/** @returns the job's row @throws what its form or its recording is refused for; nothing is kept then */
export async function acceptAudio(
  request: FastifyRequest,
  form: AudioForm,
  id: string,
  task: "transcribe" | "translate",
  gone: AbortSignal,
  context: Parameters<typeof acceptAwaited>[4] & Pick<ApiContext, "enroller" | "requestVoices" | "temporaryFolder">,
): Promise<JobRow> {
  const parameters = async () => {
    const known = await voicesOfSpeakers(form.knownSpeakers, request.account.id, gone, context);
    return {
      ...paramsOf(form, await modelNamed(form.model, context.recordingModels), task),
      ...(form.isStreamed ? { is_followed: true } : {}),
      ...(known.length > 0 ? { sealed_voices: context.requestVoices.seal(known) } : {}),
    };
  };
  const { size, filename } = form;
  return acceptAwaited(request, { id, size, filename }, parameters, gone, context);
}
