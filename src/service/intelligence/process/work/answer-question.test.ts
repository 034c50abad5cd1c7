// A question about a stored result: speakers have the names of the library and of corrections.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ProviderServer } from "../../../../../test/fixtures/language-model.ts";
import { meeting } from "../../../../../test/fixtures/meeting.ts";
import { answerAbout } from "./answer-question.ts";

let provider: ProviderServer;
let folder: string;
beforeAll(async () => {
  provider = await ProviderServer.start();
  folder = mkdtempSync(path.join(os.tmpdir(), "parlance-question-"));
});
afterAll(async () => {
  await provider.stop();
  rmSync(folder, { recursive: true, force: true });
});

test("the model reads the names that the transcript shows: those of the library, and corrected ones before them", async () => {
  const result = path.join(folder, "result.json");
  writeFileSync(result, JSON.stringify({ metadata: { audio_duration: 7 }, transcription: meeting() }));
  provider.answer = () => ({ content: "Maria does [0]." });
  const languageModel = { url: `${provider.base}/v1`, key: "", model: "m", timeoutSeconds: 10, mostTokens: 1e9 };
  const identity = (speaker: number, name: string) => ({ speaker, name, confidence: 0.9, voice_id: name });
  const common = { id: "", created_at: "", made_by: "", undone_at: null, undone_by: null };
  const corrections = [{ ...common, change: JSON.stringify({ speakers: [{ speaker: 1, name: "Ana" }] }) }];
  const names = [identity(0, "Maria"), identity(1, "Anna")];
  const request = { result, corrections, names, question: "Who goes?", providers: { languageModel } };
  await answerAbout(request as never, () => undefined);
  expect(provider.lastPrompt).toContain("Maria: so we go there now");
  expect(provider.lastPrompt).toContain("Ana: yes we really do");
});
