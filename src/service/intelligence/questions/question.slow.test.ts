// Questions about transcripts of any length, with random weights of this machine.
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { writeTinyLanguageModel } from "../../../../test/fixtures/tiny-language-model.ts";
import { gardenSentences } from "../../../../test/fixtures/utterances.ts";
import type { QuestionEvent } from "../../../contract/questions.ts";
import { stopLanguageModel } from "../../../speech/language-model/process/language-model.ts";
import { answerQuestion } from "./question.ts";

const folder = mkdtempSync(path.join(os.tmpdir(), "parlance-question-"));
afterAll(async () => {
  await stopLanguageModel();
  rmSync(folder, { recursive: true, force: true });
});

test("a transcript that exceeds the context of a model of this machine is read in parts, and none is refused", async () => {
  const file = writeTinyLanguageModel(path.join(folder, "tiny.gguf"), { contextTokens: 1_280 });
  const events: QuestionEvent[] = [];
  const asked = { question: "What is it about?", utterances: gardenSentences(40), names: {} };
  const answer = await answerQuestion(asked, { id: "tiny", file, mostTokens: 1e9 }, (event) => events.push(event));
  const progress = events.filter(({ type }) => type === "progress");
  expect(progress.length).toBeGreaterThan(1);
  expect(progress[0]).toMatchObject({ done: 0, parts: expect.any(Number) });
  expect(answer.answer.length).toBeGreaterThan(0);
}, 120_000);
