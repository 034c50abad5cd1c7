// GET of one job by each of its addresses. A finished job's result is streamed from where it is stored: an hour-long
// transcript never passes through this process's memory as a whole.
import { open } from "node:fs/promises";
import { Readable } from "node:stream";
import type { FastifyRequest } from "fastify";
import { errorResponses } from "../../contract/errors.ts";
import { JobBody, JobIdParams, JobQuery } from "../../contract/job.ts";
import { shownParameters } from "../../contract/job-parameters.ts";
import { toParlanceError } from "../../platform/errors.ts";
import type { JobWithFile } from "../../platform/storage/db/jobs/job-files.ts";
import type { JobKind } from "../../platform/storage/db/schema.ts";
import { isAbsent } from "../../platform/storage/disk/absent.ts";
import type { NamedResult } from "../../service/jobs/named-results.ts";
import { clientGone } from "../client-gone.ts";
import type { Api, ApiContext } from "../context.ts";
import { findOwnJob } from "../find-own-job.ts";
import { jobProgress, jobRecord } from "../job-record.ts";

export interface JobRoute {
  path: string;
  /** Undefined where both kinds are found. */
  kind: JobKind | undefined;
  tag: string;
}

/** `{…record}` and `"result": …` joined without parsing the result. */
async function* withResult(record: object, result: Readable): AsyncGenerator<Buffer | string> {
  yield `${JSON.stringify(record).slice(0, -1)},"result":`;
  yield* result;
  yield "}";
}

/**
 * @param thrown  by the reading of a result
 * @returns the job whose damaged result is being made again
 * @throws `thrown` where that is not the reason, and where the job has finished again: the next request reads the new result
 */
export async function remadeJob(
  thrown: unknown,
  request: FastifyRequest,
  context: Pick<ApiContext, "database">,
  kind: JobKind | undefined,
): Promise<JobWithFile> {
  if (toParlanceError(thrown).code !== "job.result_remade") throw thrown;
  const current = await findOwnJob(request, context, kind);
  if (current.status === "done") throw thrown;
  return current;
}

interface FoundResult {
  row: JobWithFile;
  result?: Readable;
}

/** @returns no result while there is none; a fresh row if its result was damaged and is produced again */
async function withResultOf(
  row: JobWithFile,
  request: FastifyRequest,
  context: Pick<ApiContext, "database" | "namedResults">,
  kind: JobKind | undefined,
  signal: AbortSignal,
  isSecond = false,
): Promise<FoundResult> {
  if (row.status !== "done" || row.result_key === null) return { row };
  let stored: NamedResult;
  try {
    stored = await context.namedResults.open(row, signal);
  } catch (thrown) {
    return { row: await remadeJob(thrown, request, context, kind) };
  }
  const close = () => void stored.close().catch((error: unknown) => request.log.warn({ err: error }));
  try {
    // Opened before the answer begins, so that a deletion from here on does not cut the answer.
    const file = await open(stored.path);
    return { row, result: file.createReadStream().once("close", close) };
  } catch (thrown) {
    close();
    // The job was deleted, its result was replaced, or this machine's copy of the result was evicted.
    if (!isAbsent(thrown) || isSecond) throw thrown;
    return withResultOf(await findOwnJob(request, context, kind), request, context, kind, signal, true);
  }
}

export function addGet(
  app: Api,
  context: Pick<ApiContext, "database" | "namedResults" | "queuePlaces" | "recordingModels" | "supply" | "throughput">,
  { path, kind, tag }: JobRoute,
): void {
  app.get(
    `${path}/:id`,
    {
      schema: {
        tags: [tag],
        summary: "Status and result of one job",
        params: JobIdParams,
        querystring: JobQuery,
        response: { 200: JobBody, ...errorResponses(400, 401, 404, 503) },
      },
    },
    async (request, reply) => {
      const found = await findOwnJob(request, context, kind);
      const { row, result }: FoundResult =
        request.query.result === "false"
          ? { row: found }
          : await withResultOf(found, request, context, kind, clientGone(reply));
      const progress = await jobProgress(row, context);
      const record = {
        ...jobRecord(row),
        request_params: shownParameters(row.request_params),
        ...(progress ? { progress } : {}),
      };
      reply.type("application/json; charset=utf-8");
      if (!result) return reply.send({ ...record, result: null } as never);
      const body = Readable.from(withResult(record, result), { objectMode: false });
      body.once("close", () => result.destroy());
      return reply.send(body as never);
    },
  );
}
