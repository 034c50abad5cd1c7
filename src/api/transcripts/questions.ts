// POST of a question about a transcript. A language model answers it; the answer and the moments that it cites are server-sent events.
import { PassThrough } from "node:stream";
import { errorResponses } from "../../contract/errors.ts";
import { JobIdParams } from "../../contract/job.ts";
import { type AnswerEvent, QuestionBody } from "../../contract/questions.ts";
import { EVENT_STREAM } from "../../contract/responses.ts";
import { errors, toParlanceError } from "../../platform/errors.ts";
import { printedCorrections } from "../../platform/storage/db/jobs/corrections.ts";
import { Questions } from "../../service/intelligence/process/calls/questions.ts";
import { requireLanguageModel } from "../../service/models/required-language-model.ts";
import { clientGone } from "../client-gone.ts";
import type { Api, ApiContext } from "../context.ts";
import { KEEP_ALIVE_MILLISECONDS, sendSlowEventStream } from "../event-stream.ts";
import { findOwnJob } from "../find-own-job.ts";

const event = (value: AnswerEvent) => `event: ${value.type}\ndata: ${JSON.stringify(value)}\n\n`;

type QuestionContext = Pick<
  ApiContext,
  "resultProcesses" | "database" | "logger" | "models" | "results" | "settings" | "supply" | "voices"
>;

export function addQuestions(app: Api, context: QuestionContext): void {
  const questions = new Questions(context.resultProcesses);
  app.post(
    "/v2/transcription/:id/questions",
    {
      schema: {
        tags: ["Transcripts"],
        summary: "Ask a question about a transcript",
        description:
          "An extension of the interface. A language model answers from the transcript with its corrections. Server-sent events: progress (done, parts) while a long transcript is read; citation (index, start, end, text, verified) for each moment that the answer names; text (text), the next piece of the answer, in which [3] refers to the citation with index 3; done (answer, citations, unverified: names, numbers and quotes that the transcript does not contain); error.",
        params: JobIdParams,
        body: QuestionBody,
        response: {
          200: {
            description: "Server-sent events",
            content: EVENT_STREAM,
          },
          ...errorResponses(400, 401, 404, 409, 413, 415, 422, 501, 502, 503),
        },
      },
    },
    async (request, reply) => {
      const row = await findOwnJob(request, context, undefined);
      const result = await context.results.path(row);
      await requireLanguageModel(context.resultProcesses.ownLanguageModel, request.body.fetch_model === true, context);
      const gone = clientGone(reply);
      const output = new PassThrough();
      let begin: () => void = () => undefined;
      const begun = new Promise<void>((resolve) => {
        begin = resolve;
      });
      const question = async () => ({
        result,
        corrections: await printedCorrections(context.database, row.id),
        names: await context.voices.namesOf(row.id),
        question: request.body.question.trim(),
      });
      const answer = questions.answer(request.account.id, question, gone, (value) => {
        begin();
        output.write(event(value));
      });
      // A failure before the first event is an error answer. The stream begins with the first event, or after this time.
      const patience = setTimeout(begin, KEEP_ALIVE_MILLISECONDS);
      await Promise.race([begun, answer]).finally(() => clearTimeout(patience));
      void answer.then(
        (value) => output.end(event({ type: "done", ...value })),
        (thrown: unknown) => {
          const { code, status, message } = toParlanceError(thrown);
          if (status === 500) request.log.error({ err: thrown }, "a question failed");
          const shown = status === 500 ? errors.internal(thrown).message : message;
          output.end(event({ type: "error", code, status, message: shown }));
        },
      );
      return sendSlowEventStream(reply, output) as never;
    },
  );
}
