import fc from "fast-check";
import { expect, test } from "vitest";
import type { Cue } from "../../contract/cues.ts";
import type { Utterance, Word } from "../../contract/transcript/transcript.ts";
import { columnsOf } from "../text/scripts.ts";
import { editedWords } from "./cue-edits.ts";
import { cuesOf } from "./cues.ts";
import { type Caption, layoutCaptions } from "./layout.ts";
import { STANDARD_LIMITS } from "./layout-options.ts";
import { subtitleFile } from "./subtitles.ts";

/** An utterance of half a second a word. */
function utterance(text: string, start = 0): Utterance {
  const words = text.split(" ").map((word, index) => ({
    word: index === 0 ? word : ` ${word}`,
    start: start + index / 2,
    end: start + index / 2 + 0.4,
    confidence: 1,
  }));
  const end = words.at(-1)?.end ?? start;
  return { text, language: "en", start, end, confidence: 1, channel: 0, words };
}

const LONG =
  "It was the best of times, it was the worst of times, it was the age of wisdom. It was the age of foolishness, " +
  "it was the epoch of belief, it was the epoch of incredulity.";

const captionsOf = (utterances: Utterance[], limits = {}, audioSeconds?: number) =>
  layoutCaptions({ utterances, audioSeconds }, limits);
const textsOf = (captions: Caption[]) => captions.map(({ rows }) => rows.join(" "));

test("an utterance that keeps the limits is one caption with its times", () => {
  const utterances = [utterance("Split infinity now"), utterance("in a time", 3)];
  expect(subtitleFile("srt", { utterances })).toBe(
    "1\n00:00:00,000 --> 00:00:01,400\nSplit infinity now\n\n2\n00:00:03,000 --> 00:00:04,400\nin a time\n",
  );
});

test("line breaks of custom spellings and of names end no cue", () => {
  const words = ["We start.", " \n\n.", "\r\n- Then", " 20\u00a0000  words\u2028"].map((word, at) => ({
    ...{ word, start: at, end: at + 1, confidence: 1 },
  }));
  const source = { utterances: [{ ...utterance("x"), words, speaker: 0 }], names: { 0: "Ada\n\nLovelace" } };
  for (const format of ["srt", "vtt"] as const) {
    const [, cue = "", ...others] = `\n\n${subtitleFile(format, source)}`.replace("WEBVTT\n\n", "").split("\n\n");
    expect(others).toEqual([]);
    expect(cue).toMatch(/Ada Lovelace/);
    expect(cue.replace(/\n/g, " ")).toContain("We start. . - Then 20\u00a0000 words");
  }
});

test("a caption of words behind the end of the recording is in its last moments", () => {
  for (const starts of [[10.5], [9, 10.5], [10.5, 11, 11.2]]) {
    const captions = captionsOf(
      starts.map((start) => utterance("Good night.", start)),
      {},
      10,
    );
    expect(captions).toHaveLength(starts.length);
    for (const { start, end } of captions) {
      expect(end).toBeGreaterThan(start);
      expect(end).toBeLessThanOrEqual(10);
    }
  }
  expect(captionsOf([utterance("Good night.", 8.9)], {}, 10)).toMatchObject([{ start: 8.9, end: 9.9 }]);
});

test("limits apply: characters, rows, duration; no word is lost", () => {
  const captions = captionsOf([utterance(LONG)]);
  for (const caption of captions) {
    expect(caption.rows.length).toBeLessThanOrEqual(2);
    for (const row of caption.rows) expect(row.length).toBeLessThanOrEqual(42);
    expect(caption.end - caption.start).toBeLessThanOrEqual(7);
  }
  expect(textsOf(captions).join(" ")).toBe(LONG);
});

test("captions break at the ends of sentences and phrases if possible", () => {
  const ends = captionsOf([utterance(LONG)]).map((caption) => caption.rows.at(-1)?.at(-1));
  expect(ends.every((end) => end === "," || end === ".")).toBe(true);
});

test("short captions are extended, but not into the next one or beyond the recording", () => {
  const said = [utterance("Yes, yes.", 0), { ...utterance("No, no.", 1.1), speaker: 1 }];
  const captions = captionsOf(said, { minimumDuration: 2 }, 2.5);
  expect(captions.map((caption) => caption.end)).toEqual([1.1, 2.5]);
});

