// Vocabulary lists of an account: words that requests use which name the list.
import { errorResponses } from "../../contract/errors.ts";
import { noContent } from "../../contract/responses.ts";
import {
  LISTS_OF_PAGE,
  NewVocabularyList,
  VocabularyListBody,
  VocabularyListChange,
  VocabularyListParams,
  VocabularyListsPage,
  VocabularyListsQuery,
} from "../../contract/vocabulary.ts";
import { errors } from "../../platform/errors.ts";
import { isUuid } from "../../platform/storage/db/ids.ts";
import { findList, listPage, removeList, type VocabularyListRow } from "../../platform/storage/db/vocabulary-lists.ts";
import { changeList, makeList } from "../../service/vocabulary/vocabulary-lists.ts";
import type { Api, ApiContext } from "../context.ts";
import { isoTime } from "../job-record.ts";
import { badCursor, pageOf } from "../validation/pages.ts";
import { prepare, prepareQuery } from "../validation/prepare.ts";

const TAGS = { tags: ["Corrections that teach"] };
const EXTENSION = "An extension of the interface.";

const itemOf = <Row extends Pick<VocabularyListRow, "created_at" | "changed_at">>(row: Row) => ({
  ...row,
  created_at: isoTime(row.created_at),
  changed_at: isoTime(row.changed_at),
});
const bodyOf = ({ account_id: _, ...row }: VocabularyListRow) => itemOf(row);

/** The error for an unknown id, a malformed id and the id of another account. */
const notFound = () => errors.notFound("Vocabulary list");

function addReading(app: Api, { database }: Pick<ApiContext, "database">): void {
  app.get(
    "/v2/vocabulary-lists",
    {
      schema: {
        ...TAGS,
        summary: "The vocabulary lists of the account",
        description: `${EXTENSION} Recordings and live sessions name lists in vocabulary_lists. Their words are used besides custom_vocabulary.`,
        querystring: VocabularyListsQuery,
        response: { 200: VocabularyListsPage, ...errorResponses(400, 401) },
      },
      preValidation: async (request) => {
        request.query = prepareQuery(VocabularyListsQuery, request.query) as typeof request.query;
      },
    },
    async ({ account, query: { limit = LISTS_OF_PAGE, cursor } }) => {
      if (cursor !== undefined && !isUuid(cursor)) throw badCursor();
      const rows = await listPage(database, { accountId: account.id, limit: limit + 1, after: cursor });
      const { items, next } = pageOf(rows, limit, ({ id }) => id);
      return { items: items.map(itemOf), next };
    },
  );
  app.get(
    "/v2/vocabulary-lists/:list_id",
    {
      schema: {
        ...TAGS,
        summary: "A vocabulary list with its words",
        description: EXTENSION,
        params: VocabularyListParams,
        response: { 200: VocabularyListBody, ...errorResponses(400, 401, 404) },
      },
    },
    async ({ account, params: { list_id: id } }) => {
      const row = isUuid(id) ? await findList(database, account.id, id) : undefined;
      if (!row) throw notFound();
      return bodyOf(row);
    },
  );
}

export function addVocabularyLists(app: Api, context: Pick<ApiContext, "database" | "newId" | "now">): void {
  const { database, newId, now } = context;
  addReading(app, context);
  app.post(
    "/v2/vocabulary-lists",
    {
      schema: {
        ...TAGS,
        summary: "Make a vocabulary list",
        description: `${EXTENSION} A word that is there twice has the pronunciations of both.`,
        body: NewVocabularyList,
        response: { 201: VocabularyListBody, ...errorResponses(400, 401, 409, 413, 415, 507) },
      },
      preValidation: async (request) => {
        request.body = prepare(NewVocabularyList, request.body) as typeof request.body;
      },
    },
    async ({ account, keyName, body }, reply) => {
      const author = { id: newId(), accountId: account.id, madeBy: keyName, now: now() };
      return reply.code(201).send(bodyOf(await makeList(database, author, body)));
    },
  );
  app.patch(
    "/v2/vocabulary-lists/:list_id",
    {
      schema: {
        ...TAGS,
        summary: "Rename a vocabulary list, or replace its words",
        description: `${EXTENSION} Jobs that were accepted before do not change.`,
        params: VocabularyListParams,
        body: VocabularyListChange,
        response: { 200: VocabularyListBody, ...errorResponses(400, 401, 404, 409, 413, 415, 507) },
      },
      preValidation: async (request) => {
        request.body = prepare(VocabularyListChange, request.body) as typeof request.body;
      },
    },
    async ({ account, params: { list_id: id }, body }) => {
      const row = isUuid(id) ? await changeList(database, { id, accountId: account.id, now: now() }, body) : undefined;
      if (!row) throw notFound();
      return bodyOf(row);
    },
  );
  app.delete(
    "/v2/vocabulary-lists/:list_id",
    {
      schema: {
        ...TAGS,
        summary: "Delete a vocabulary list",
        description: `${EXTENSION} Jobs that were accepted before keep its words.`,
        params: VocabularyListParams,
        response: { 202: noContent("Deleted"), ...errorResponses(400, 401, 404, 413, 415) },
      },
    },
    async ({ account, params: { list_id: id } }, reply) => {
      if (!isUuid(id) || !(await removeList(database, account.id, id))) throw notFound();
      return reply.code(202).send(undefined as never);
    },
  );
}
