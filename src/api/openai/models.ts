// GET /v1/models: the names that clients of OpenAI's interface may give. OpenAI does not have /v1/audio/models; speaches and other servers of
// its interface do.
import {
  type AudioModel,
  AudioModelsBody,
  OpenAiModelBody,
  OpenAiModelParams,
  OpenAiModelsBody,
  openAiErrors,
} from "../../contract/openai.ts";
import { CLIENT_NAMES, modelNamed } from "../../service/openai/model-names.ts";
import type { Api, ApiContext } from "../context.ts";

const object = (id: string) => ({ id, object: "model" as const, created: 0, owned_by: "parlance" });

const audioModel = (id: string, languages?: readonly string[]): AudioModel => ({
  ...object(id),
  name: id,
  task: "automatic-speech-recognition",
  ...(languages ? { language: [...languages] } : {}),
});

export function addOpenAiModels(app: Api, { recordingModels: models }: Pick<ApiContext, "recordingModels">): void {
  app.get(
    "/v1/models",
    {
      config: { takesBasicKey: true },
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
    "/v1/audio/models",
    {
      config: { takesBasicKey: true },
      schema: {
        tags: ["OpenAI"],
        operationId: "listOpenAiAudioModels",
        summary: "Models that can be named, with their languages",
        response: { 200: AudioModelsBody, ...openAiErrors(401) },
      },
    },
    async () => {
      const installed = (await models.list()).map(({ id, languages }) => audioModel(id, languages));
      const all = [...CLIENT_NAMES.map((id) => audioModel(id)), ...installed];
      return { object: "list" as const, data: all, models: all };
    },
  );
  app.get(
    "/v1/models/:model",
    {
      config: { takesBasicKey: true },
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
