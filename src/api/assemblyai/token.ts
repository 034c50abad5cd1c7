// GET /v3/token: a temporary token with which browsers and apps open sessions of AssemblyAI's streaming interface, and nothing else.
import { assemblyAiErrors, TokenBody, TokenQuery } from "../../contract/assemblyai.ts";
import { errors } from "../../platform/errors.ts";
import { streamingToken } from "../../service/live/dialects/dialect.ts";
import type { Api, ApiContext } from "../context.ts";
import { prepareQuery } from "../validation/prepare.ts";

export function addStreamingToken(app: Api, { clientSecrets }: Pick<ApiContext, "clientSecrets">): void {
  app.get(
    "/v3/token",
    {
      schema: {
        tags: ["AssemblyAI"],
        summary: "A temporary token for sessions of AssemblyAI's streaming interface",
        operationId: "createStreamingToken",
        querystring: TokenQuery,
        response: { 200: TokenBody, ...assemblyAiErrors(400, 401) },
      },
      config: { takesBareKey: true },
      preValidation: async (request) => {
        request.query = prepareQuery(TokenQuery, request.query) as TokenQuery;
      },
    },
    async (request) => {
      const { expires_in_seconds: seconds, max_session_duration_seconds: most } = request.query;
      const made = await clientSecrets.make(request.account.id, request.keyId, seconds, streamingToken(most));
      if (!made) throw errors.internal("a streaming token is too long");
      return { token: made.value, expires_in_seconds: seconds };
    },
  );
}
