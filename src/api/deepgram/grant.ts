// POST /v1/auth/grant: a temporary token with which browsers and apps open live sessions of Deepgram's interface, and nothing else.
import { DEFAULT_GRANT_SECONDS, GrantAnswer, GrantRequest, listenErrors } from "../../contract/deepgram-recorded.ts";
import { errors } from "../../platform/errors.ts";
import { LISTEN_TOKEN } from "../../service/live/dialects/dialect.ts";
import type { Api, ApiContext } from "../context.ts";
import { prepare } from "../validation/prepare.ts";

export function addGrant(app: Api, { clientSecrets }: Pick<ApiContext, "clientSecrets">): void {
  app.post(
    "/v1/auth/grant",
    {
      preValidation: async (request) => {
        request.body = prepare(GrantRequest, request.body ?? {}) as GrantRequest;
      },
      schema: {
        tags: ["Deepgram"],
        summary: "A temporary token for live sessions of Deepgram's interface",
        operationId: "createListenToken",
        body: GrantRequest,
        response: { 200: GrantAnswer, ...listenErrors(400, 401, 413, 415) },
      },
    },
    async ({ account, keyId, body }) => {
      const seconds = body.ttl_seconds ?? DEFAULT_GRANT_SECONDS;
      const made = await clientSecrets.make(account.id, keyId, seconds, LISTEN_TOKEN);
      if (!made) throw errors.internal("a token is too long");
      return { access_token: made.value, expires_in: seconds };
    },
  );
}
