// GET /v1/models: the names that clients of OpenAI's interface may give.
import { OpenAiModelBody, OpenAiModelParams, OpenAiModelsBody, openAiErrors } from "../../contract/openai.ts";
import { CLIENT_NAMES, modelNamed } from "../../service/openai/model-names.ts";
import type { Api, ApiContext } from "../context.ts";

const object = (id: string) => ({ id, object: "model" as const, created: 0, owned_by: "parlance" });

export function addOpenAiModels(app: Api, { models }: Pick<ApiContext, "models">): void {
  app.get(
    "/v1/models",
    {
      schema: {
        tags: ["OpenAI"],
        operationId: "listOpenAiModels",
        summary: "Models that can be named",
        response: {
          200: OpenAiModelsBody,
          ...openAiErrors(401),
        },
      },
    },
    async () => {
      const installed = (await models.list()).map(({ id }) => id);
      return { object: "list" as const, data: [...CLIENT_NAMES, ...installed].map(object) };
    },
  );
  app.get(
    "/v1/models/:model",
    {
      schema: {
        tags: ["OpenAI"],
        operationId: "getOpenAiModel",
        summary: "One model",
        params: OpenAiModelParams,
        response: { 200: OpenAiModelBody, ...openAiErrors(401, 404) },
      },
    },
    async ({ params: { model } }) => {
      await modelNamed(model, models);
      return object(model);
    },
  );
}
