// Corrections that were made several times: listed, their places in other transcripts, corrected there, dismissed.
import { errorResponses } from "../../contract/errors.ts";
import { firstOf } from "../../contract/first-of.ts";
import {
  AppliedBody,
  type ChosenPlace,
  ChosenPlaces,
  PLACES_OF_PAGE,
  PlacesPage,
  PlacesQuery,
  REPEATED_OF_PAGE,
  RepeatedBody,
  RepeatedChange,
  RepeatedPage,
  RepeatedParams,
  RepeatedQuery,
} from "../../contract/repeated-corrections.ts";
import { errors } from "../../platform/errors.ts";
import { isUuid } from "../../platform/storage/db/ids.ts";
import {
  findRepeated,
  listRepeated,
  type RepeatedCorrection,
  setDismissed,
} from "../../platform/storage/db/jobs/replaced-phrases.ts";
import { knownWords } from "../../platform/storage/db/vocabulary-words.ts";
import { correctPlaces, findPlaces, type PagePosition } from "../../service/teaching/correctable-places.ts";
import { clientGone } from "../client-gone.ts";
import type { Api, ApiContext } from "../context.ts";
import { isoTime } from "../job-record.ts";
import { badCursor, pageOf } from "../validation/pages.ts";
import { prepare, prepareQuery } from "../validation/prepare.ts";

type Context = Pick<ApiContext, "database" | "newId" | "now" | "results" | "search" | "space" | "transcriptProcess">;

const EXTENSION = "An extension of the interface.";
const MOST_OTHERS = 5;

/** @throws request.invalid */
function repeatedCursor(cursor: string | undefined) {
  if (cursor === undefined) return undefined;
  const [, milliseconds = "", pair = ""] = /^(\d{1,13})_(.{36})$/.exec(cursor) ?? [];
  const changedAt = new Date(Number(milliseconds));
  if (milliseconds === "" || !isUuid(pair) || Number.isNaN(changedAt.getTime())) throw badCursor();
  return { changedAt, pair };
}

/** @throws request.invalid */
function placesCursor(cursor: string | undefined): PagePosition | undefined {
  if (cursor === undefined) return undefined;
  const [, index, start, jobId = ""] = /^(?:(\d{1,9})_([\d.e-]{1,30})_)?(.{36})$/.exec(cursor) ?? [];
  const after = index === undefined ? undefined : { index: Number(index), start: Number(start) };
  if (!isUuid(jobId) || Number.isNaN(after?.start ?? 0)) throw badCursor();
  return { jobId, ...(after ? { after } : {}) };
}

const cursorOf = ({ jobId, after }: PagePosition) => (after ? `${after.index}_${after.start}_${jobId}` : jobId);

function bodyOf({ pair, changedAt, isDismissed, others: all, ...one }: RepeatedCorrection, known: Set<string>) {
  const { first: others, rest } = firstOf(all, MOST_OTHERS);
  return {
    id: pair,
    before: one.before,
    after: one.after,
    utterances: one.utterances,
    recordings: one.recordings,
    changed_at: isoTime(changedAt),
    dismissed: isDismissed,
    in_vocabulary: known.has(one.after),
    others,
    ...(rest > 0 ? { further_others: rest } : {}),
  };
}

async function bodiesOf(database: Context["database"], accountId: string, found: readonly RepeatedCorrection[]) {
  const known = await knownWords(
    database,
    accountId,
    found.map(({ after }) => after),
  );
  return found.map((one) => bodyOf(one, known));
}

/** @throws request.not_found for an unknown, malformed or foreign id alike */
async function own(database: Context["database"], accountId: string, id: string): Promise<RepeatedCorrection> {
  const found = isUuid(id) ? await findRepeated(database, accountId, id) : undefined;
  if (!found) throw errors.notFound("Repeated correction");
  return found;
}

