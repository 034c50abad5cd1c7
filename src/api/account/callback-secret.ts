// The secret that signs callbacks of this account: reads it, replaces it, retires the previous one.
import { SecretBody } from "../../contract/account.ts";
import { errorResponses } from "../../contract/errors.ts";
import { noContent } from "../../contract/responses.ts";
import {
  callbackSecrets,
  retireCallbackSecret,
  rotateCallbackSecret,
} from "../../platform/storage/db/accounts/callback-secrets.ts";
import type { Api, ApiContext } from "../context.ts";

const PATH = "/v2/account/callback-secret";
const bodyOf = ([secret = "", previous]: string[]) => ({ secret, previous_secret: previous ?? null });

export function addCallbackSecret(app: Api, { database, secrets }: Pick<ApiContext, "database" | "secrets">): void {
  const response = { 200: SecretBody, ...errorResponses(401, 503) };
  app.get(
    PATH,
    { schema: { tags: ["Account"], summary: "What callbacks are signed with", response } },
    async (request) => bodyOf(await callbackSecrets(database, request.account.id, secrets)),
  );
  app.post(
    PATH,
    {
      schema: {
        tags: ["Account"],
        summary: "Make a new secret; callbacks carry both signatures until the old one is retired",
        description:
          "Until the old secret is retired, a request within ten minutes of another returns the same secrets. An old secret that the service can no longer open, because its key was lost, is dropped.",
        response: { 201: SecretBody, ...errorResponses(400, 401, 413, 415) },
      },
    },
    async (request, reply) =>
      reply.code(201).send(bodyOf(await rotateCallbackSecret(database, request.account.id, secrets))),
  );
  app.delete(
    `${PATH}/previous`,
    {
      schema: {
        tags: ["Account"],
        summary: "Retire the secret before the current one",
        response: { 202: noContent("It signs no more"), ...errorResponses(400, 401, 413, 415) },
      },
    },
    async (request, reply) => {
      await retireCallbackSecret(database, request.account.id);
      return reply.code(202).send(undefined as never);
    },
  );
}
