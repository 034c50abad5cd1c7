import { afterAll, beforeAll, expect, test } from "vitest";
import { ProviderServer } from "../../../../test/fixtures/language-model.ts";
import { transcription, utterance } from "../../../../test/fixtures/utterances.ts";
import { parseLiveParameters } from "../../../contract/job-parameters.ts";
import type { AddonResult, Transcription } from "../../../contract/transcript/transcript.ts";
import type { AddonInput } from "../../intelligence/addon.ts";
import type { ResultCall } from "../../intelligence/process/message.ts";
import { runOneAddon } from "../../intelligence/process/work/run-one-addon.ts";
import type { LiveEvent } from "../events/live-event.ts";
import { LiveAddons } from "./addons.ts";

let provider: ProviderServer;
beforeAll(async () => {
  provider = await ProviderServer.start();
  provider.answer = ({ body }) => ({ translated: body.q.map((text: string) => text.toUpperCase()) });
});
afterAll(() => provider.stop());

test("a final and a partial are translated as a whole where the result has its sentences apart", async () => {
  const text = "We go there. You stay here.";
  const { realtime_processing, ...rest } = parseLiveParameters({
    realtime_processing: {
      translation: true,
      translation_config: { target_languages: ["de"], match_original_utterances: false, partials: true },
    },
  });
  const translation = { url: provider.base, key: "", timeoutSeconds: 10 };
  const processes = {
    providers: { translation },
    translates: true,
    send: ({ request }: ResultCall) => runOneAddon(request as AddonInput & { name: string }),
  };
  const events: LiveEvent[] = [];
  const addons = new LiveAddons({ ...rest, realtime_processing }, "account", processes, {
    realtimeOf: () => realtime_processing,
    send: async (event) => void events.push(event),
    report: (event) => void events.push(event),
    translateToEnglish: async () => undefined,
    fetchTranslation: async () => [],
  });
  addons.partial("1", utterance(text));
  await expect.poll(() => events.length).toBe(1);
  addons.begin("1", utterance(text));
  await addons.settled();
  const translated = events.flatMap((event) => (event.kind === "translation" ? [event.translated.text] : []));
  expect(translated).toEqual([text.toUpperCase(), text.toUpperCase()]);
  const { results } = await addons.finish(transcription(text));
  const { results: targets } = results["translation"] as AddonResult<Transcription[]>;
  expect(targets[0]?.utterances.map((one) => one.text.trim())).toEqual(["WE GO THERE.", "YOU STAY HERE."]);
});

/** Add-ons of a session of an earlier process. @param observed  its events @param translated  targets of each call */
function resumed(realtime: object, observed: LiveEvent[], translated: (targets: string[]) => void = () => undefined) {
  const { realtime_processing, ...rest } = parseLiveParameters({ realtime_processing: realtime });
  const processes = {
    providers: {},
    translates: true,
    send: async ({ request }: ResultCall) => {
      const { name, params, transcription: given } = request as AddonInput & { name: string };
      const answer = (results: unknown[]) => ({ kind: "answer", answer: { success: true, error: null, results } });
      if (name !== "translation") return answer(given.full_transcript.includes("Anna") ? [{ text: "Anna" }] : []);
      const targets = params.translation_config?.target_languages ?? [];
      translated([...targets]);
      return answer(targets.map((language) => ({ error: null, languages: [language], utterances: given.utterances })));
    },
  };
  const events: LiveEvent[] = [];
  const addons = new LiveAddons({ ...rest, realtime_processing }, "account", processes as never, {
    realtimeOf: () => realtime_processing,
    send: async (event) => void events.push(event),
    report: (event) => void events.push(event),
    translateToEnglish: async () => undefined,
    fetchTranslation: async () => [],
  });
  for (const event of observed) addons.observe(event);
  return { addons, events };
}

const finalsOf = (texts: readonly string[]) => new Map(texts.map((text, id) => [`${id}`, utterance(text)] as const));

test("after a restart, results that were pending are sent, however many finals without entities came before", async () => {
  const texts = [...Array.from({ length: 100 }, () => "Nobody is here."), "It is Anna.", "Nobody.", "Anna again."];
  const { addons, events } = resumed({ named_entity_recognition: true }, []);
  addons.resume(finalsOf(texts));
  addons.begin("new", utterance("Anna is new."));
  await addons.settled();
  const sent = events.map((event) => [event.kind, "utteranceId" in event ? event.utteranceId : ""]);
  expect(sent).toEqual([
    ["utteranceAddon", "100"],
    ["utteranceAddon", "102"],
    ["utteranceAddon", "new"],
  ]);
});

test("after a restart, finals before the last result are not processed again", async () => {
  const finals = finalsOf(["Anna.", "Anna.", "Anna."]);
  const results = { addon: "named_entity_recognition" as const, results: [] };
  const done: LiveEvent = { kind: "utteranceAddon", utteranceId: "1", utterance: utterance("Anna."), ...results };
  const { addons, events } = resumed({ named_entity_recognition: true }, [done]);
  addons.resume(finals);
  await addons.settled();
  expect(events.map((event) => "utteranceId" in event && event.utteranceId)).toEqual(["2"]);
});

test("after a restart, a final gets the languages into which it was not translated yet", async () => {
  const calls: string[][] = [];
  const one = utterance("Good day.");
  const done: LiveEvent = {
    kind: "translation",
    utteranceId: "0",
    utterance: one,
    targetLanguage: "de",
    translated: one,
  };
  const realtime = { translation: true, translation_config: { target_languages: ["de", "fr"] } };
  const { addons, events } = resumed(realtime, [done], (targets) => calls.push(targets));
  addons.resume(finalsOf(["Good day.", "Good night."]));
  await addons.settled();
  expect(calls).toEqual([["fr"], ["de", "fr"]]);
  const sent = events.flatMap((event) => (event.kind === "translation" ? [event.targetLanguage] : []));
  expect(sent).toEqual(["fr", "de", "fr"]);
});
