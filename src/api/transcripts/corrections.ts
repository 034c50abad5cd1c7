// What people put right in a transcript: made, listed, undone. What was recognised stays beside it.

import { Type } from "@sinclair/typebox";
import { errorResponses } from "../../contract/errors.ts";
import { Name } from "../../contract/fields.ts";
import { JobIdParams } from "../../contract/job.ts";
import { ChangeBody, CorrectionBody } from "../../contract/transcripts.ts";
import { errors } from "../../errors.ts";
import { insertCorrection, listCorrections, undoCorrection } from "../../storage/db/corrections.ts";
import { isUuid } from "../../storage/db/ids.ts";
import type { TranscriptChange } from "../../transcript/correction.ts";
import type { Api, ApiContext } from "../context.ts";
import { findOwnJob } from "../find-own-job.ts";
import { prepare } from "../validation/prepare.ts";

const CorrectionParams = Type.Object({ id: Name(), correction_id: Name() });

const clean = (text: string) => text.replace(/\s+/g, " ").trim();

function cleaned({ utterances, speakers }: TranscriptChange): TranscriptChange {
  return {
    ...(utterances
      ? {
          utterances: utterances.map(({ text, ...one }) => ({
            ...one,
            ...(text === undefined ? {} : { text: clean(text) }),
          })),
        }
      : {}),
    ...(speakers ? { speakers: speakers.map(({ speaker, name }) => ({ speaker, name: clean(name) })) } : {}),
  };
}

export function addCorrections(
  app: Api,
  context: Pick<ApiContext, "database" | "newId" | "now" | "results" | "search" | "space" | "transcriptProcess">,
): void {
  const { database, transcriptProcess, search } = context;
  app.patch(
    "/v2/transcription/:id/transcript",
    {
      schema: {
        tags: ["Transcripts"],
        summary: "Put words or speakers right",
        description:
          "An extension of the interface. The result stays as it was recognised; the correction is kept beside it.",
        params: JobIdParams,
        body: ChangeBody,
        response: { 201: CorrectionBody, ...errorResponses(400, 401, 404, 409, 413, 415, 503, 507) },
      },
      preValidation: async (request) => {
        request.body = prepare(ChangeBody, request.body) as TranscriptChange;
      },
    },
    async (request, reply) => {
      await context.space.check();
      const row = await findOwnJob(request, context, undefined);
      const change = cleaned(request.body);
      const { utterances = [], speakers = [] } = change;
      const problems = utterances
        .filter(({ text, speaker }) => text === undefined && speaker === undefined)
        .map(({ index }) => `utterances with index ${index} must have a text or a speaker`);
      if (utterances.length + speakers.length === 0) problems.push("utterances or speakers must name a change");
      if (problems.length === 0)
        problems.push(...(await transcriptProcess.check(request.account.id, await context.results.path(row), change)));
      if (problems.length > 0) throw errors.invalidParameters(problems);
      const correction = { id: context.newId(), jobId: row.id, madeBy: request.keyName, change };
      const made = await insertCorrection(database, correction, context.now());
      search.wake();
      return reply.code(201).send(made);
    },
  );
  app.get(
    "/v2/transcription/:id/corrections",
    {
      schema: {
        tags: ["Transcripts"],
        summary: "Corrections of a transcript, undone ones too, in the order in which they were made",
        params: JobIdParams,
        response: {
          200: Type.Object({ items: Type.Array(CorrectionBody) }, { title: "Corrections" }),
          ...errorResponses(401, 404),
        },
      },
    },
    async (request) => {
      const row = await findOwnJob(request, context, undefined);
      return { items: await listCorrections(database, row.id) };
    },
  );
  app.delete(
    "/v2/transcription/:id/corrections/:correction_id",
    {
      schema: {
        tags: ["Transcripts"],
        summary: "Undo a correction",
        params: CorrectionParams,
        response: { 200: CorrectionBody, ...errorResponses(400, 401, 404, 413, 415) },
      },
    },
    async (request) => {
      const row = await findOwnJob(request, context, undefined);
      const { correction_id: id } = request.params;
      const undone = isUuid(id)
        ? await undoCorrection(database, { id, jobId: row.id, undoneBy: request.keyName }, context.now())
        : undefined;
      if (!undone) throw errors.notFound("Correction that could be undone");
      search.wake();
      return undone;
    },
  );
}
