// Questions about transcripts of any length, with a server. question.slow.test.ts: with a model of this machine.
import { afterAll, beforeAll, expect, test } from "vitest";
import { ProviderServer } from "../../../../test/fixtures/language-model.ts";
import { gardenSentences } from "../../../../test/fixtures/utterances.ts";
import { answerQuestion } from "./question.ts";

let provider: ProviderServer;
beforeAll(async () => {
  provider = await ProviderServer.start();
});
afterAll(() => provider.stop());

test("notes about the parts are what the answer is written from, and it cites lines of the whole transcript", async () => {
  const languageModel = { url: `${provider.base}/v1`, key: "", model: "m", timeoutSeconds: 10, mostTokens: 1e9 };
  provider.answer = ({ body }) => {
    const { content } = body.messages.at(-1);
    if (!/Note what/.test(content))
      return { content: `It is about the garden [1999]. (${/gardens grow/.test(content)})` };
    return { content: /\[1999\]/.test(content) ? "[1999] gardens grow" : "nothing" };
  };
  const asked = { question: "What is it about?", utterances: gardenSentences(2_000), names: {} };
  const { answer, citations } = await answerQuestion(asked, languageModel, () => undefined);
  expect(answer).toBe("It is about the garden [1999]. (true)");
  expect(citations).toMatchObject([{ index: 1_999, verified: true }]);
  const longest = Math.max(...provider.asked.map(({ body }) => JSON.stringify(body).length));
  expect(longest).toBeLessThan(30_000);
});
