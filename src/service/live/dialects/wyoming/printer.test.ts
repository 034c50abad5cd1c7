import { expect, test } from "vitest";
import { errors } from "../../../../platform/errors.ts";
import type { LiveEvent } from "../../events/live-event.ts";
import { errorEvent, errorOf, TranscriptPrinter } from "./printer.ts";

const final = (text: string) => ({ kind: "final", id: text, utterance: { text, language: "en" } }) as LiveEvent;
const transcript = (text: string) =>
  ({ kind: "transcript", transcription: { full_transcript: text, languages: ["en"], utterances: [] } }) as LiveEvent;

test("finals are chunks that join to the text; the transcript comes between the last chunk and the stop", () => {
  const printer = new TranscriptPrinter(["context has no effect"], "an-id");
  const events = [final(" Turn on "), final(" "), final("the light."), transcript("Turn on the light.")];
  expect([...events.flatMap((event) => printer.print(event)), ...printer.end()]).toEqual([
    { type: "transcript-start", data: { language: "en" } },
    { type: "transcript-chunk", data: { text: "Turn on" } },
    { type: "transcript-chunk", data: { text: " the light." } },
    {
      type: "transcript",
      data: { text: "Turn on the light.", language: "en", warnings: ["context has no effect"], session_id: "an-id" },
    },
    { type: "transcript-stop", data: {} },
  ]);
});

test("audio without speech has an empty transcript; a session that ended without one has none", () => {
  const printer = new TranscriptPrinter([], "an-id");
  expect(printer.end()).toEqual([]);
  printer.print({
    kind: "transcript",
    transcription: { full_transcript: "", languages: [], utterances: [] },
  } as LiveEvent);
  expect(printer.end().map(({ type }) => type)).toEqual(["transcript-start", "transcript", "transcript-stop"]);
});

test("only a complete session ends without an error, whose text names every problem", () => {
  expect(errorOf({ kind: "complete" })).toBeUndefined();
  expect(errorOf({ kind: "ended", cause: "length" })?.message).toMatch(/maximum length/);
  expect(errorOf({ kind: "restarting" })?.code).toBe("live.wyoming_interrupted");
  expect(errorEvent(errors.invalidParameters(["language is wrong", "name is wrong"]))).toEqual({
    type: "error",
    data: {
      text: "Invalid parameter(s). language is wrong; name is wrong",
      code: "request.invalid",
      validation_errors: ["language is wrong", "name is wrong"],
    },
  });
});

test("chunks have a space between them only where their languages have one", () => {
  const printed = (...finals: [text: string, language: string][]) => {
    const printer = new TranscriptPrinter([], "an-id");
    return finals
      .flatMap(([text, language]) =>
        printer.print({ kind: "final", id: text, utterance: { text, language } } as LiveEvent),
      )
      .flatMap(({ type, data }) => (type === "transcript-chunk" ? [data?.["text"]] : []))
      .join("");
  };
  expect(printed([" こんにちは", "ja"], [" 世界", "ja"])).toBe("こんにちは世界");
  expect(printed([" Hello.", "en"], [" 世界", "ja"])).toBe("Hello. 世界");
});
