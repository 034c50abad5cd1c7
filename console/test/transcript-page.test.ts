// The transcript page's parts that need no browser: exports, another run, results older than the text, keys, names.
import { expect, test, vi } from "vitest";
import type { Correction } from "../../src/contract/transcript/correction.ts";
import { FORMATS } from "../../src/contract/transcript-formats.ts";
import { jobName } from "../src/job-name.ts";
import { showLanguage } from "../src/language/language.ts";
import { authorOf } from "../src/transcript/author.ts";
import { isCorrectedSince } from "../src/transcript/corrected-since.ts";
import { typingActionOf } from "../src/transcript/document/typing-keys.ts";
import { EXPORT_FORMATS, exportAddress, FIRST_CHOICES } from "../src/transcript/export-choices.ts";
import { actionOf, KEYS, type Press, TYPING_KEYS } from "../src/transcript/keys.ts";
import { choiceOf, type OwnKeys, rulesWith } from "../src/transcript/own-keys.ts";
import { requestAfterFailure, requestAgain } from "../src/transcript/run-again.ts";

await showLanguage("en");

test("an export has every format of the service, and only the parameters that have an effect on it", () => {
  expect([...EXPORT_FORMATS].sort()).toEqual([...FORMATS].sort());
  const choices = { ...FIRST_CHOICES, times: true, speakers: false, rowCharacters: 30 };
  expect(exportAddress("/v2/transcription/1", { ...choices, format: "txt" })).toBe(
    "/v2/transcription/1/transcript?format=txt&corrected=true&times=true&speakers=false&paragraphs=true&notes=true",
  );
  expect(exportAddress("/v2/transcription/1", { ...choices, format: "srt", corrected: false })).toBe(
    "/v2/transcription/1/transcript?format=srt&corrected=false&speakers=false&maximum_characters_per_row=30",
  );
});

test("another run has the request of the first one without callbacks and what the service added", () => {
  const custom_metadata = { project: "spring" };
  const request_params = {
    model: "solaria-1",
    audio_url: "http://host/file/1",
    diarization: true,
    summarization: null,
    audio_range: { start: 3 },
    callback: true,
    callback_url: "http://host/called",
    callback_config: { url: "http://host/called" },
    warnings: ["An unknown field"],
    account_words: ["Duguid"],
  };
  expect(requestAgain({ kind: "pre-recorded", request_params, custom_metadata, tags: ["board"] })).toEqual({
    audio_url: "http://host/file/1",
    diarization: true,
    audio_range: { start: 3 },
    custom_metadata,
    tags: ["board"],
  });
  expect(requestAgain({ kind: "live", request_params, custom_metadata, tags: [] })).toBeUndefined();
  const nameless = { diarization: true };
  expect(
    requestAgain({ kind: "pre-recorded", request_params: nameless, custom_metadata: null, tags: [] }),
  ).toBeUndefined();
});

test("a recording that failed has another attempt where one can succeed", () => {
  const common = { kind: "pre-recorded" as const, custom_metadata: null, tags: [] };
  const request_params = { audio_url: "http://host/file/1", diarization: true };
  expect(requestAfterFailure({ ...common, request_params, error_code: 500 })).toEqual(request_params);
  const empty = { code: "media.empty" as const, parameters: {} };
  expect(requestAfterFailure({ ...common, request_params, error_code: 400, error_details: empty })).toBeUndefined();
  expect(requestAfterFailure({ ...common, kind: "live", request_params, error_code: 500 })).toBeUndefined();
});

test("another run has the model that was chosen, and a vocabulary where the form has it", () => {
  const again = (params: object) => {
    const request_params = { audio_url: "http://host/file/1", ...params };
    const { audio_url: _, ...rest } =
      requestAgain({ kind: "pre-recorded", request_params, custom_metadata: null, tags: [] }) ?? {};
    return rest;
  };
  expect(again({ model: "own" })).toEqual({ model: "own" });
  const config = { vocabulary: ["unused"], default_intensity: 0.4 };
  const list = ["Ada", { value: "Duguid", pronunciations: ["doo good"] }];
  expect(again({ custom_vocabulary: list, custom_vocabulary_config: config })).toEqual({
    custom_vocabulary: true,
    custom_vocabulary_config: { vocabulary: list, default_intensity: 0.4 },
  });
  expect(again({ custom_vocabulary: [], custom_vocabulary_config: config })).toEqual({});
  const own = { custom_vocabulary: true, custom_vocabulary_config: config };
  expect(again(own)).toEqual(own);
});

