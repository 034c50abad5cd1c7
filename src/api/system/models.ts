// Models: what is installed, what can be, and having one fetched.

import { errorResponses } from "../../contract/errors.ts";
import { noContent } from "../../contract/responses.ts";
import { FetchModelBody, ModelParams, ModelsBody, type SpeechModel } from "../../contract/system.ts";
import { errors } from "../../platform/errors.ts";
import { isOperator, operatorOnly } from "../../service/accounts/operator.ts";
import { beginFetch } from "../../service/models/begin-fetch.ts";
import { fetchedLanguageModel } from "../../service/models/language-model-choice.ts";
import { OFFERED_MODELS, type OfferedModel, offeredModel, purposeOf } from "../../service/models/offered-models.ts";
import { describedModel, type ServedModel } from "../../service/models/store.ts";
import type { Api, ApiContext } from "../context.ts";

/** Only the operator receives the reason of a failed download, which names addresses and folders. */
function failureShown(failure: string | undefined, account: { name: string }): string | null {
  if (failure === undefined) return null;
  return isOperator(account) ? failure : "It could not be fetched; the operator sees the reason here and in the log";
}

type Context = Pick<
  ApiContext,
  "fleet" | "liveModels" | "logger" | "models" | "recordingModels" | "resultProcesses" | "settings" | "supply"
>;

/** Whether a model that is not installed is fetched as soon as a recording needs it. */
function isOnDemand({ id, purpose }: OfferedModel, { settings, resultProcesses }: Context): boolean {
  if (!settings.fetchModels) return false;
  const { ownLanguageModel: languageModel, hasTranslationServer } = resultProcesses;
  if (purpose === "translation") return !hasTranslationServer;
  if (purpose === "language-model") return languageModel !== undefined && fetchedLanguageModel(languageModel) === id;
  return id === settings.multilingualModel || id === settings.speakerModel;
}

/** Models of the processes that recognise speech, and of this one. */
async function installedModels({ models, recordingModels, liveModels }: Context): Promise<ServedModel[]> {
  const all = [
    ...(await recordingModels.all()),
    ...(await liveModels.all()),
    ...(await models.all()).map(describedModel),
  ];
  return [...new Map(all.map((model) => [model.id, model])).values()];
}

export function addModels(app: Api, context: Context): void {
  const { models, supply, fleet } = context;
  app.get(
    "/v2/models",
    {
      schema: {
        tags: ["System"],
        summary: "Models that are installed or can be: for speech, speakers, translation, and language models",
        response: {
          200: ModelsBody,
          ...errorResponses(401),
        },
      },
    },
    async ({ account }) => {
      const installed = await installedModels(context);
      const items: SpeechModel[] = installed.map((model) => ({
        id: model.id,
        purpose: purposeOf(model.engine),
        installed: true,
        built_in: model.manifest === undefined,
        languages: model.languages.length,
        codes: [...model.languages],
        licence: model.licence,
        note: offeredModel(model.id)?.note ?? "",
        bytes: model.bytes ?? null,
        on_demand: false,
        fetching: null,
        failure: null,
      }));
      const isInstalled = (id: string) => installed.some((model) => model.id === id);
      for (const offered of OFFERED_MODELS.filter(({ id }) => !isInstalled(id))) {
        const { downloadBytes, codes, ...entry } = offered;
        items.push({
          ...entry,
          installed: false,
          built_in: false,
          codes: [...codes],
          bytes: downloadBytes ?? null,
          on_demand: isOnDemand(offered, context),
          fetching: supply.shareOf(entry.id) ?? null,
          failure: failureShown(supply.failureOf(entry.id), account),
        });
      }
      return { items };
    },
  );
  app.post(
    "/v2/models",
    {
      schema: {
        tags: ["System"],
        summary: "Have a model of the catalogue fetched",
        body: FetchModelBody,
        response: {
          202: noContent("It is being fetched; GET /v2/models shows the progress"),
          ...errorResponses(400, 401, 403, 404, 413, 415, 422),
        },
      },
    },
    async ({ account, body: { id } }, reply) => {
      operatorOnly(account);
      const isKnown = offeredModel(id) || (await installedModels(context)).some((model) => model.id === id);
      if (!isKnown) throw errors.modelUnknown(id);
      await beginFetch(id, context, "fleet", 0);
      return reply.code(202).send(undefined as never);
    },
  );
  app.delete(
    "/v2/models/:id",
    {
      schema: {
        tags: ["System"],
        summary: "Remove an installed model",
        params: ModelParams,
        response: { 202: noContent("Removed"), ...errorResponses(400, 401, 403, 404, 409, 413, 415) },
      },
    },
    async ({ account, params: { id } }, reply) => {
      operatorOnly(account);
      const found = (await installedModels(context)).find((model) => model.id === id);
      if (!found) throw errors.notFound("Model");
      if (found.manifest === undefined) throw errors.modelBuiltIn(id);
      if (fleet) await fleet.remove(id);
      if ((await models.find(id)) !== undefined) await models.remove(id);
      return reply.code(202).send(undefined as never);
    },
  );
}
