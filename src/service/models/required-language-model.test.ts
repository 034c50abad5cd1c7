// A question downloads no model unless it allows that, and says so if a download has failed.
import { expect, test } from "vitest";
import { errors } from "../../platform/errors.ts";
import { DEFAULT_LANGUAGE_MODEL } from "./language-model-catalogue.ts";
import { requireLanguageModel } from "./required-language-model.ts";
import type { InstalledModel } from "./store.ts";

/** A store without models, whose downloads go as far as the test has them go. */
function machine() {
  const installed: InstalledModel[] = [];
  const state = { requests: 0, share: undefined as number | undefined, failure: undefined as string | undefined };
  const fetch = async () => {
    state.requests++;
    if (state.failure !== undefined) throw errors.hubFailed("https://hub.example/model", state.failure);
    state.share ??= 0;
    return new Promise<never>(() => undefined);
  };
  const services = {
    models: { listLanguageModels: async () => installed },
    supply: {
      request: fetch,
      ensure: fetch,
      failureOf: () => state.failure,
      shareOf: () => state.share,
      retrySeconds: () => 30,
    },
    settings: { fetchModels: true },
    logger: { debug: () => undefined },
  } as unknown as Parameters<typeof requireLanguageModel>[2];
  const ask = (mayFetch: boolean, setting: string | undefined = "") =>
    requireLanguageModel(setting, mayFetch, services).then(
      () => "answered",
      ({ code, status, message }) => `${status} ${code}: ${message}`,
    );
  return { state, services, ask };
}

test("without permission, nothing is downloaded, and the answer has the size", async () => {
  const { state, ask } = machine();
  const answer = await ask(false);
  expect(answer).toMatch(/^409 language_model\.not_installed: /);
  expect(answer).toContain(`${DEFAULT_LANGUAGE_MODEL}, which is not installed. Its download of 1117 MB`);
  expect(await ask(false, "hf:owner/name:file.gguf")).toMatch(/^409 .* Its download begins/);
  expect(state.requests).toBe(0);
});

test("with permission, the download begins, and further questions have its progress", async () => {
  const { state, ask } = machine();
  expect(await ask(true)).toMatch(/^503 language_model\.on_its_way: .*\(0 %\)/);
  expect(state.requests).toBe(1);
  state.share = 0.42;
  expect(await ask(false)).toMatch(/^503 .*\(42 %\)/);
  expect(state.requests).toBe(1);
});

test("after a failure, every question says so until one allows another download", async () => {
  const { state, ask } = machine();
  state.failure = "the connection was refused";
  for (const mayFetch of [true, false, false]) {
    expect(await ask(mayFetch)).toMatch(/^422 models\.missing: .*could not be fetched/);
  }
  expect(state.requests).toBe(1);
  state.failure = undefined;
  expect(await ask(true)).toMatch(/^503 /);
});

test("a machine that may not fetch models, or that runs none itself, has no download", async () => {
  const { services, state, ask } = machine();
  Object.assign(services.settings, { fetchModels: false });
  expect([await ask(true), await ask(false)]).toEqual(["answered", "answered"]);
  Object.assign(services.settings, { fetchModels: true });
  expect(await requireLanguageModel(undefined, true, services)).toBeUndefined();
  expect(state.requests).toBe(0);
});
