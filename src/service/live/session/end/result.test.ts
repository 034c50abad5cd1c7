import { describe, expect, test } from "vitest";
import { utterance } from "../../../../../test/fixtures/utterances.ts";
import type { Utterance } from "../../../../contract/transcript/transcript.ts";
import { atOnce } from "../../../../platform/process/steps.ts";
import { liveTranscription, withSpeakersApart } from "./result.ts";

/** A final, as sent: its text begins with a space. */
function final(text: string, start: number, { channel = 0, speaker }: { channel?: number; speaker?: number } = {}) {
  const one = utterance(text, start, channel);
  const words = one.words.map((word, at) => ({
    ...word,
    word: at === 0 ? ` ${word.word}` : word.word,
    ...(speaker === undefined ? {} : { speaker }),
  }));
  return { ...one, text: ` ${one.text}`, words, ...(speaker === undefined ? {} : { speaker }) };
}

/** Finals of one channel with pauses of this length. */
function spoken(texts: readonly string[], pauseSeconds = 1): Utterance[] {
  let start = 0;
  return texts.map((text) => {
    const one = final(text, start);
    start = one.end + pauseSeconds;
    return one;
  });
}

/** The transcription of a session without diarization, or with speakers as in the finals. */
function resultOf(finals: readonly Utterance[], kept: readonly string[] = []) {
  const { transcription, pauses } = atOnce(liveTranscription(finals, kept));
  return atOnce(withSpeakersApart(transcription, pauses));
}
const textOf = (finals: readonly Utterance[], kept?: readonly string[]) => resultOf(finals, kept).full_transcript;

describe("the result of a live session", () => {
  test.each([
    [
      ["And so, my fellow Americans.", "Ask.", "Not.", "What your country can do."],
      "Ask not what your country can do.",
    ],
    [["Ask not.", "What your country can do for you."], "Ask not what your country can do for you."],
    [["We stayed because.", "It was late."], "We stayed because it was late."],
    [["He went to see my.", "Doctor."], "He went to see my Doctor."],
    [["It belongs to the.", "IT department."], "It belongs to the IT department."],
  ])("continues a sentence over a pause: %j", (texts, end) => {
    expect(textOf(spoken(texts)).endsWith(end)).toBe(true);
  });

  test.each([[["We went home.", "The door was open."]], [["Why not.", "What did he say?"]], [["I do not.", "We go."]]])(
    "keeps sentences apart: %j",
    (texts) => {
      expect(textOf(spoken(texts))).toBe(texts.join(" "));
    },
  );

  test("keeps what is said after a long pause, or in another language, apart", () => {
    expect(textOf(spoken(["Ask not.", "What your country can do."], 3))).toBe("Ask not. What your country can do.");
    const [first, second] = spoken(["Ask not.", "What nun."]) as [Utterance, Utterance];
    expect(textOf([first, { ...second, language: "de" }])).toBe("Ask not. What nun.");
  });

  test("has words that make up the texts, with the times of the finals, which stay as they were sent", () => {
    const finals = spoken(["Ask.", "Not.", "What your country can do."]);
    const sent = structuredClone(finals);
    const { utterances } = resultOf(finals);
    expect(finals).toEqual(sent);
    expect(utterances.map(({ text }) => text)).toEqual([" Ask", " not", " what your country can do."]);
    for (const { text, words } of utterances) expect(words.map(({ word }) => word).join("")).toBe(text);
    const times = (ofAll: readonly Utterance[]) =>
      ofAll.flatMap(({ words }) => words.map(({ start, end }) => [start, end]));
    expect(times(utterances)).toEqual(times(sent));
  });

  test("keeps spellings of the caller", () => {
    expect(textOf(spoken(["We listen to the.", "The Who, mostly."]), ["The Who"])).toBe(
      "We listen to the The Who, mostly.",
    );
    expect(textOf(spoken(["They called it the.", "Who knows?"]), ["it the."])).toBe("They called it the. Who knows?");
    expect(textOf(spoken(["They saw it because.", "The Whole team came."]), ["The Who"])).toBe(
      "They saw it because the Whole team came.",
    );
  });
});

describe("another person ends a sentence", () => {
  const first = (speaker?: number) => final("Ask not.", 0, speaker === undefined ? {} : { speaker });

  test("a different speaker after the pause", () => {
    const finals = [first(0), final("What did you say?", 1.2, { speaker: 1 })];
    expect(textOf(finals)).toBe("Ask not. What did you say?");
    expect(textOf([first(0), final("What did you say?", 1.2, { speaker: 0 })])).toBe("Ask not what did you say?");
  });

  test("an utterance of another channel in the pause", () => {
    const finals = [first(), final("Hello.", 0.7, { channel: 1 }), final("What your country can do.", 1.2)];
    expect(textOf(finals)).toBe("Ask not. Hello. What your country can do.");
    const later = [first(), final("Hello.", 1.5, { channel: 1 }), final("What your country can do.", 1.2)];
    expect(textOf(later)).toBe("Ask not what your country can do. Hello.");
  });

  test("only where it speaks", () => {
    const finals = [
      first(),
      final("What your country can do because.", 1),
      final("Yes.", 3, { channel: 1 }),
      final("It asks.", 3.5),
      final("He will not stop, because.", 6, { channel: 1 }),
      final("It is late.", 8, { channel: 1 }),
    ];
    expect(resultOf(finals).utterances.map(({ text }) => text)).toEqual([
      " Ask not",
      " what your country can do because.",
      " Yes.",
      " It asks.",
      " He will not stop, because",
      " it is late.",
    ]);
  });

  test("the speakers found over the whole session decide", () => {
    const finals = [
      first(0),
      final("Not.", 1, { speaker: 1 }),
      final("What your country can do.", 1.8, { speaker: 0 }),
    ];
    const { transcription, pauses } = atOnce(liveTranscription(finals, []));
    const spokenBy = (...speakers: number[]) => ({
      ...transcription,
      utterances: transcription.utterances.map((one, at) => {
        const speaker = speakers[at] ?? 0;
        return { ...one, speaker, words: one.words.map(({ speaker: _, ...word }) => word) };
      }),
    });
    const written = (...speakers: number[]) => atOnce(withSpeakersApart(spokenBy(...speakers), pauses)).full_transcript;
    expect(written(0, 0, 0)).toBe("Ask not not what your country can do.");
    expect(written(0, 1, 0)).toBe("Ask not. Not. What your country can do.");
    expect(written(0, 1, 1)).toBe("Ask not. Not what your country can do.");
    expect(written(0, 0, 1)).toBe("Ask not not. What your country can do.");
    // Diarization may write words of one speaker in one utterance.
    const [left, middle, right] = spokenBy(0, 0, 0).utterances as [Utterance, Utterance, Utterance];
    const whole = (...all: Utterance[]) => ({
      ...left,
      text: all.map(({ text }) => text).join(""),
      words: all.flatMap(({ words }) => words),
    });
    const divided = { ...transcription, utterances: [whole(left, middle), { ...right, speaker: 1 }] };
    const ended = atOnce(withSpeakersApart(divided, pauses));
    expect(ended.utterances.map(({ text }) => text)).toEqual([" Ask not not.", " What your country can do."]);
    const inPause = { ...final("Yes.", 0.7, { channel: 1 }), speaker: 1 };
    const between = { ...transcription, utterances: [whole(left, middle, right), inPause] };
    const interrupted = atOnce(withSpeakersApart(between, pauses));
    expect(interrupted.utterances[0]?.text).toBe(" Ask not. Not what your country can do.");
  });
});
