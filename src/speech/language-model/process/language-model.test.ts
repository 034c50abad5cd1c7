// The language-model process with random weights that the test writes itself: load, ask, several at once, cancel, crash, replace.
import { mkdtempSync, rmSync, truncateSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { writeTinyLanguageModel } from "../../../../test/fixtures/tiny-language-model.ts";
import { childProcesses } from "../../../platform/process/running-children.ts";
import { countTokens, generate, stopLanguageModel } from "./language-model.ts";

const never = new AbortController().signal;
const folder = mkdtempSync(path.join(os.tmpdir(), "parlance-language-model-"));
const file = path.join(folder, "tiny.gguf");
const system = "Rules.";
const ask = (prompt: string, mostTokens = 20, signal = never, own = file) =>
  generate("a", { file: own, system, prompt, mostTokens }, signal);
const processId = () => [...childProcesses()].find(([, name]) => name === "language model")?.[0] as number;

beforeAll(() => void writeTinyLanguageModel(file));
afterAll(async () => {
  await stopLanguageModel();
  rmSync(folder, { recursive: true, force: true });
});

describe("with random weights", () => {
  test("an answer has at most the requested number of tokens, and is marked as cut", async () => {
    const { text, isCut } = await ask("Hello");
    expect(text.length).toBeGreaterThan(0);
    expect(isCut).toBe(true);
  });

  test("the same question has the same answer, alone and beside others", async () => {
    const alone = await ask("One question");
    const beside = await Promise.all(["One question", "Another one", "One question", "A third"].map((one) => ask(one)));
    expect(beside[0]).toEqual(alone);
    expect(beside[2]).toEqual(alone);
  });

  test("an answer follows its grammar", async () => {
    const grammar = 'root ::= "yes" | "no"';
    const { text, isCut } = await generate("a", { file, system, prompt: "?", grammar, mostTokens: 20 }, never);
    expect(["yes", "no"]).toContain(text);
    expect(isCut).toBe(false);
  });

  test("tokens are counted by the model's own vocabulary", async () => {
    const { tokens, contextTokens } = await countTokens("a", { file, texts: ["", "a b c", "日本"] }, never);
    expect(tokens[0]).toBeLessThan(tokens[1] as number);
    expect(tokens[2]).toBeGreaterThanOrEqual(6);
    expect(contextTokens).toBe(2048);
  });

  test("a question that does not fit the context is refused with both sizes", async () => {
    await expect(ask("word ".repeat(3000))).rejects.toMatchObject({
      code: "language_model.too_long",
      message: expect.stringMatching(/needs \d+ tokens .* room for 2048/),
    });
  });

  test("an answer can be cancelled, and the other ones continue", async () => {
    const abort = new AbortController();
    // It cannot end by itself before.
    const grammar = "root ::= [a-z]{1400}";
    const cancelled = generate("a", { file, system, prompt: "Long", grammar, mostTokens: 1500 }, abort.signal);
    const other = ask("Short");
    expect((await other).text.length).toBeGreaterThan(0);
    abort.abort();
    await expect(cancelled).rejects.toMatchObject({ code: "work.aborted" });
    expect((await ask("Afterwards")).text.length).toBeGreaterThan(0);
  });

  test("a process that was lost is replaced", async () => {
    await ask("Before");
    process.kill(processId(), "SIGKILL");
    expect((await ask("After").catch(() => ask("After"))).text.length).toBeGreaterThan(0);
  });

  test("with a graphics card requested and none found, the processor answers", async () => {
    const own = writeTinyLanguageModel(path.join(folder, "card.gguf"), { seed: 4 });
    const request = { file: own, usesGraphicsCard: true, system, prompt: "Hello", mostTokens: 5 };
    expect((await generate("a", request, never)).text.length).toBeGreaterThan(0);
  });

  test("a truncated or removed file fails alone, with a remedy", async () => {
    const damaged = writeTinyLanguageModel(path.join(folder, "damaged.gguf"));
    truncateSync(damaged, 100_000);
    await expect(ask("?", 5, never, damaged)).rejects.toMatchObject({
      code: "language_model.damaged",
      message: expect.stringMatching(/truncated.*models verify/),
    });
    await expect(ask("?", 5, never, path.join(folder, "none.gguf"))).rejects.toMatchObject({
      code: "language_model.removed",
    });
    expect((await ask("Hello")).text.length).toBeGreaterThan(0);
  });

  test("a model that is removed while it is loaded still answers", async () => {
    const own = writeTinyLanguageModel(path.join(folder, "removed.gguf"), { seed: 2 });
    await ask("Hello", 5, never, own);
    rmSync(own);
    expect((await ask("Hello", 5, never, own)).text.length).toBeGreaterThan(0);
  });
});
