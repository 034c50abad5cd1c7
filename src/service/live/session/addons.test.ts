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