function addLists(app: Api, { database }: Pick<Context, "database">): void {
  app.get(
    "/v2/repeated-corrections",
    {
      schema: {
        tags: ["Corrections that teach"],
        summary: "Words that people corrected in the same way several times, the last one first",
        description: `${EXTENSION} In at least two utterances, of all transcripts of the account. A correction is counted about a second after it was made.`,
        querystring: RepeatedQuery,
        response: { 200: RepeatedPage, ...errorResponses(400, 401) },
      },
      preValidation: async (request) => {
        request.query = prepareQuery(RepeatedQuery, request.query) as typeof request.query;
      },
    },
    async ({ account, query }) => {
      const { job_id: jobId, dismissed, limit = REPEATED_OF_PAGE, cursor } = query;
      if (jobId !== undefined && !isUuid(jobId)) return { items: [], next: null };
      const after = repeatedCursor(cursor);
      const filter = { accountId: account.id, jobId, isDismissed: dismissed === "true", limit: limit + 1, after };
      const { items, next } = pageOf(
        await listRepeated(database, filter),
        limit,
        ({ changedAt, pair }) => `${changedAt.getTime()}_${pair}`,
      );
      return { items: await bodiesOf(database, account.id, items), next };
    },
  );
  app.patch(
    "/v2/repeated-corrections/:repeated_id",
    {
      schema: {
        tags: ["Corrections that teach"],
        summary: "Dismiss a repeated correction, or take it back into the list",
        description: `${EXTENSION} A dismissed one stays dismissed, however often it is repeated.`,
        params: RepeatedParams,
        body: RepeatedChange,
        response: { 200: RepeatedBody, ...errorResponses(400, 401, 404, 413, 415) },
      },
      preValidation: async (request) => {
        request.body = prepare(RepeatedChange, request.body) as typeof request.body;
      },
    },
    async ({ account, params, body: { dismissed } }) => {
      const found = await own(database, account.id, params.repeated_id);
      await setDismissed(database, { accountId: account.id, pair: found.pair }, dismissed);
      return bodyOf({ ...found, isDismissed: dismissed }, await knownWords(database, account.id, [found.after]));
    },
  );
}

export function addRepeatedCorrections(app: Api, context: Context): void {
  const { database, search, space } = context;
  addLists(app, context);
  app.get(
    "/v2/repeated-corrections/:repeated_id/places",
    {
      schema: {
        tags: ["Corrections that teach"],
        summary: "Where transcripts still have the words, those of the newest transcript first",
        description: `${EXTENSION} Transcripts are read as they are corrected now. A page may have fewer places than its limit, or none, and still have a next one: it reads at most ten transcripts.`,
        params: RepeatedParams,
        querystring: PlacesQuery,
        response: { 200: PlacesPage, ...errorResponses(400, 401, 404, 503) },
      },
      preValidation: async (request) => {
        request.query = prepareQuery(PlacesQuery, request.query) as typeof request.query;
      },
    },
    async ({ account, params, query: { limit = PLACES_OF_PAGE, cursor } }, reply) => {
      const position = placesCursor(cursor);
      const repeated = await own(database, account.id, params.repeated_id);
      const caller = { accountId: account.id, signal: clientGone(reply) };
      const found = await findPlaces(context, caller, repeated, { position, limit });
      return {
        items: found.places.map(({ row, hasAudio, place }) => ({
          job_id: row.id,
          name: row.name,
          filename: row.file?.filename ?? null,
          created_at: isoTime(row.created_at),
          has_audio: hasAudio,
          ...place,
        })),
        next: found.next ? cursorOf(found.next) : null,
        unread: found.unread,
      };
    },
  );
  app.post(
    "/v2/repeated-corrections/:repeated_id/places",
    {
      schema: {
        tags: ["Corrections that teach"],
        summary: "Correct chosen places",
        description: `${EXTENSION} All places of a transcript become one correction, which is undone like any other. A place that reads otherwise by now is not changed, and reported. Transcripts are corrected one after another.`,
        params: RepeatedParams,
        body: ChosenPlaces,
        response: { 200: AppliedBody, ...errorResponses(400, 401, 404, 413, 415, 503, 507) },
      },
      preValidation: async (request) => {
        request.body = prepare(ChosenPlaces, request.body) as typeof request.body;
      },
    },
    async ({ account, keyName, params, body }, reply) => {
      await space.check();
      const repeated = await own(database, account.id, params.repeated_id);
      const byJob = new Map<string, ChosenPlace[]>();
      for (const place of body.places) byJob.set(place.job_id, [...(byJob.get(place.job_id) ?? []), place]);
      const { newId, now } = context;
      const author = { accountId: account.id, keyName, signal: clientGone(reply), newId, now };
      const transcripts = [];
      for (const [job_id, chosen] of byJob) {
        const done = await correctPlaces(context, author, repeated, job_id, chosen);
        if (done.correction) search.wake();
        transcripts.push({
          job_id,
          correction_id: done.correction?.id ?? null,
          version: done.version ?? null,
          message: done.message ?? null,
          places: chosen.map(({ index, start, end }, at) => ({
            index,
            start,
            end,
            state: done.states[at] ?? "refused",
          })),
        });
      }
      const states = transcripts.flatMap(({ places }) => places.map(({ state }) => state));
      return { corrected: states.filter((state) => state === "corrected").length, transcripts };
    },
  );
}