test("a single word joins its neighbour if they have the same speaker", () => {
  const said = [utterance("We went home, and then we slept well.", 0), utterance("Well.", 4.2)];
  expect(textsOf(captionsOf(said))).toEqual(["We went home, and then we slept well. Well."]);
});

test("a word longer than a row has its own row", () => {
  const captions = captionsOf([utterance("a Donaudampfschifffahrt b")], { maximumCharactersPerRow: 10 });
  expect(captions.flatMap((caption) => caption.rows)).toContain("Donaudampfschifffahrt");
});

test("wide characters count twice, unspaced words stay together, captions are shown for their reading time", () => {
  const words = ["今天", "天气", "很好，", "我们", "一起", "去", "公园", "散步，", "然后", "回家", "吃饭。"].map(
    (word, index) => ({
      word,
      start: index * 0.2,
      end: index * 0.2 + 0.2,
      confidence: 1,
    }),
  );
  const said: Utterance = {
    text: words.map(({ word }) => word).join(""),
    language: "zh",
    start: 0,
    end: 2.2,
    confidence: 1,
    channel: 0,
    words,
  };
  const captions = captionsOf([said], { maximumCharactersPerRow: 20 });
  expect(captions.flatMap(({ rows }) => rows).join("")).toBe(said.text);
  for (const { rows } of captions) for (const row of rows) expect([...row].length).toBeLessThanOrEqual(10);
  const last = captions.at(-1);
  const columns = (last?.rows ?? []).reduce((sum, row) => sum + 2 * [...row].length, 0);
  expect((last?.end ?? 0) - (last?.start ?? 0)).toBeGreaterThanOrEqual(Math.min(7, columns / 17) - 1e-3);
});

test("right-to-left text keeps its order", () => {
  const said = { ...utterance("مرحبا بكم في برلين، كيف حالكم؟"), language: "ar" };
  expect(textsOf(captionsOf([said])).join(" ")).toBe(said.text);
});

test("WebVTT has a header, voices and escapes; an empty transcript gives the bare header", () => {
  const utterances = [{ ...utterance("Fish & chips <now>"), speaker: 1 }];
  expect(subtitleFile("vtt", { utterances })).toBe(
    "WEBVTT\n\n00:00:00.000 --> 00:00:01.900\n<v Speaker 1>Fish &amp; chips &lt;now&gt;\n",
  );
  expect(subtitleFile("vtt", { utterances: [] })).toBe("WEBVTT\n");
  expect(subtitleFile("srt", { utterances: [] })).toBe("");
});

test("SubRip names the speaker at each change, also one without a name of its own", () => {
  const utterances = [0, 0, 1, 0].map((speaker, at) => ({ ...utterance("one two three", at * 4), speaker }));
  const captions = layoutCaptions({ utterances, names: { 0: "Ada" } });
  expect(textsOf(captions)).toEqual([
    "Ada: one two three",
    "one two three",
    "Speaker 1: one two three",
    "Ada: one two three",
  ]);
});

test("one speaker without a name needs no label", () => {
  expect(textsOf(captionsOf([{ ...utterance("one two three"), speaker: 0 }]))).toEqual(["one two three"]);
});

/** Utterances of up to three channels and speakers, which may overlap between channels. */
const conversations = fc.array(
  fc.record({
    channel: fc.nat(2),
    speaker: fc.option(fc.nat(2), { nil: undefined }),
    pause: fc.double({ min: 0, max: 5, noNaN: true }),
    words: fc.array(
      fc.record({
        word: fc.stringMatching(/^[a-zäöü]{1,14}[.,?]?$/),
        pause: fc.double({ min: 0, max: 1.5, noNaN: true }),
        seconds: fc.double({ min: 0.02, max: 0.9, noNaN: true }),
      }),
      { minLength: 1, maxLength: 60 },
    ),
  }),
  { minLength: 1, maxLength: 12 },
);

