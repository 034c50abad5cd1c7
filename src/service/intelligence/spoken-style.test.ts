// Fillers and profanity in the words of an utterance.
import { describe, expect, test } from "vitest";
import type { Transcription, TranscriptionResult, Utterance } from "../../contract/transcript/transcript.ts";
import { withFillerWords } from "./filler-words.ts";
import { withProfanityMasked } from "./profanity-filter.ts";
import { runAddons } from "./run-addons.ts";

function utterance(text: string, language = "en"): Utterance {
  const words = text.split(/(?=\s)/).map((word, at) => ({ word, start: at, end: at + 0.5, confidence: 0.9 }));
  return { text, words, start: 0, end: words.length, language, confidence: 0.9, channel: 0 };
}

const dropped = (text: string, language?: string) => withFillerWords(utterance(text, language), "drop").text;

describe("fillers", () => {
  test.each([
    ["I, um, think so.", "I think so."],
    ["Um, I think so.", "I think so."],
    ["Uh the thing is, uh, broken.", "The thing is broken."],
    ["Well, um we should go.", "Well, we should go."],
    ["We should go, um.", "We should go."],
    ["Um. Uh, hmm. Yes.", "Yes."],
    ["The ER is open, uh-huh.", "The ER is open, uh-huh."],
    ["It has an umbrella and an hum.", "It has an umbrella and an hum."],
    [" Um, live finals begin with a space.", " Live finals begin with a space."],
  ])("%s", (text, expected) => {
    expect(dropped(text)).toBe(expected);
  });

  test("of other languages", () => {
    expect(dropped("Das ist, ähm, um acht.", "de")).toBe("Das ist um acht.");
    expect(dropped("Euh, je ne sais pas.", "fr")).toBe("Je ne sais pas.");
    expect(dropped("Um dia, ehm, bonito.", "pt")).toBe("Um dia bonito.");
    expect(dropped("um", "ja")).toBe("um");
  });

  test("words keep their times, and are marked on request", () => {
    const { words } = withFillerWords(utterance("I, um, think so."), "drop");
    expect(words.map(({ start }) => start)).toEqual([0, 2, 3]);
    const marked = withFillerWords(utterance("I, um, think so."), "mark");
    expect(marked.text).toBe("I, um, think so.");
    expect(marked.words.map(({ is_filler }) => is_filler)).toEqual([undefined, true, undefined, undefined]);
    const same = utterance("I, um, think so.");
    expect(withFillerWords(same, "keep")).toBe(same);
  });
});

describe("profanity", () => {
  const masked = (text: string, kept: string[] = []) => withProfanityMasked(utterance(text), new Set(kept)).text;

  test.each([
    ["That is bullshit, you fucking idiot!", "That is b*******, you f****** idiot!"],
    ["Shit's broken.", "S***'s broken."],
    ["Moby Dick and Scunthorpe pass.", "Moby Dick and Scunthorpe pass."],
    ["The cock-and-bull story of a shuttlecock.", "The cock-and-bull story of a shuttlecock."],
  ])("%s", (text, expected) => {
    expect(masked(text)).toBe(expected);
  });

  test("words of the caller stay, other languages too, and words have the masked text", () => {
    expect(masked("The Shit app.", ["shit"])).toBe("The Shit app.");
    const german = utterance("Shit happens.", "de");
    expect(withProfanityMasked(german, new Set())).toBe(german);
    const { words, text } = withProfanityMasked(utterance("Oh shit, no."), new Set());
    expect(words.map(({ word }) => word)).toEqual(["Oh", " s***,", " no."]);
    expect(text).toBe("Oh s***, no.");
  });

  test("moderation reads the words themselves, and quotes the masked text", async () => {
    const utterances = [utterance("Um, fine."), utterance("This is, uh, bullshit.")];
    const transcription: Transcription = { full_transcript: "", languages: ["en"], utterances };
    const result = { metadata: { audio_duration: 9 }, transcription } as TranscriptionResult;
    await runAddons(result, { moderation: true, profanity_filter: true, filler_words: "drop" }, {});
    expect(result.transcription.full_transcript).toBe("Fine. This is b*******.");
    expect(result["moderation"]).toMatchObject({ results: [{ utterance_id: 1, text: "This is b*******." }] });
    expect(result["profanity_filter"]).toBeUndefined();
  });

  test("a transcript in another language says that nothing is masked", async () => {
    const transcription: Transcription = {
      full_transcript: "",
      languages: ["de"],
      utterances: [utterance("Mist.", "de")],
    };
    const result = { metadata: { audio_duration: 9 }, transcription } as TranscriptionResult;
    await runAddons(result, { profanity_filter: true }, {});
    expect(result["profanity_filter"]).toMatchObject({ success: false, error: { exception: "NotAvailable" } });
  });
});
