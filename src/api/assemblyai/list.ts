// GET /v2/transcript: pages of transcripts, newest first, for clients of AssemblyAI's interface.
import { assemblyAiErrors } from "../../contract/assemblyai.ts";
import { TranscriptListBody, TranscriptListQuery } from "../../contract/assemblyai-transcript.ts";
import { errors } from "../../platform/errors.ts";
import { isUuid } from "../../platform/storage/db/ids.ts";
import { listJobs } from "../../platform/storage/db/jobs/job-lists.ts";
import { findJob } from "../../platform/storage/db/jobs/jobs.ts";
import { type Api, type ApiContext, publicBase } from "../context.ts";
import { isoTime } from "../job-record.ts";
import { endOfDay } from "../records/list-query.ts";
import { prepareQuery } from "../validation/prepare.ts";
import { jobStatus, shownAddress, transcriptStatus } from "./record.ts";

const PATH = "/v2/transcript";
const LIMIT = 10;
/** The first year that PostgreSQL and JavaScript write alike. */
const EARLIEST = Date.parse("0001-01-01T00:00:00Z");

export function addTranscriptList(app: Api, context: Pick<ApiContext, "database" | "forwarding">): void {
  const { database } = context;
  app.get(
    PATH,
    {
      schema: {
        tags: ["AssemblyAI"],
        summary: "List transcripts, newest first",
        operationId: "listTranscripts",
        querystring: TranscriptListQuery,
        response: { 200: TranscriptListBody, ...assemblyAiErrors(400, 401, 404) },
      },
      config: { takesBareKey: true },
      preValidation: async (request) => {
        request.query = prepareQuery(TranscriptListQuery, request.query) as typeof request.query;
      },
    },
    async (request) => {
      const { limit = LIMIT, status, created_on, before_id, after_id, throttled_only } = request.query;
      const accountId = request.account.id;
      if (before_id !== undefined && after_id !== undefined)
        throw errors.invalidParameters(["before_id and after_id must not be sent together"]);
      const day = created_on === undefined ? undefined : new Date(`${created_on}T00:00:00Z`);
      const isDay =
        day === undefined || (!Number.isNaN(day.getTime()) && day.toISOString().startsWith(`${created_on}T`));
      if (!isDay || (day && day.getTime() < EARLIEST))
        throw errors.invalidParameters(["created_on must be a day of the calendar, YYYY-MM-DD"]);
      for (const id of [before_id, after_id]) {
        if (id === undefined) continue;
        const row = isUuid(id) ? await findJob(database, id) : undefined;
        if (row?.account_id !== accountId) throw errors.notFound("Transcript");
      }
      const { rows, hasMore } = await listJobs(
        database,
        {
          ...{ accountId, kinds: ["pre-recorded"], offset: 0, limit },
          ...(status === undefined ? {} : { statuses: [jobStatus(status)] }),
          ...(day ? { from: day, before: endOfDay(day) } : {}),
          ...(before_id === undefined ? {} : { olderThan: before_id }),
          ...(after_id === undefined ? {} : { newerThan: after_id }),
        },
        "address",
      );
      const shown = throttled_only === "true" ? [] : rows;
      const base = `${publicBase(request, context)}${PATH}`;
      const filter = {
        limit: String(limit),
        ...(status === undefined ? {} : { status }),
        ...(created_on === undefined ? {} : { created_on }),
        ...(throttled_only === undefined ? {} : { throttled_only }),
      };
      const address = (more: Record<string, string>) => `${base}?${new URLSearchParams({ ...filter, ...more })}`;
      const [newest, oldest] = [shown[0], shown.at(-1)];
      // With after_id, what is left is newer than the page.
      const hasOlder = oldest !== undefined && (hasMore || after_id !== undefined);
      return {
        page_details: {
          ...{ limit, result_count: shown.length },
          current_url: address({ ...(before_id ? { before_id } : {}), ...(after_id ? { after_id } : {}) }),
          prev_url: hasOlder ? address({ before_id: oldest.id }) : null,
          next_url: newest === undefined ? null : address({ after_id: newest.id }),
        },
        transcripts: shown.map((row) => ({
          id: row.id,
          resource_url: `${base}/${row.id}`,
          status: transcriptStatus(row.status),
          created: isoTime(row.created_at),
          completed: row.completed_at && isoTime(row.completed_at),
          audio_url: shownAddress(row),
          error: row.error_message,
        })),
      };
    },
  );
}