test("every rule holds for any conversation", () => {
  fc.assert(
    fc.property(
      conversations,
      fc.constantFrom<Record<string, string>>({}, { 0: "Ada", 1: "Somebody with a long name" }),
      (conversation, names) => {
        const clocks = new Map<number, number>();
        const utterances = conversation.map(({ channel, speaker, pause, words }): Utterance => {
          let at = (clocks.get(channel) ?? 0) + pause;
          const timed = words.map(({ word, pause, seconds }, index): Word => {
            const start = at + pause;
            at = start + seconds;
            return { word: index === 0 ? word : ` ${word}`, start, end: at, confidence: 1 };
          });
          clocks.set(channel, at);
          const text = timed.map(({ word }) => word).join("");
          const start = timed[0]?.start ?? 0;
          return {
            text,
            language: "de",
            start,
            end: at,
            confidence: 1,
            channel,
            ...(speaker === undefined ? {} : { speaker }),
            words: timed,
          };
        });
        const audioSeconds = Math.max(...utterances.map(({ end }) => end));
        const captions = layoutCaptions({ utterances, audioSeconds, names }, {}, "in-text");
        const limits = STANDARD_LIMITS;
        for (const [index, { start, end, rows, label }] of captions.entries()) {
          const next = captions[index + 1];
          expect(end).toBeGreaterThanOrEqual(start);
          expect(end).toBeLessThanOrEqual((next?.start ?? audioSeconds) + 0.001);
          expect(start).toBeLessThanOrEqual(next?.start ?? start);
          expect(rows.length).toBeGreaterThan(0);
          const isOneWord = !rows
            .join(" ")
            .slice(label === "" ? 0 : label.length + 2)
            .includes(" ");
          // A long name and a long word may need a row each.
          if (!isOneWord) expect(rows.length).toBeLessThanOrEqual(limits.maximumRowsPerCaption);
          for (const row of rows) expect(columnsOf(row)).toBeLessThanOrEqual(limits.maximumCharactersPerRow);
        }
        const said = utterances.flatMap(({ words }) => words.map(({ word }) => word.trim())).sort();
        const unlabelled = captions.flatMap(({ rows, label }) =>
          rows
            .join(" ")
            .slice(label === "" ? 0 : label.length + 2)
            .split(" "),
        );
        expect(unlabelled.sort()).toEqual(said);
      },
    ),
  );
});

test.each([
  [
    "en",
    "He met old Doctor Smith and Mr. Jones from the U. S. government near St. James with J. R. Tolkien, i.e. approx. five people.",
  ],
  [
    "en",
    "We spoke with Dr. Brown of the U.S. Department and Mrs. Green vs. Prof. White about No. 5 on Main St. Yesterday.",
  ],
  [
    "de",
    "Wir trafen Dr. Maier und Prof. Weber am 3. Januar bzw. ca. fünf Tage später z.B. mit Hr. Braun und Nr. 7 im Haus.",
  ],
  [
    "fr",
    "Nous avons vu M. Dupont et Mme. Blanc avec le Dr. Noir, p.ex. à env. cinq minutes de St. Michel par la route.",
  ],
])("no caption and no row ends behind an abbreviation, in %s", (language, text) => {
  const said = { ...utterance(text), language };
  const abbreviation =
    /(?:^|\s)(?:\p{L}|Mr|Mrs|Dr|St|Prof|vs|No|Nr|Hr|M|Mme|bzw|ca|z\.B|i\.e|U\.S|p\.ex|env|approx|3)\.$/u;
  for (const maximumCharactersPerRow of [24, 32, 42]) {
    const captions = captionsOf([said], { maximumCharactersPerRow });
    const rows = captions.flatMap((caption) =>
      captions.at(-1) === caption ? caption.rows.slice(0, -1) : caption.rows,
    );
    const atEnds = captions.slice(0, -1).map((caption) => caption.rows.at(-1));
    expect(atEnds.filter((row) => abbreviation.test(row ?? ""))).toEqual([]);
    expect(rows.join(" ")).not.toBe("");
  }
});

const word = fc.constantFrom("Yes.", "so", "the", "flood,", "nobody", "expected", "it.", "Well,");
const spoken = fc
  .array(
    fc.tuple(fc.array(word, { minLength: 1, maxLength: 30 }), fc.nat(2), fc.double({ min: 0, max: 3, noNaN: true })),
    {
      minLength: 1,
      maxLength: 8,
    },
  )
  .map((turns) => {
    let at = 0;
    return turns.map(([words, speaker, pause]) => {
      const one = { ...utterance(words.join(" "), at), speaker };
      at = one.end + pause;
      return one;
    });
  });