test("an export is copied within the click, before its text is loaded, and otherwise once it is", async () => {
  vi.stubGlobal("document", { querySelector: () => null });
  vi.stubGlobal("location", new URL("http://host/"));
  vi.stubGlobal("addEventListener", () => undefined);
  const done: string[] = [];
  class Item {
    constructor(readonly parts: { "text/plain": Promise<Blob> }) {}
  }
  const clipboard = {
    async write([item]: [Item]) {
      done.push("begins");
      done.push(await (await item.parts["text/plain"]).text());
    },
    async writeText(text: string) {
      done.push(text);
    },
  };
  vi.stubGlobal("navigator", { clipboard });
  const { copyLoaded } = await import("../src/parts/copy.ts");
  const loaded = async (text: string) => {
    await Promise.resolve();
    done.push("loaded");
    return text;
  };
  await copyLoaded(loaded("first"), "Copied");
  vi.stubGlobal("ClipboardItem", Item);
  await copyLoaded(loaded("second"), "Copied");
  expect(done).toEqual(["loaded", "first", "begins", "loaded", "second"]);
  await expect(copyLoaded(Promise.reject(new Error("no answer")), "Copied")).rejects.toThrow("no answer");
  vi.unstubAllGlobals();
});

test("results are older than the text after a correction of it, not after one that changes no text or was undone", () => {
  const made = (change: Partial<Correction>): Correction => ({
    id: "1",
    created_at: "2026-01-02T10:00:00.000Z",
    made_by: "key",
    undone_at: null,
    undone_by: null,
    ...change,
  });
  const text = made({ utterances: [{ index: 0, text: "Hello" }] });
  const [before, after] = ["2026-01-02T09:00:00.000Z", "2026-01-02T11:00:00.000Z"];
  expect(isCorrectedSince(before, [text])).toBe(true);
  expect(isCorrectedSince(after, [text])).toBe(false);
  expect(isCorrectedSince(before, [{ ...text, undone_at: after }])).toBe(false);
  // They were made with the correction.
  const between = "2026-01-02T10:30:00.000Z";
  expect(isCorrectedSince(between, [{ ...text, undone_at: after }])).toBe(true);
  expect(isCorrectedSince("2026-01-02T12:00:00.000Z", [{ ...text, undone_at: after }])).toBe(false);
  expect(isCorrectedSince(undefined, [{ ...text, undone_at: after }])).toBe(false);
  expect(isCorrectedSince(before, [made({ speakers: [{ speaker: 0, name: "Ada" }] })])).toBe(true);
  expect(isCorrectedSince(before, [made({ utterances: [{ index: 0, checked: true }] })])).toBe(false);
  expect(isCorrectedSince(before, [made({ breaks: [{ index: 0, start: 2 }] })])).toBe(false);
  expect(isCorrectedSince(before, [])).toBe(false);
});

test("Ctrl and Enter save and select the next unsure word while text is typed, and every key of the help has one meaning", () => {
  const press = { key: "Enter", altKey: false, ctrlKey: true, metaKey: false, shiftKey: false, isComposing: false };
  for (const isProofReading of [false, true]) {
    expect(typingActionOf(press, { isProofReading, choices: 0 })).toBe("save-and-next");
    expect(typingActionOf({ ...press, ctrlKey: false }, { isProofReading, choices: 0 })).toBe(
      isProofReading ? "accept" : "divide",
    );
  }
  const typing = TYPING_KEYS.filter(({ does }) => does === "saveAndNext");
  expect(typing.map(({ shown }) => shown)).toEqual([[["ctrl", "enter"]]]);
  for (const pressed of [KEYS.flatMap(({ keys }) => keys), KEYS.flatMap(({ alt }) => alt ?? [])])
    expect(new Set(pressed).size).toBe(pressed.length);
});

