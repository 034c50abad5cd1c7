import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { ProviderServer } from "../../../test/fixtures/language-model.ts";
import { transcription } from "../../../test/fixtures/utterances.ts";
import type { AddonParameters } from "../../contract/job-parameters.ts";
import type { Transcription } from "../../contract/transcript/transcript.ts";
import { type AddonInput, runAddon } from "./addon.ts";
import { translationAddon } from "./translation.ts";

let provider: ProviderServer;
beforeAll(async () => {
  provider = await ProviderServer.start();
});
afterAll(() => provider.stop());
beforeEach(() => {
  provider.answer = ({ body }) => ({ translated: body.q.map((text: string) => `${body.target}: ${text}`) });
});

type Config = NonNullable<AddonParameters["translation_config"]>;
type Result = Transcription & { error: { message: string } | null; warnings?: string[] };

/** @param more  another translator than the server */
async function translated(config: Config, more: Partial<AddonInput> = {}, timeoutMilliseconds = 10_000) {
  const given = transcription("We go there.");
  given.utterances = given.utterances.map((one) => ({ ...one, language: "fr" }));
  const providers = { translation: { url: provider.base, key: "", timeoutSeconds: 10 } };
  const params = { translation: true, translation_config: config };
  const input = { transcription: given, params, providers, ...more };
  const { results, ...answer } = await runAddon(translationAddon, input, timeoutMilliseconds);
  return { ...answer, results: results as Result[] | null };
}

test("a target that exceeds the time limit leaves the other targets their translations", async () => {
  const { answer } = provider;
  provider.answer = (asked, count) =>
    asked.body.target === "de" ? new Promise(() => undefined) : answer(asked, count);
  const { success, results } = await translated({ target_languages: ["en", "de", "es"] }, {}, 500);
  expect(success).toBe(true);
  expect(results?.map(({ full_transcript }) => full_transcript)).toEqual(["en: We go there.", "", "es: We go there."]);
  expect(results?.map(({ error }) => error?.message)).toEqual([
    undefined,
    "translation did not end within 0.5 s",
    undefined,
  ]);
});

test("where every target fails, the add-on fails with the reasons, each of them once", async () => {
  const isSame = await translated({ target_languages: ["xx", "yy"] }, { providers: {} });
  expect(isSame).toMatchObject({ success: false, results: null, error: { status_code: 501 } });
  expect(isSame.error?.message).toMatch(/ to xx .*; translation: .* to yy /);
  provider.answer = () => ({ status: 400 });
  const failed = await translated({ target_languages: ["en", "de"] });
  expect(failed).toMatchObject({ success: false, error: { status_code: 502 } });
  expect(failed.error?.message.match(/The translation server failed/g)).toHaveLength(1);
});

const CONFIG: Config = { target_languages: ["en"], context: "A café.", informal: true, model: "enhanced" };

test("fields without effect are named for each translator, and none where nothing is translated", async () => {
  const warned = async (more: Partial<AddonInput>, config = CONFIG) =>
    (await translated(config, more)).results?.[0]?.warnings;
  expect(await warned({})).toEqual([
    "context has no effect: the translation server does not use it",
    "informal has no effect: the translation server does not use it",
    "model has no effect: the translation server does not use it",
  ]);
  const english = transcription("We go there.").utterances;
  expect(await warned({ providers: {}, english })).toEqual([
    "context has no effect: the speech model does not use it",
    "informal has no effect: the speech model does not use it",
    "model has no effect: the speech model does not use it",
  ]);
  const languageModel = { url: `${provider.base}/v1`, key: "", model: "m", timeoutSeconds: 10, mostTokens: 1e6 };
  provider.answer = () => ({ content: JSON.stringify({ translations: ["We go there."] }) });
  expect(await warned({ providers: { languageModel } })).toEqual([
    "model has no effect: the language model does not use it",
  ]);
  expect(await warned({}, { ...CONFIG, target_languages: ["fr"] })).toBeUndefined();
});
