// Warnings of a result, without a browser: one about a missing model leads to what ends it.
import { signal } from "@preact/signals";
import { h, render } from "preact";
import { expect, test, vi } from "vitest";
import { byEncoderInstead } from "../../src/service/intelligence/speaker-warnings.ts";
import { missingModel } from "../../src/service/models/optional-model.ts";
import { showLanguage } from "../src/language/language.ts";
import { whenMessagesAreLoaded } from "../src/language/messages.ts";
import { stubPage } from "./fixtures/page.ts";
import { SmallNode, stubDocument } from "./fixtures/small-document.ts";

stubPage();
stubDocument();
const { Warnings } = await import("../src/transcript/warnings.tsx");

const SPEAKERS = byEncoderInstead(missingModel({ id: "voices", kind: "speaker model" }));

const CONFIG = { max_speakers: 3, identify_speakers: true };
const BY_HAND = { id: "c", undone_at: null, utterances: [{ index: 0, speaker: 1 }] };

/** The page of a result with these warnings, of a service that has the model or has not. */
function shown(warnings: readonly string[], installed: boolean, corrections: readonly object[] = []) {
  const answer = { items: [{ id: "voices", purpose: "speakers", installed }] };
  vi.stubGlobal("fetch", async () => new Response(JSON.stringify(answer)));
  const requests: object[] = [];
  const request = async (body: object) => void requests.push(body);
  const addOns = { open: signal(undefined), ids: signal(new Set()), request };
  const job = { request_params: { diarization_config: CONFIG }, result: { metadata: { warnings } } };
  const root = new SmallNode("root");
  const store = { job: signal(job), addOns, corrections: signal(corrections) };
  render(h(Warnings, { store: store as never }), root as never);
  return { root, requests };
}

test("a missing speaker model is added on the page of the models", async () => {
  await showLanguage("en");
  const { root } = shown([SPEAKERS], false);
  await expect.poll(() => root.find("a")?.["href"]).toBe("/setup/models");
  expect(root.find("button")).toBeUndefined();
});

test("a speaker model that was added meanwhile finds the speakers again by one button", async () => {
  await showLanguage("en");
  const { root, requests } = shown([SPEAKERS], true);
  await expect.poll(() => root.find("button")).toBeDefined();
  root.find("button")?.click();
  // A finished transcript gets no names of known voices: the service refuses a request for them.
  await expect.poll(() => requests).toEqual([{ diarization: true, diarization_config: { max_speakers: 3 } }]);
});

test("speakers that people have corrected are replaced after a question", async () => {
  await showLanguage("en");
  const answers = [false, true];
  const questions: string[] = [];
  vi.stubGlobal("confirm", (question: string) => {
    questions.push(question);
    return answers.shift();
  });
  const { root, requests } = shown([SPEAKERS], true, [BY_HAND]);
  await expect.poll(() => root.find("button")).toBeDefined();
  root.find("button")?.click();
  await expect.poll(() => questions).toHaveLength(1);
  expect(requests).toEqual([]);
  root.find("button")?.click();
  await expect.poll(() => requests).toMatchObject([{ diarization: true, replace_speakers: true }]);
  expect(questions).toHaveLength(2);
});

test("another warning has neither", async () => {
  await showLanguage("en");
  const { root } = shown([missingModel({ id: "voices", kind: "speaker model" }), "the audio is quiet"], true);
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect([root.find("a"), root.find("button")]).toEqual([undefined, undefined]);
  expect(root.text).toContain("the audio is quiet");
});

test("the reason of a warning is in the language of the page", async () => {
  await showLanguage("de");
  await whenMessagesAreLoaded();
  const { root } = shown([SPEAKERS], false);
  expect(root.text).toMatch(/Sprecher.*das Modell voices ist nicht installiert/);
  expect(root.text).not.toContain("is not installed");
});
