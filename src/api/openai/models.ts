// GET /v1/models: the names that clients of OpenAI's interface may give.
import { Type } from "@sinclair/typebox";
import { errors } from "../../errors.ts";
import type { Api, ApiContext } from "../context.ts";
import { openAiErrors } from "./responses.ts";
import { modelNamed } from "./run.ts";

const ModelObject = Type.Object(
  { id: Type.String(), object: Type.Literal("model"), created: Type.Integer(), owned_by: Type.String() },
  { title: "OpenAiModel" },
);

const CLIENT_NAMES = ["whisper-1", "gpt-4o-transcribe", "gpt-4o-mini-transcribe", "gpt-4o-transcribe-diarize"];
const object = (id: string) => ({ id, object: "model" as const, created: 0, owned_by: "parlance" });

export function addOpenAiModels(app: Api, { models }: ApiContext): void {
  app.get(
    "/v1/models",
    {
      schema: {
        tags: ["OpenAI"],
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
        summary: "One model",
        params: Type.Object({ model: Type.String() }),
        response: { 200: ModelObject, ...openAiErrors(401, 404) },
      },
    },
    async ({ params: { model } }) => {
      await modelNamed(model, models).catch(() => {
        throw errors.modelUnknown(model);
      });
      return object(model);
    },
  );
}
