// The lists: every job, live ones, pre-recorded ones. All page addresses point at /v2/transcription, with the kind
// where the list was for one kind only, so that paging on stays within it.

import { errorResponses } from "../../contract/errors.ts";
import { JobListQuery, JobPage } from "../../contract/job.ts";
import { shownParameters } from "../../contract/job-parameters.ts";
import { type ListedJob, listJobs } from "../../platform/storage/db/jobs/job-lists.ts";
import { passages } from "../../platform/storage/db/jobs/job-texts.ts";
import type { JobKind } from "../../platform/storage/db/schema.ts";
import { type Api, type ApiContext, publicBase } from "../context.ts";
import { jobRecord } from "../job-record.ts";
import { endOfDay, pageQuery, parseListQuery } from "./list-query.ts";

export interface ListRoute {
  path: string;
  kind: JobKind | undefined;
  tag: string;
}

function earliest(left: Date | undefined, right: Date | undefined): Date | undefined {
  if (!left || !right) return left ?? right;
  return left < right ? left : right;
}

export function addList(
  app: Api,
  context: Pick<ApiContext, "database" | "forwarding">,
  { path, kind, tag }: ListRoute,
): void {
  app.get(
    path,
    {
      schema: {
        tags: [tag],
        summary: "List jobs, newest first",
        querystring: JobListQuery,
        response: { 200: JobPage, ...errorResponses(400, 401) },
      },
      // Clients encode lists in ways that a schema cannot describe: parseListQuery validates the query.
      validatorCompiler: () => () => true,
    },
    async (request) => {
      const raw = request.query as Record<string, string | string[] | undefined>;
      const filters = parseListQuery(raw);
      if (kind) filters.kinds = [kind];
      const { date, before, after, offset, limit } = filters;
      const until = earliest(date ? endOfDay(date) : undefined, before);
      const isLive = kind === "live";
      const wanted = {
        accountId: request.account.id,
        ...(filters.kinds ? { kinds: filters.kinds } : {}),
        ...(filters.statuses ? { statuses: filters.statuses } : {}),
        ...(filters.metadata ? { metadata: filters.metadata } : {}),
        ...(filters.search ? { search: filters.search } : {}),
        ...(date ? { from: date } : {}),
        ...(until ? { before: until } : {}),
        ...(after ? { after } : {}),
        offset,
        limit,
      };
      const { rows: page, count, hasMore } = await listJobs(context.database, wanted, isLive);
      const base = `${publicBase(request, context)}/v2/transcription`;
      const address = (from: number) => `${base}?${pageQuery(filters, raw, from)}`;
      // New jobs must not move listed ones to the next page: later pages contain only jobs before the first page.
      const newest = page.map(({ created_at }) => created_at).find((time) => Number.isFinite(time.getTime()));
      const anchor = before ?? (newest && new Date(newest.getTime() + 1));
      const { search } = filters;
      const found = search
        ? await passages(
            context.database,
            page.map(({ id }) => id),
            search,
          )
        : undefined;
      const item = (row: ListedJob) => ({
        ...jobRecord(row),
        ...(found ? { passage: found.get(row.id) ?? "" } : {}),
        ...(isLive ? { request_params: shownParameters(row.request_params), result: null } : {}),
      });
      return {
        first: address(0),
        current: address(offset),
        next:
          hasMore && anchor
            ? `${base}?${pageQuery(filters, { ...raw, before_date: anchor.toISOString() }, offset + count)}`
            : null,
        items: page.map(item),
      };
    },
  );
}
