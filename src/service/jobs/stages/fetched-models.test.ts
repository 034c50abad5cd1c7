// Errors that pass say nothing about a model: it is not counted as missing, and the next request asks for it again.
import { pino } from "pino";
import { expect, test } from "vitest";
import { errors } from "../../../platform/errors.ts";
import { fetchedModel } from "../../models/optional-model.ts";
import { ModelSupply, type SupplyOptions } from "../../models/supply.ts";
import { fetchLanguageModel } from "./language-model.ts";
import type { StageContext } from "./stage.ts";
import { fetchTranslationModels } from "./translation-models.ts";

const away = () => errors.databaseUnavailable(new Error("closed"));
const missing = () => errors.modelMissing("m");
const logger = pino({ level: "silent" });

/** A supply whose fetches fail with these errors, one after another, and succeed then. */
function supplyWith(...failures: Error[]): ModelSupply {
  const options = {
    store: { find: async () => undefined, forget: () => undefined },
    fleet: {
      bring: async () => {
        const failure = failures.shift();
        if (failure) throw failure;
        return { id: "m" };
      },
    },
    ...{ mayFetch: true, logger },
  };
  return new ModelSupply(options as unknown as SupplyOptions);
}

test("a fetch that failed with an error that passes is repeated at once; another failure is remembered", async () => {
  const supply = supplyWith(away(), missing());
  await expect(supply.ensure("m")).rejects.toMatchObject({ code: "database.unavailable" });
  await expect(supply.ensure("m")).rejects.toMatchObject({ code: "models.missing" });
  await expect(supply.ensure("m")).rejects.toMatchObject({ code: "models.missing" });
  expect(await supply.ensure("m", 0)).toEqual({ id: "m" });
});

const wanted = (supply: ModelSupply) =>
  fetchedModel({ id: "m", kind: "model", variable: "V", isInstalled: async () => false, supply, mayFetch: true });

test("an optional model is a problem if it cannot be fetched, not if the database is away", async () => {
  await expect(wanted(supplyWith(away()))).rejects.toMatchObject({ code: "database.unavailable" });
  expect(await wanted(supplyWith(missing()))).toMatchObject({
    problem: expect.stringContaining("could not be fetched"),
  });
});

const contextWith = (supply: ModelSupply) =>
  ({
    job: { id: "j", params: { audio_to_llm: true, language_config: { languages: [] } } },
    services: {
      ...{ supply, logger, speech: { fetchModels: true } },
      models: { listLanguageModels: async () => [], listTranslation: async () => [] },
      resultProcesses: { ownLanguageModel: "qwen" },
    },
    ...{ signal: new AbortController().signal, progress: () => undefined },
  }) as unknown as StageContext;

test.each<[string, (context: StageContext) => Promise<void>]>([
  ["language", fetchLanguageModel],
  ["translation", (context) => fetchTranslationModels(context, ["de"], ["en"])],
])(
  "a job waits for its %s model while the database is away, and continues without one that is missing",
  async (_kind, fetch) => {
    await expect(fetch(contextWith(supplyWith(away())))).rejects.toMatchObject({ code: "database.unavailable" });
    await fetch(contextWith(supplyWith(missing(), missing())));
  },
);