test("a set cue keeps its words and times, no word is lost, and the captions beside it have the words that they had", () => {
  fc.assert(
    fc.property(spoken, fc.nat(), fc.nat(20), (utterances, chosen, moved) => {
      const before = cuesOf({ utterances });
      const at = chosen % before.cues.length;
      const { channel, words_start, words_end, start, end } = before.cues[at] as Cue;
      const edit = { channel, words_start, words_end, start: start + moved / 100, end: end + moved / 50 };
      const after = cuesOf({ utterances, edits: [edit] });
      const rows = ({ cues }: typeof before) => cues.map((cue) => cue.rows.join(" "));
      expect(rows(after)).toEqual(rows(before));
      const [found] = after.cues.filter(({ edited }) => edited) as [Cue];
      expect(found).toMatchObject({ start: expect.closeTo(edit.start, 3), end: expect.closeTo(edit.end, 3) });
      expect(cuesOf({ utterances, edits: [edit, { channel, words_start, words_end, automatic: true }] })).toEqual(
        before,
      );
    }),
  );
});

test("any edits of cues leave every word in one caption, with a duration, in srt and in vtt", () => {
  const time = fc.double({ min: 0, max: 60, noNaN: true });
  const edit = fc
    .record({
      from: time,
      length: fc.double({ min: 0, max: 20, noNaN: true }),
      start: fc.option(time),
      seconds: time,
      rows: fc.array(time, { maxLength: 3 }),
    })
    .map(({ from, length, start, seconds, rows }) => ({
      ...{ channel: 0, words_start: from, words_end: from + length, rows },
      ...(start === null ? {} : { start, end: start + seconds }),
    }));
  fc.assert(
    fc.property(spoken, fc.array(edit, { maxLength: 6 }), (utterances, edits) => {
      const { captions } = cuesOf({ utterances, edits });
      const all = captions.flatMap(({ words }) => words.map((one) => one.word.trim()));
      const said = utterances.flatMap(({ words }) => words.map((one) => one.word.trim()));
      expect(all.sort()).toEqual(said.sort());
      for (const { start, end } of captions) expect(end).toBeGreaterThan(start);
      const files = [subtitleFile("srt", { utterances, edits }), subtitleFile("vtt", { utterances, edits })];
      // A label takes time to read, where it is in the text.
      const counts = files.map((text) => text.match(/ --> /g)?.length);
      expect(counts[0]).toBe(counts[1]);
    }),
  );
});

test("a cue that a person moved to the start of another one leaves that one its time", () => {
  const utterances = [utterance("Yes. Yes.", 0)];
  const { end = 0 } = utterances[0]?.words[0] ?? {};
  const moved = { channel: 0, words_start: 0, words_end: 60, rows: [], start: Number.MIN_VALUE, end: Number.MIN_VALUE };
  const first = { channel: 0, words_start: 0, words_end: end, rows: [] };
  const { captions } = cuesOf({ utterances, edits: [moved, first] });
  expect(captions).toHaveLength(2);
  for (const caption of captions) expect(caption.end - caption.start).toBeGreaterThanOrEqual(0.2);
});

test("a hundred thousand edits of an hour of words read each word a few times", () => {
  let reads = 0;
  const counted = (word: Word): Word => ({
    ...word,
    get start() {
      reads++;
      return word.start;
    },
  });
  const utterances = Array.from({ length: 720 }, (_, at) => utterance(LONG, at * 25)).map((one) => ({
    ...one,
    words: one.words.map(counted),
  }));
  const edits = Array.from({ length: 100_000 }, (_, at) => ({
    ...{ channel: 0, words_start: at % 18_000, words_end: (at % 18_000) + (at % 7) * 1_000, start: 1, end: 2 },
  }));
  const found = editedWords(utterances, edits);
  expect(found.size).toBeGreaterThan(1_000);
  // A binary search for each edit; without free places, each edit would read up to thousands of words.
  expect(reads / edits.length).toBeLessThan(30);
});
