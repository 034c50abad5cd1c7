// POST /v1/audio/transcriptions and /v1/audio/translations, for clients that speak OpenAI's interface.
import { PassThrough } from "node:stream";
import { Type } from "@sinclair/typebox";
import { toParlanceError } from "../../errors.ts";
import { event } from "../../openai/answer.ts";
import type { JobRow } from "../../storage/db/jobs.ts";
import { audioKey } from "../../storage/objects/keys.ts";
import type { Api, ApiContext } from "../context.ts";
import { settledTexts } from "./deltas.ts";
import { openAiErrorBody } from "./errors.ts";
import type { AudioForm } from "./form.ts";
import { readForm } from "./form.ts";
import { openAiErrors } from "./responses.ts";
import { acceptJob, forget, untilEnded } from "./run.ts";

type Task = "transcribe" | "translate";

/** What changes the text once it is complete: nothing can be told before. */
const changesText = (row: JobRow) =>
  ["custom_vocabulary", "diarization", "translation"].some((name) => row.request_params[name] === true);

export function addOpenAiAudio(app: Api, context: ApiContext): void {
  const { objects, clerk } = context;
  const answer = async (row: JobRow, form: AudioForm, task: Task, told: number) =>
    clerk.answer(await objects.localPath(row.result_key ?? ""), {
      task,
      format: form.format,
      granularities: form.granularities,
      withLogprobs: form.withLogprobs,
      isStreamed: form.isStreamed,
      told,
    });

  /** Events as the text becomes known. */
  const stream = async (row: JobRow, form: AudioForm, task: Task, signal: AbortSignal, output: PassThrough) => {
    let told = 0;
    const tell = async (current: JobRow) => {
      if (changesText(current) || form.format === "diarized_json") return;
      const texts = await settledTexts(objects, current.id);
      if (texts.length <= told) return;
      const delta = (told === 0 ? "" : " ") + texts.slice(told).join(" ");
      output.write(event({ type: "transcript.text.delta", delta }));
      told = texts.length;
    };
    const ended = await untilEnded(row.id, signal, context, tell);
    output.end((await answer(ended, form, task, told)).body);
  };

  for (const [path, task] of [
    ["/v1/audio/transcriptions", "transcribe"],
    ["/v1/audio/translations", "translate"],
  ] as const) {
    app.post(
      path,
      {
        schema: {
          tags: ["OpenAI"],
          summary: task === "transcribe" ? "Transcribe a recording" : "What a recording says, in English",
          description:
            "For clients of OpenAI's audio interface: multipart with file, model, language, prompt, response_format, timestamp_granularities[], stream. Nothing of the recording is kept.",
          consumes: ["multipart/form-data"],
          response: {
            200: Type.Unsafe<unknown>({ description: "In the form of response_format" }),
            ...openAiErrors(400, 401, 404, 413, 415, 422, 507),
          },
        },
      },
      async (request, reply) => {
        await context.space.check();
        const id = context.newId();
        const form = await readForm(request, audioKey(id), context);
        const row = await acceptJob(request, form, id, task, context);
        const gone = new AbortController();
        reply.raw.once("close", () => gone.abort());
        const clean = () =>
          forget(id, context).catch((error: unknown) => request.log.warn({ err: error, job: id }, "a job stays"));
        if (form.isStreamed) {
          const output = new PassThrough();
          void stream(row, form, task, gone.signal, output)
            .catch((thrown: unknown) => {
              const error = toParlanceError(thrown);
              if (error.status >= 500 && !gone.signal.aborted) request.log.error({ err: thrown }, "request failed");
              output.end(event({ type: "error", ...openAiErrorBody(error) }));
            })
            .finally(clean);
          return reply.type("text/event-stream; charset=utf-8").header("cache-control", "no-cache").send(output);
        }
        try {
          const ended = await untilEnded(id, gone.signal, context);
          const { contentType, body } = await answer(ended, form, task, 0);
          return reply.type(contentType).send(body);
        } finally {
          await clean();
        }
      },
    );
  }
}
