// Links with which people without a key read a transcript: made, listed, revoked.
import { errorResponses } from "../../contract/errors.ts";
import { JobIdParams } from "../../contract/job.ts";
import { noContent } from "../../contract/responses.ts";
import { MadeShareBody, MOST_SHARES, NewShare, SHARE_SECONDS, ShareParams, SharesBody } from "../../contract/shares.ts";
import { errors } from "../../platform/errors.ts";
import { isUuid } from "../../platform/storage/db/ids.ts";
import { insertShare, listShares, removeShare } from "../../platform/storage/db/jobs/shares.ts";
import { SHARED_PAGE } from "../console/pages.ts";
import { type Api, type ApiContext, publicBase } from "../context.ts";
import { findOwnJob } from "../find-own-job.ts";
import { prepare } from "../validation/prepare.ts";

const PATH = "/v2/transcription/:id/shares";
const TAGS = ["Transcripts"];
const EXTENSION = "An extension of the interface.";

export function addShares(
  app: Api,
  context: Pick<ApiContext, "database" | "forwarding" | "newId" | "results" | "space">,
): void {
  const { database } = context;
  app.get(
    PATH,
    {
      schema: {
        tags: TAGS,
        summary: "Links to a transcript",
        description: `${EXTENSION} Those that are open. Their tokens are not stored, and are shown only when a link is made.`,
        params: JobIdParams,
        operationId: "listTranscriptionShares",
        response: { 200: SharesBody, ...errorResponses(401, 404) },
      },
    },
    async (request) => {
      const { id } = await findOwnJob(request, context, undefined);
      return { items: await listShares(database, id) };
    },
  );
  app.post(
    PATH,
    {
      schema: {
        tags: TAGS,
        summary: "Make a link with which people without a key read a transcript",
        description: `${EXTENSION} Readers receive the transcript as corrected, its summary, chapters, translations and exports, with audio: true also the recording, and nothing else. The link ends after expires_in, when it is revoked, and with the transcript or the key that made it.`,
        params: JobIdParams,
        body: NewShare,
        operationId: "createTranscriptionShare",
        response: { 201: MadeShareBody, ...errorResponses(400, 401, 404, 409, 413, 415, 500, 503, 507) },
      },
      preValidation: async (request) => {
        request.body = prepare(NewShare, request.body) as typeof request.body;
      },
    },
    async (request, reply) => {
      await context.space.check();
      const row = await findOwnJob(request, context, undefined);
      // There must be something to read.
      await context.results.path(row);
      const { expires_in: seconds = SHARE_SECONDS, audio = false } = request.body;
      const base = publicBase(request, context);
      const { keyId, keyName: madeBy } = request;
      const added = { id: context.newId(), jobId: row.id, keyId, madeBy, seconds, audio };
      const { share, token } = await insertShare(database, added, MOST_SHARES);
      // Browsers do not send a fragment, so that no log of a proxy has the token.
      const page = app.hasRoute({ method: "GET", url: SHARED_PAGE }) ? { page: `${base}${SHARED_PAGE}#${token}` } : {};
      return reply.code(201).send({ ...share, token, ...page });
    },
  );
  app.delete(
    `${PATH}/:share_id`,
    {
      schema: {
        tags: TAGS,
        summary: "Revoke a link to a transcript",
        description: `${EXTENSION} Its readers are refused from then on.`,
        params: ShareParams,
        operationId: "deleteTranscriptionShare",
        response: { 202: noContent("Revoked"), ...errorResponses(400, 401, 404, 413, 415) },
      },
    },
    async (request, reply) => {
      const { id: jobId } = await findOwnJob(request, context, undefined);
      const { share_id: id } = request.params;
      if (!isUuid(id)) throw errors.notFound("Link");
      await removeShare(database, { jobId, id });
      return reply.code(202).send(undefined as never);
    },
  );
}
