// The vocabulary of an account: words that its requests use without naming them.
import { errorResponses } from "../../contract/errors.ts";
import { noContent } from "../../contract/responses.ts";
import {
  AccountVocabulary,
  NewVocabularyWord,
  VocabularySettings,
  VocabularyWordBody,
  VocabularyWordParams,
} from "../../contract/vocabulary.ts";
import { errors } from "../../platform/errors.ts";
import { isUuid } from "../../platform/storage/db/ids.ts";
import {
  removeWord,
  setUsesVocabulary,
  usesVocabulary,
  type VocabularyRow,
  vocabularyRows,
} from "../../platform/storage/db/vocabulary-words.ts";
import { addWord } from "../../service/vocabulary/account-vocabulary.ts";
import type { Api, ApiContext } from "../context.ts";
import { isoTime } from "../job-record.ts";
import { prepare } from "../validation/prepare.ts";

const EXTENSION = "An extension of the interface.";

const bodyOf = ({ account_id: _, created_at, ...row }: VocabularyRow) => ({ ...row, created_at: isoTime(created_at) });

export function addVocabulary(
  app: Api,
  { database, newId, now }: Pick<ApiContext, "database" | "newId" | "now">,
): void {
  app.get(
    "/v2/vocabulary",
    {
      schema: {
        tags: ["Corrections that teach"],
        summary: "The vocabulary of the account",
        description: `${EXTENSION} Recordings and live sessions of every interface use its words besides their own custom_vocabulary, unless account_vocabulary is false. A job lists them as account_words.`,
        operationId: "getVocabulary",
        response: { 200: AccountVocabulary, ...errorResponses(401) },
      },
    },
    async ({ account: { id } }) => ({
      enabled: await usesVocabulary(database, id),
      items: (await vocabularyRows(database, id)).map(bodyOf),
    }),
  );
  app.put(
    "/v2/vocabulary/settings",
    {
      schema: {
        tags: ["Corrections that teach"],
        summary: "Turn the vocabulary of the account on or off",
        description: `${EXTENSION} It is on until it is turned off. While it is off, requests with account_vocabulary: true use it.`,
        body: VocabularySettings,
        response: { 200: VocabularySettings, ...errorResponses(400, 401, 413, 415) },
      },
      preValidation: async (request) => {
        request.body = prepare(VocabularySettings, request.body) as typeof request.body;
      },
    },
    async ({ account, body: { enabled } }) => {
      await setUsesVocabulary(database, account.id, enabled);
      return { enabled };
    },
  );
  app.post(
    "/v2/vocabulary/words",
    {
      schema: {
        tags: ["Corrections that teach"],
        summary: "Add a word to the vocabulary of the account",
        description: `${EXTENSION} A word that it has gets further pronunciations. Jobs that were accepted before do not change.`,
        body: NewVocabularyWord,
        response: { 201: VocabularyWordBody, ...errorResponses(400, 401, 409, 413, 415, 507) },
      },
      preValidation: async (request) => {
        request.body = prepare(NewVocabularyWord, request.body) as typeof request.body;
      },
    },
    async ({ account, keyName, body }, reply) => {
      const author = { id: newId(), accountId: account.id, madeBy: keyName, now: now() };
      return reply.code(201).send(bodyOf(await addWord(database, author, body)));
    },
  );
  app.delete(
    "/v2/vocabulary/words/:word_id",
    {
      schema: {
        tags: ["Corrections that teach"],
        summary: "Remove a word from the vocabulary of the account",
        description: EXTENSION,
        params: VocabularyWordParams,
        response: { 202: noContent("Removed"), ...errorResponses(400, 401, 404, 413, 415) },
      },
    },
    async ({ account, params: { word_id: id } }, reply) => {
      if (!isUuid(id) || !(await removeWord(database, account.id, id))) throw errors.notFound("Word of the vocabulary");
      return reply.code(202).send(undefined as never);
    },
  );
}