const pressed = (key: string, more: Partial<Press> = {}): Press => ({
  ...{ key, code: `Key${key.toUpperCase()}`, altKey: false, ctrlKey: false, metaKey: false, shiftKey: false },
  ...more,
});

test("a chosen key takes the place of the standard one, and one with Alt also while text is typed", () => {
  const chosen = (press: Press, own: OwnKeys) => {
    const choice = choiceOf(press, "back", own);
    return choice.kind === "chosen" ? choice.own : {};
  };
  const own = chosen(pressed("w", { altKey: true }), chosen(pressed("F2", { code: "F2" }), {}));
  expect(own).toEqual({ back: { key: "F2", alt: "KeyW" } });
  const rules = rulesWith(own);
  expect(rules.find(({ action }) => action === "back")?.shown).toEqual([["F2"], ["alt", "W"]]);
  expect(actionOf(pressed("F2"), "page", rules)).toBe("back");
  expect(actionOf(pressed("j"), "page", rules)).toBeUndefined();
  expect(actionOf(pressed("F2"), "text", rules)).toBeUndefined();
  expect(actionOf(pressed("w"), "text", rules)).toBeUndefined();
  expect(actionOf(pressed("w", { altKey: true }), "text", rules)).toBe("back");
  expect(actionOf(pressed("l"), "page", rules)).toBe("ahead");
});

test("a key of another action, of the browser, or of none is not chosen", () => {
  const kinds = (press: Press, own: OwnKeys = {}) => {
    const choice = choiceOf(press, "back", own);
    return choice.kind === "taken" ? choice.by : choice.kind;
  };
  expect(kinds(pressed("l"))).toBe("ahead");
  expect(kinds(pressed("2", { code: "Digit2" }))).toBe("choose");
  expect(kinds(pressed("2", { code: "Digit2", altKey: true }))).toBe("speaker");
  expect(kinds(pressed("l"), { ahead: { key: "ö" } })).toBe("chosen");
  expect(kinds(pressed("ö"), { ahead: { key: "ö" } })).toBe("ahead");
  expect(kinds(pressed("j"))).toBe("chosen");
  for (const key of ["Tab", "ArrowLeft", "PageDown", "F5"]) expect(kinds(pressed(key)), key).toBe("browser");
  expect(kinds(pressed("a", { ctrlKey: true }))).toBe("browser");
  for (const key of ["Shift", "Alt", "Dead"]) expect(kinds(pressed(key)), key).toBe("incomplete");
  expect(kinds(pressed("Escape"))).toBe("cancelled");
});

test("the key of the configuration is shown as the main key", () => {
  expect(authorOf("PARLANCE_API_KEY")).toBe("the main key");
  expect(authorOf("Ada's key")).toBe("Ada's key");
  expect(authorOf(null)).toBe("");
});

test("a recording without a name has that of its file or its time, never an id or a parameter", () => {
  const ID = "0f8fad5b-d9cb-469f-a165-70867728950e";
  const named = (filename: string | null, audio_url?: string, kind: "live" | "pre-recorded" = "pre-recorded") =>
    jobName({
      name: null,
      kind,
      created_at: "2026-01-02T10:00:00.000Z",
      file: filename === null ? null : { filename, source: null },
      request_params: audio_url === undefined ? null : { audio_url },
    } as never);
  expect(named("Interview Annie Grant.m4a")).toBe("Interview Annie Grant");
  expect(named(null, "https://host/podcasts/Episode%2031.mp3?token=abc")).toBe("Episode 31");
  for (const nameless of [
    named(null),
    named(`${ID}.wav`),
    named(ID.replaceAll("-", "").toUpperCase()),
    named(null, `http://host/file/${ID}`),
    named(null, "https://host/download?id=5&key=value"),
    named(null, "https://host/download/key=value"),
    named(null, "not an address"),
  ]) {
    expect(nameless).toMatch(/^(Recording, .*2026|download$)/);
    expect(nameless).not.toMatch(/=|[\da-f]{8}/i);
  }
  expect(named("Meeting.wav", undefined, "live")).toMatch(/^Live session, .*2026/);
});
