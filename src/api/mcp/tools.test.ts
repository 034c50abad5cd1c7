import { expect, test } from "vitest";
import { transcription } from "../../../test/fixtures/utterances.ts";
import { Tools } from "./tools.ts";

const ID = "0192d5f0-0000-7000-8000-000000000000";
const CALL = { signal: new AbortController().signal, progress: undefined };
const NO_MODEL = { status_code: 501, exception: "NotAvailable", message: "no model is installed" };

/** @param addons  results beside the transcript */
function toolsOver(addons: object) {
  const result = { metadata: { warnings: ["a part is damaged"] }, transcription: transcription("Hello."), ...addons };
  const job = { id: ID, kind: "pre-recorded", status: "done", created_at: "2026-01-02", file: null, result };
  return new Tools({
    call: async (_, path) => Buffer.from(path.includes("/transcript?") ? "Hello.\n" : JSON.stringify(job)),
  });
}

test("a service that reads pages sends the page alone; another one sends the whole result", async () => {
  for (const made of ["a page", undefined]) {
    const asked: string[] = [];
    const job = { id: ID, kind: "pre-recorded", status: "done", created_at: "2026-01-02", file: null };
    const tools = new Tools({
      call: async (_, path) => {
        asked.push(path);
        const result = { metadata: {}, transcription: transcription("Hello.") };
        return Buffer.from(path.includes("/transcript?") ? "Hello.\n" : JSON.stringify({ ...job, result }));
      },
      read: async (input) => {
        expect(input).toEqual({ id: ID, format: "md", offset: 7, wait_seconds: 0 });
        return made;
      },
    });
    const text = await tools.read({ id: ID, offset: 7 }, CALL);
    expect(text === "a page").toBe(made !== undefined);
    expect(asked.length).toBe(made === undefined ? 3 : 1);
    expect(asked[0]).toContain("?result=false");
  }
});

const done = (results: unknown) => ({ success: true, is_empty: false, exec_time: 0, error: null, results });
const TRANSLATION = done([
  { languages: ["de"], full_transcript: "Hallo.", error: null, warnings: ["Speech in Welsh was not translated"] },
  { languages: ["is"], full_transcript: "", error: NO_MODEL },
]);

test("translations follow the text in the formats for readers, with the reason where one failed", async () => {
  const tools = toolsOver({ translation: TRANSLATION });
  const sections =
    "Hello.\n\n## Translation (de)\n\nHallo.\n\n## Translation (is)\n\nThe translation failed: no model is installed";
  for (const format of ["md", "txt"] as const) {
    const text = await tools.read({ id: ID, format }, CALL);
    expect(text.endsWith(`\n\n${sections}`)).toBe(true);
  }
  expect(await tools.read({ id: ID, offset: 8 }, CALL)).toContain("\n\n## Translation (de)");
  for (const format of ["srt", "json"] as const) {
    expect(await tools.read({ id: ID, format }, CALL)).not.toContain("Hallo.");
  }
});

test("add-ons that failed are named by their argument, beside the other warnings", async () => {
  const failure = { success: false, is_empty: true, exec_time: 0, error: NO_MODEL, results: null };
  const failed = toolsOver({ translation: failure, diarization: failure, custom_vocabulary: failure });
  expect(await failed.read({ id: ID }, CALL)).toContain(
    "\nWarnings: vocabulary failed: no model is installed; speakers failed: no model is installed; translate_to failed: no model is installed; a part is damaged\n",
  );
  expect(await toolsOver({ translation: TRANSLATION }).read({ id: ID }, CALL)).toContain(
    "\nWarnings: Speech in Welsh was not translated; a part is damaged\n",
  );
});
