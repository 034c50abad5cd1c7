// Speech models: what is installed, what can be, and having one fetched.
import { isOperator, operatorOnly } from "../../accounts/operator.ts";
import { errorResponses } from "../../contract/errors.ts";
import { noContent } from "../../contract/responses.ts";
import { FetchModelBody, ModelParams, ModelsBody, type SpeechModel } from "../../contract/system.ts";
import { engineOf } from "../../engines/registry.ts";
import { errors } from "../../errors.ts";
import { CATALOGUE, catalogueEntry } from "../../models/catalogue.ts";
import { bytesOf } from "../../models/manifest.ts";
import { beginFetch } from "../begin-fetch.ts";
import type { Api, ApiContext } from "../context.ts";

/** @returns undefined for models that no request names */
function purposeOf(engine: string): "recognition" | "speakers" | undefined {
  const { purpose = "recognition" } = engineOf({ engine });
  return purpose === "recognition" || purpose === "speakers" ? purpose : undefined;
}

/** Why a fetch failed names addresses and folders of the operator's. */
function failureShown(failure: string | undefined, account: { name: string }): string | null {
  if (failure === undefined) return null;
  return isOperator(account) ? failure : "It could not be fetched; the operator sees the reason here and in the log";
}

export function addModels(app: Api, context: Pick<ApiContext, "logger" | "models" | "supply">): void {
  const { models, supply } = context;
  app.get(
    "/v2/models",
    {
      schema: {
        tags: ["System"],
        summary: "Speech models that are installed or can be",
        response: {
          200: ModelsBody,
          ...errorResponses(401),
        },
      },
    },
    async ({ account }) => {
      const installed = (await models.all()).filter(({ engine }) => purposeOf(engine) !== undefined);
      const items: SpeechModel[] = installed.map((model) => ({
        id: model.id,
        purpose: purposeOf(model.engine) ?? "recognition",
        installed: true,
        built_in: model.manifest === undefined,
        languages: model.languages.length,
        codes: [...model.languages],
        licence: model.licence,
        note: catalogueEntry(model.id)?.note ?? "",
        bytes: model.manifest ? bytesOf(model.manifest) : null,
        fetching: null,
        failure: null,
      }));
      for (const entry of CATALOGUE) {
        const purpose = purposeOf(entry.engine);
        if (purpose === undefined || installed.some(({ id }) => id === entry.id)) continue;
        const codes = typeof entry.languages === "number" ? [] : [...entry.languages];
        items.push({
          id: entry.id,
          purpose,
          installed: false,
          built_in: false,
          languages: typeof entry.languages === "number" ? entry.languages : codes.length,
          codes,
          licence: entry.licence,
          note: entry.note,
          bytes: entry.downloadBytes,
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
      if (!catalogueEntry(id)) throw errors.modelUnknown(id);
      await beginFetch(id, context);
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
      if (!(await models.find(id))) throw errors.notFound("Model");
      await models.remove(id);
      return reply.code(202).send(undefined as never);
    },
  );
}
