// The lists: every job, live ones, pre-recorded ones. All page addresses point at /v2/transcription, with the kind
// where the list was for one kind only, so that paging on stays within it.

import { errorResponses } from "../../contract/errors.ts";
import { JobListQuery, JobPage } from "../../contract/job.ts";
import type { JobOverview } from "../../contract/job-overview.ts";
import { shownParameters } from "../../contract/job-parameters.ts";
import type { SpeakerIdentity } from "../../contract/transcript/transcript.ts";
import { type JobOfPage, listJobs } from "../../platform/storage/db/jobs/job-lists.ts";
import { passages } from "../../platform/storage/db/jobs/job-texts.ts";
import type { JobKind } from "../../platform/storage/db/schema.ts";
import { type Api, type ApiContext, publicBase } from "../context.ts";
import { jobRecord } from "../job-record.ts";
import { sendList } from "../streamed-list.ts";
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

/** The database has no names of the library of voices in clear. */
function withVoices(overview: JobOverview, voices: readonly SpeakerIdentity[]): JobOverview {
  const names = new Map(voices.map(({ speaker, name }) => [speaker, name]));
  const speakers = overview.speakers.map(({ speaker, name }) => ({
    speaker,
    name: name ?? names.get(speaker) ?? null,
  }));
  return { ...overview, speakers };
}

/** Made when they are printed, one after the other. */
function* itemsOf<Row, Item>(page: readonly Row[], item: (row: Row) => Item): Generator<Item> {
  for (const row of page) yield item(row);
}

export function addList(
  app: Api,
  context: Pick<ApiContext, "database" | "forwarding" | "voices">,
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
    async (request, reply) => {
      const raw = request.query as Record<string, string | string[] | undefined>;
      const filters = parseListQuery(raw);
      if (kind) filters.kinds = [kind];
      const { date, before, after, offset, limit, search } = filters;
      const until = earliest(date ? endOfDay(date) : undefined, before);
      const isLive = kind === "live";
      const wanted = {
        accountId: request.account.id,
        ...(filters.kinds ? { kinds: filters.kinds } : {}),
        ...(filters.statuses ? { statuses: filters.statuses } : {}),
        ...(filters.metadata ? { metadata: filters.metadata } : {}),
        ...(filters.tags ? { tags: filters.tags } : {}),
        ...(search ? { search, voiceIds: await context.voices.idsNamed(request.account.id, search) } : {}),
        ...(date ? { from: date } : {}),
        ...(until ? { before: until } : {}),
        ...(after ? { after } : {}),
        offset,
        limit,
      };
      const { rows: page, count, hasMore } = await listJobs(context.database, wanted, isLive ? "all" : "none");
      const base = `${publicBase(request, context)}/v2/transcription`;
      const address = (from: number) => `${base}?${pageQuery(filters, raw, from)}`;
      // New jobs must not move listed ones to the next page: later pages contain only jobs before the first page. A first page with an offset
      // does not contain the newest job: without this anchor, new jobs may repeat listed ones.
      const newest = page.map(({ created_at }) => created_at).find((time) => Number.isFinite(time.getTime()));
      const anchor = earliest(before, offset === 0 && newest ? new Date(newest.getTime() + 1) : undefined);
      const following = anchor ? { ...raw, before_date: anchor.toISOString() } : raw;
      const ids = page.map(({ id }) => id);
      const found = search ? await passages(context.database, ids, search) : undefined;
      const named = await context.voices.namesOfJobs(ids);
      const item = (row: JobOfPage) => ({
        ...jobRecord(row),
        overview: row.overview && withVoices(row.overview, named.get(row.id) ?? []),
        ...(found ? { passage: found.get(row.id) ?? "" } : {}),
        ...(isLive ? { request_params: shownParameters(row.request_params), result: null } : {}),
      });
      const addresses = {
        first: address(0),
        current: address(offset),
        next: hasMore ? `${base}?${pageQuery(filters, following, offset + count)}` : null,
      };
      return sendList(reply, addresses, "items", itemsOf(page, item)) as never;
    },
  );
}
