// GET /v1/models: the names that clients of OpenAI's interface may give.
import { Type } from "@sinclair/typebox";
import { Name } from "../../contract/fields.ts";
import type { Api, ApiContext } from "../context.ts";
import { openAiErrors } from "./responses.ts";
import { CLIENT_NAMES, modelNamed } from "./run.ts";

const ModelObject = Type.Object(
  { id: Type.String(), object: Type.Literal("model"), created: Type.Integer(), owned_by: Type.String() },
  { title: "OpenAiModel" },
);

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
          200: Type.Object({ object: Type.Literal("list"), data: Type.Array(ModelObject) }, { title: "OpenAiModels" }),
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
        params: Type.Object({ model: Name() }),
        response: { 200: ModelObject, ...openAiErrors(401, 404) },
      },
    },
    async ({ params: { model } }) => {
      await modelNamed(model, models);
      return object(model);
    },
  );
}
