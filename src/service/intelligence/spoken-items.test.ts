// action_items and questions, with a server that answers what a language model may answer.
import { afterAll, beforeAll, expect, test } from "vitest";
import { ProviderServer } from "../../../test/fixtures/language-model.ts";
import { transcription } from "../../../test/fixtures/utterances.ts";
import { type Addon, runAddon } from "./addon.ts";
import { actionItemsAddon, questionsAddon } from "./spoken-items.ts";

const CALL = transcription(
  "Did you call the provider?",
  "Not yet, I will call them on Friday.",
  "Who books the hotel in Hamburg?",
  "Peter does.",
);

let provider: ProviderServer;
beforeAll(async () => {
  provider = await ProviderServer.start();
});
afterAll(() => provider.stop());

async function found(addon: Addon, items: readonly object[]) {
  provider.answer = () => ({ content: JSON.stringify({ items }) });
  const languageModel = { url: `${provider.base}/v1`, key: "", model: "m", timeoutSeconds: 10, mostTokens: 100_000 };
  const input = { transcription: CALL, params: {}, providers: { languageModel } };
  return (await runAddon(addon, input, 10_000)).results;
}

test("a task has the times of its sentence; who and when are kept only where they are said", async () => {
  expect(
    await found(actionItemsAddon, [
      { line: 3, task: "Book the hotel", assignee: "Peter", due: "Monday" },
      { line: 1, task: "Call the provider", assignee: "Alice", due: "on Friday" },
    ]),
  ).toEqual([
    { task: "Call the provider", assignee: null, due: "on Friday", start: 2.5, end: 4.9, channel: 0 },
    {
      task: "Book the hotel",
      assignee: "Peter",
      due: null,
      start: expect.any(Number),
      end: expect.any(Number),
      channel: 0,
    },
  ]);
});

test("a task that is not in its sentence or those around it is left out, and so is one of no sentence", async () => {
  const task = { assignee: null, due: null };
  expect(
    await found(actionItemsAddon, [
      { line: 0, task: "Write the annual report", ...task },
      { line: 1, task: "Call Rebecca about the provider", ...task },
      { line: 99, task: "Call the provider", ...task },
    ]),
  ).toEqual([]);
});

test("questions are those of the transcript; an answer that is not in it is dropped", async () => {
  const { results } = {
    results: await found(questionsAddon, [
      { line: 2, answer: "Peter" },
      { line: 0, answer: "Yes, in Chicago" },
      { line: 3, answer: "no question" },
    ]),
  };
  expect(results).toMatchObject([
    { question: "Did you call the provider?", answer: null, start: 0 },
    { question: "Who books the hotel in Hamburg?", answer: "Peter" },
  ]);
});

test("without a question mark, nothing is sent to the model", async () => {
  const before = provider.asked.length;
  const input = { transcription: transcription("Hello there."), params: {}, providers: {} };
  const none = await runAddon(
    questionsAddon,
    {
      ...input,
      providers: {
        languageModel: { url: `${provider.base}/v1`, key: "", model: "m", timeoutSeconds: 1, mostTokens: 1 },
      },
    },
    1_000,
  );
  expect([none.results, provider.asked.length]).toEqual([[], before]);
  expect((await runAddon(actionItemsAddon, input, 1_000)).error).toMatchObject({
    status_code: 501,
    message: expect.stringMatching(/models add/),
  });
});
