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

const event = (number: number, type: string, message: object) =>
  `id: ${number}\nevent: ${type}\ndata: ${JSON.stringify({ type, ...message })}\n\n`;
const final = (number: number, text: string, more: object = {}) =>
  event(number, "transcript", { data: { is_final: true, utterance: { start: 61.9, text: ` ${text}`, ...more } } });

/** A service whose streams of captions are these, one for each call. */
function captionsOver(streams: string[]) {
  const paths: string[] = [];
  const tools = new Tools({
    call: async (_, path) => {
      paths.push(path);
      return Buffer.from(streams.shift() ?? "");
    },
  });
  return { tools, paths };
}

test("captions are returned with the number for the next call, as soon as there are some", async () => {
  const translated_utterance = { start: 62, text: " Hallo." };
  const translation = event(5, "translation", { data: { target_language: "de", translated_utterance } });
  const partial = `event: transcript\ndata: {"type":"transcript"}\n\n`;
  const { tools, paths } = captionsOver(["", partial, final(4, "Hello.", { speaker: 1 }) + translation + partial]);
  expect(await tools.captions({ id: ID, after: 3 }, CALL)).toBe(
    "[1:01] Speaker 1: Hello.\n[1:02] (de) Hallo.\n\n[Call read_live_captions with after 5 for what is said next.]",
  );
  expect(paths).toEqual(Array.from({ length: 3 }, () => `/v2/live/${ID}/events?after=3&seconds=2`));
});

test("without a caption after the wait, and at the end of the session, the answer says how to continue", async () => {
  const none = captionsOver([""]);
  expect(await none.tools.captions({ id: ID, wait_seconds: 0 }, CALL)).toBe(
    "There are no captions yet. Call read_live_captions with after 0 for what is said next.",
  );
  const { tools } = captionsOver([`${final(1, "Bye.")}event: end\ndata: {"status":"done"}\n\n`]);
  expect(await tools.captions({ id: ID }, CALL)).toMatch(
    /^\[1:01\] Bye\.\n\n\[The session has ended\. .*read_transcript/,
  );
});

test("captions of a long session have pages", async () => {
  const all = Array.from({ length: 40 }, (_, at) => final(at + 1, "word ".repeat(200))).join("");
  const { tools } = captionsOver([`${all}event: end\ndata: {}\n\n`]);
  const text = await tools.captions({ id: ID }, CALL);
  expect(text.length).toBeLessThan(31_000);
  expect(text).toMatch(/after 29 for the next captions\.\]$/);
});
