// The stage that is shown after each of the others: none that has nothing to do for the job.
import { expect, test } from "vitest";
import { parseJobParameters } from "../../../contract/job-parameters.ts";
import { STAGES } from "./all.ts";
import type { StageServices } from "./stage.ts";
import { shownAfter } from "./stage.ts";

/** @returns the stages as they are shown one after another */
function shown(params: object, hasTranslationServer = false): string[] {
  const services = { resultProcesses: { hasTranslationServer } } as unknown as StageServices;
  const job = { params: parseJobParameters(params) };
  const names = STAGES.map((_, index) => shownAfter(index, STAGES, job, services)?.name ?? "none");
  return [...new Set(names)];
}
const BEFORE = ["decode", "segment", "recognize"];
const TRANSLATION = { translation: true, translation_config: { target_languages: ["fr"] } };

test.each([
  ["a transcript alone", {}, ["assemble", "none"]],
  ["a translation", TRANSLATION, ["translate", "assemble", "none"]],
  ["a translation into no language", { translation: true }, ["assemble", "none"]],
  ["speakers", { diarization: true }, ["speakers", "assemble", "none"]],
  ["both", { ...TRANSLATION, diarization: true }, ["translate", "speakers", "assemble", "none"]],
])("%s: only stages with work are shown", (_, params, after) => {
  expect(shown(params)).toEqual([...BEFORE, ...after]);
});

test("where a server translates, no stage of its own is shown", () => {
  expect(shown(TRANSLATION, true)).toEqual([...BEFORE, "assemble", "none"]);
});
