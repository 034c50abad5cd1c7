// Questions about transcripts of any length, with a server and with random weights of this machine.
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ProviderServer } from "../../../test/fixtures/language-model.ts";
import { writeTinyLanguageModel } from "../../../test/fixtures/tiny-language-model.ts";
import { transcription } from "../../../test/fixtures/utterances.ts";
import type { QuestionEvent } from "../../contract/questions.ts";
import { stopLanguageModel } from "../../language-model/process/language-model.ts";
import { answerQuestion } from "./question.ts";

const folder = mkdtempSync(path.join(os.tmpdir(), "parlance-question-"));
const sentences = (count: number) =>
  transcription(...Array.from({ length: count }, (_, at) => `Sentence number ${at} is about the garden.`)).utterances;

let provider: ProviderServer;
beforeAll(async () => {
  provider = await ProviderServer.start();
});
afterAll(async () => {
  await provider.stop();
  await stopLanguageModel();
  rmSync(folder, { recursive: true, force: true });
});

test("a transcript that exceeds the context of a model of this machine is read in parts, and none is refused", async () => {
  const file = writeTinyLanguageModel(path.join(folder, "tiny.gguf"), { contextTokens: 1_280 });
  const events: QuestionEvent[] = [];
  const asked = { question: "What is it about?", utterances: sentences(40), names: {} };
  const answer = await answerQuestion(asked, { id: "tiny", file, mostTokens: 1e9 }, (event) => events.push(event));
  const progress = events.filter(({ type }) => type === "progress");
  expect(progress.length).toBeGreaterThan(1);
  expect(progress[0]).toMatchObject({ done: 0, parts: expect.any(Number) });
  expect(answer.answer.length).toBeGreaterThan(0);
}, 120_000);

test("notes about the parts are what the answer is written from, and it cites lines of the whole transcript", async () => {
  const languageModel = { url: `${provider.base}/v1`, key: "", model: "m", timeoutSeconds: 10, mostTokens: 1e9 };
  provider.answer = ({ body }) => {
    const { content } = body.messages.at(-1);
    if (!/Note what/.test(content))
      return { content: `It is about the garden [1999]. (${/gardens grow/.test(content)})` };
    return { content: /\[1999\]/.test(content) ? "[1999] gardens grow" : "nothing" };
  };
  const asked = { question: "What is it about?", utterances: sentences(2_000), names: {} };
  const { answer, citations } = await answerQuestion(asked, languageModel, () => undefined);
  expect(answer).toBe("It is about the garden [1999]. (true)");
  expect(citations).toMatchObject([{ index: 1_999, verified: true }]);
  const longest = Math.max(...provider.asked.map(({ body }) => JSON.stringify(body).length));
  expect(longest).toBeLessThan(30_000);
});
