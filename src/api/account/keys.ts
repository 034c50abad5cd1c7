// Keys of the caller's own account: listed, made, revoked.

import { KeyParams, KeysBody, MadeKeyBody, NewKeyBody } from "../../contract/account.ts";
import { errorResponses } from "../../contract/errors.ts";
import { noContent } from "../../contract/responses.ts";
import { errors } from "../../platform/errors.ts";
import { countKeysOf, insertKey, keysOfAccount, revokeKey } from "../../platform/storage/db/accounts/accounts.ts";
import { isUuid } from "../../platform/storage/db/ids.ts";
import { newAccountKey } from "../../service/accounts/first-account.ts";
import type { Api, ApiContext } from "../context.ts";

const PATH = "/v2/account/keys";
/** Bound, because one response lists all of them. */
const MOST_KEYS = 1_000;

export function addKeys(
  app: Api,
  { database, live, newId, now, logger }: Pick<ApiContext, "database" | "live" | "logger" | "newId" | "now">,
): void {
  app.get(
    PATH,
    {
      schema: {
        tags: ["Account"],
        summary: "Keys of this account that are not revoked",
        response: { 200: KeysBody, ...errorResponses(401) },
      },
    },
    async ({ account }) => ({
      items: (await keysOfAccount(database, account.id)).map(({ id, name, created_at }) => ({
        id,
        name,
        created_at: created_at.toISOString(),
      })),
    }),
  );
  app.post(
    PATH,
    {
      schema: {
        tags: ["Account"],
        summary: "Make a key of this account",
        body: NewKeyBody,
        response: { 201: MadeKeyBody, ...errorResponses(400, 401, 409, 413, 415) },
      },
    },
    async ({ account, body }, reply) => {
      if ((await countKeysOf(database, account.id)) >= MOST_KEYS) throw errors.tooManyKeys(MOST_KEYS);
      const made = { id: newId(), name: body.name, key: newAccountKey() };
      const createdAt = now();
      await insertKey(database, { ...made, accountId: account.id }, createdAt);
      return reply.code(201).send({ ...made, created_at: createdAt.toISOString() });
    },
  );
  app.delete(
    `${PATH}/:id`,
    {
      schema: {
        tags: ["Account"],
        summary: "Revoke a key of this account",
        description: "Live sessions that were made with it end within seconds; what they received is transcribed.",
        params: KeyParams,
        response: {
          202: noContent("Revoked"),
          ...errorResponses(400, 401, 404, 413, 415),
        },
      },
    },
    async ({ account, params: { id } }, reply) => {
      if (!isUuid(id) || !(await revokeKey(database, id, now(), account.id))) throw errors.notFound("Key");
      // Other machines check within seconds.
      live
        .endWithoutAccess()
        .catch((error: unknown) => logger.warn({ err: error }, "live sessions are checked again soon"));
      return reply.code(202).send(undefined as never);
    },
  );
}
