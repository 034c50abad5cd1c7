// Corrections of a transcript: made, listed, undone. The recognised result is kept beside them.
import type { FastifyRequest } from "fastify";
import { errorResponses } from "../../contract/errors.ts";
import { JobIdParams } from "../../contract/job.ts";
import { versionOf } from "../../contract/transcript/correction.ts";
import { ChangeBody, ChangedBody, CorrectionParams, CorrectionsBody, UndoQuery } from "../../contract/transcripts.ts";
import { errors, ParlanceError } from "../../platform/errors.ts";
import { isUuid } from "../../platform/storage/db/ids.ts";
import {
  checkTranscriptVersion,
  eachCorrection,
  insertCorrection,
  printedCorrections,
  undoCorrection,
} from "../../platform/storage/db/jobs/corrections.ts";
import { needsCorrections } from "../../service/transcripts/correction-problems.ts";
import { clientGone } from "../client-gone.ts";
import type { Api, ApiContext } from "../context.ts";
import { findOwnJob } from "../find-own-job.ts";
import { sendList } from "../streamed-list.ts";
import { prepare, prepareQuery } from "../validation/prepare.ts";
import { cleaned, faultsOf } from "./correction-changes.ts";

type CorrectionContext = Pick<
  ApiContext,
  "database" | "newId" | "now" | "results" | "search" | "space" | "transcriptProcess"
>;

/** Attempts to check and store a change while other changes are stored in between. */
const MOST_ATTEMPTS = 5;

const isOutdated = (thrown: unknown) => thrown instanceof ParlanceError && thrown.code === "correction.outdated";

/** Checks a change against the transcript and stores it, for the version against which it was checked. */
async function storeChange(
  request: FastifyRequest<{ Body: ChangeBody }>,
  signal: AbortSignal,
  context: CorrectionContext,
) {
  const { database, transcriptProcess } = context;
  const row = await findOwnJob(request, context, undefined);
  const { version: expected } = request.body;
  const change = cleaned(request.body);
  const faults = faultsOf(request.body);
  if (faults.length > 0) throw errors.invalidParameters(faults);
  const result = await context.results.path(row);
  for (let attempt = 1; ; attempt++) {
    let current: number | undefined;
    const corrections = async () => {
      // An outdated version is reported first: a change for another version may not match this one.
      if (!needsCorrections(change)) {
        if (expected !== undefined) await checkTranscriptVersion(database, row.id, expected);
        return [];
      }
      const before = await printedCorrections(database, row.id);
      current = row.divisions + versionOf(before);
      if (expected !== undefined && expected !== current) throw errors.transcriptChanged(expected, current);
      return before;
    };
    const caller = { tenant: request.account.id, signal };
    const problems = await transcriptProcess.check(caller, { result, corrections }, change);
    if (problems.length > 0) throw errors.invalidParameters(problems);
    const correction = {
      id: context.newId(),
      jobId: row.id,
      madeBy: request.keyName,
      change,
      resultKey: row.result_key,
    };
    try {
      return await insertCorrection(database, { ...correction, version: expected ?? current }, context.now());
    } catch (thrown) {
      if (expected !== undefined || attempt === MOST_ATTEMPTS || !isOutdated(thrown)) throw thrown;
    }
  }
}

export function addCorrections(app: Api, context: CorrectionContext): void {
  const { database, search } = context;
  app.patch(
    "/v2/transcription/:id/transcript",
    {
      schema: {
        tags: ["Transcripts"],
        summary: "Correct words or speakers",
        description:
          "An extension of the interface. The result stays as it was recognised; the correction is kept beside it. Merges are applied first, then splits, utterances, joins, breaks, cues, and names of speakers, each after those before it in its list. An utterance is divided where its speaker changes.",
        params: JobIdParams,
        body: ChangeBody,
        response: { 201: ChangedBody, ...errorResponses(400, 401, 404, 409, 413, 415, 503, 507) },
      },
      preValidation: async (request) => {
        request.body = prepare(ChangeBody, request.body) as ChangeBody;
      },
    },
    async (request, reply) => {
      await context.space.check();
      const { correction, version } = await storeChange(request, clientGone(reply), context);
      search.wake();
      return reply.code(201).send({ ...correction, version });
    },
  );
  app.get(
    "/v2/transcription/:id/corrections",
    {
      schema: {
        tags: ["Transcripts"],
        summary: "Corrections of a transcript, undone ones too, in the order in which they were made",
        params: JobIdParams,
        response: { 200: CorrectionsBody, ...errorResponses(401, 404) },
      },
    },
    async (request, reply) => {
      const row = await findOwnJob(request, context, undefined);
      // Computed from the listed corrections: a correction that is made meanwhile changes both the list and the version, or neither.
      let version = row.divisions;
      const counted = async function* () {
        for await (const correction of eachCorrection(database, row.id)) {
          version += versionOf([correction]);
          yield correction;
        }
      };
      return sendList(reply, {}, "items", counted(), () => ({ version })) as never;
    },
  );
  app.delete(
    "/v2/transcription/:id/corrections/:correction_id",
    {
      schema: {
        tags: ["Transcripts"],
        summary: "Undo a correction",
        description: "To redo it, send the change again.",
        params: CorrectionParams,
        querystring: UndoQuery,
        response: { 200: ChangedBody, ...errorResponses(400, 401, 404, 409, 413, 415) },
      },
      preValidation: async (request) => {
        request.query = prepareQuery(UndoQuery, request.query) as typeof request.query;
      },
    },
    async (request) => {
      const row = await findOwnJob(request, context, undefined);
      const { correction_id: id } = request.params;
      const { version } = request.query;
      const undone = isUuid(id)
        ? await undoCorrection(database, { id, jobId: row.id, undoneBy: request.keyName, version }, context.now())
        : undefined;
      if (!undone) throw errors.notFound("Correction that could be undone");
      search.wake();
      return { ...undone.correction, version: undone.version };
    },
  );
}
