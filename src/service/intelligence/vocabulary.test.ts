import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { fuzzing } from "../../../test/fixtures/fuzzing.ts";
import { utterance } from "../../../test/fixtures/utterances.ts";
import type { VocabularyTerm } from "../../speech/recognition/vocabulary.ts";
import { editDistance, editDistanceWithin, lettersOf, soundOf } from "../../speech/text/sound.ts";
import { repaired } from "./vocabulary.ts";
import { VocabularyIndex } from "./vocabulary-index.ts";

const term = (value: string, more: Partial<VocabularyTerm> = {}): VocabularyTerm => ({
  value,
  intensity: 0.5,
  pronunciations: [],
  ...more,
});

/** The repaired text, from words with this confidence. */
function repairedText(text: string, terms: VocabularyTerm[], confidence = 0.4) {
  const said = utterance(text);
  return repaired({ ...said, words: said.words.map((word) => ({ ...word, confidence })) }, new VocabularyIndex(terms));
}

describe("custom_vocabulary by sound", () => {
  test("similar-sounding words become the term, across word borders; marks and times are kept", () => {
    const { text, words } = repairedText("we run it on kuber netties, mostly.", [term("Kubernetes")]);
    expect(text).toBe("we run it on Kubernetes, mostly.");
    const word = words.find((one) => one.word.includes("Kubernetes"));
    expect([word?.start, word?.end]).toEqual([1.2, 1.8]);
    expect(words.map((one) => one.word).join("")).toBe(text);
  });
  test("confident words stay, and so do words that sound different", () => {
    expect(repairedText("two cordados", [term("cortado")], 0.95).text).toBe("two cordados");
    expect(repairedText("we took the train to London", [term("macchiato"), term("cortado")]).text).toBe(
      "we took the train to London",
    );
  });
  test("none of its intensity and other languages do nothing; pronunciations count", () => {
    const said = "ask nicky la about it";
    const terms = (more: Partial<VocabularyTerm>) => [
      term("Nikolaj Coster", { pronunciations: ["nicky lacoste"], ...more }),
    ];
    expect(repairedText("ask nicky lacost about it", terms({})).text).toBe("ask Nikolaj Coster about it");
    expect(repairedText("ask nicky lacost about it", terms({ intensity: 0 })).text).toBe("ask nicky lacost about it");
    expect(repairedText("ask nicky lacost about it", terms({ language: "de" })).text).toBe("ask nicky lacost about it");
    expect(repairedText(said, terms({})).text).toBe(said);
  });
  test("pronunciations are replaced however confident they are, in every language; terms themselves stay", () => {
    const terms = [
      term("Vercel", { pronunciations: ["versal", "ver sal"] }),
      term("salver", { pronunciations: ["Vercel"] }),
    ];
    expect(repairedText("from the versal, and ver sal.", terms, 0.95).text).toBe("from the Vercel, and Vercel.");
    expect(repairedText("the Vercel one", terms, 0.95).text).toBe("the Vercel one");
    const german = { ...utterance("die Versal Leute"), language: "de" };
    expect(repaired(german, new VocabularyIndex(terms)).text).toBe("die Vercel Leute");
    const english = [term("Vercel", { pronunciations: ["versal"], language: "en" })];
    expect(repaired(german, new VocabularyIndex(english)).text).toBe("die Versal Leute");
    expect(
      repairedText("from the versal", [term("Vercel", { pronunciations: ["versal"], intensity: 0 })], 0.95).text,
    ).toBe("from the versal");
  });
  test("a pronunciation that ends in a combining mark is replaced with the mark", () => {
    const said = { ...utterance("मेरी बेटी, स्कूल"), language: "hi" };
    const terms = [term("Betty", { pronunciations: ["बेटी"] })];
    expect(repaired(said, new VocabularyIndex(terms)).text).toBe("मेरी Betty, स्कूल");
  });
  test("possessives and plurals of a term stay", () => {
    const terms = [term("Anthropic"), term("Chromebook"), term("Kubernetes"), term("McDonald's")];
    expect(repairedText("Anthropic's model", terms).text).toBe("Anthropic's model");
    expect(repairedText("two Chromebooks, please", terms).text).toBe("two Chromebooks, please");
    expect(repairedText("Kubernetes's pods", terms).text).toBe("Kubernetes's pods");
    expect(repairedText("at mcdonalts's", terms).text).toBe("at McDonald's");
  });
  test("short terms are left to the decoder", () => {
    expect(repairedText("the bus is late", [term("Bo")]).text).toBe("the bus is late");
  });
});

describe("terms with signs", () => {
  const says = (value: string, ...pronunciations: string[]) => term(value, { pronunciations });
  test.each([
    ["We use dot net. Dot net's rules, (dot net)", [says(".NET")], "We use .NET. .NET's rules, (.NET)"],
    ["We use .NET, and the net.", [says(".NET", "dot net")], "We use .NET, and the net."],
    ["C plus plus, c sharp. C++ and C", [says("C++"), says("C#")], "C++, C#. C++ and C"],
    ["AT and T, AT & T's at&t. Bands and hands", [says("AT&T"), says("H&S")], "AT&T, AT&T's AT&T. Bands and hands"],
    ["The R and D team. R&D.", [says("R&D")], "The R&D team. R&D."],
    ["Node js, nodejs and node dot JS.", [says("Node.js")], "Node.js, Node.js and Node.js."],
    ["Ask about me. William knows.", [says("About.me"), says("Will.i.am")], "Ask about me. William knows."],
    ["That's a plus. Disney plus!", [says("A+"), says("Disney+")], "That's a plus. Disney+!"],
    ["We read AI papers, readai.", [says("Read.ai")], "We read AI papers, readai."],
    [
      "The last FM station of change org charts.",
      [says("Last.fm"), says("Change.org")],
      "The last FM station of change org charts.",
    ],
    ["Read dot ai and last dot FM.", [says("Read.ai"), says("Last.fm")], "Read.ai and Last.fm."],
    ["Disney plus two parks, Disney plus, two.", [says("Disney+")], "Disney plus two parks, Disney+, two."],
    ["The canal plus the river. Canal plus shows it.", [says("Canal+")], "The canal plus the river. Canal+ shows it."],
    ["Vitamin C and a banana. A C and A shop.", [says("C&A")], "Vitamin C and a banana. A C&A shop."],
    ["Salt and pepper. We saw Salt and Pepper.", [says("Salt & Pepper")], "Salt and pepper. We saw Salt & Pepper."],
    ["A C sharp minor chord in C sharp.", [says("C#")], "A C sharp minor chord in C#."],
    ["From C sharp to Java, and in C sharp in 2010.", [says("C#")], "From C# to Java, and in C# in 2010."],
    ["Hashtag winning. Winning at home.", [says("#winning"), says("@home")], "#winning. Winning at home."],
    ["Ask at handle. The handle.", [says("@handle", "at handle")], "Ask @handle. The handle."],
    ["C++, C#, C and $5, 5%, 5", [says("Sea", "C"), says("five", "5")], "C++, C#, Sea and $5, 5%, five"],
    ["Open 24-7. 24/7.", [says("24/7", "24-7")], "Open 24/7. 24/7."],
    ["We use yahoo! Yahoo.", [says("Yahoo!", "yahoo")], "We use Yahoo! Yahoo!"],
  ])("whole terms are found: %s", (text, terms, expected) => {
    for (const confidence of [0.4, 0.95]) expect(repairedText(text, terms, confidence).text).toBe(expected);
  });

  test("a term that is written already keeps the times of its words", () => {
    const { words } = repairedText("Marks & Spencer sells it", [says("Marks & Spencer")]);
    expect(words).toHaveLength(5);
  });

  test("spoken signs are English", () => {
    const german = { ...utterance("Wir nutzen dot net."), language: "de" };
    expect(repaired(german, new VocabularyIndex([says(".NET")])).text).toBe("Wir nutzen dot net.");
  });
});

/** Phrases of few syllables, so that many of them sound alike. */
const phrases = fc
  .array(
    fc
      .array(fc.constantFrom("ka", "ta", "ra", "no", "mi", "li", "su", "ver"), { minLength: 2, maxLength: 5 })
      .map((syllables) => syllables.join("")),
    { minLength: 1, maxLength: 3 },
  )
  .map((words) => words.join(" "));

test("the edit distance up to a limit is the edit distance", () => {
  const property = fc.property(phrases, phrases, fc.nat(12), (left, right, most) => {
    const distance = editDistance(left, right);
    if (distance <= most) expect(editDistanceWithin(left, right, most)).toBe(distance);
    else expect(editDistanceWithin(left, right, most)).toBeGreaterThan(most);
  });
  fc.assert(property, fuzzing(500));
});

test("the index finds what a comparison with every form finds", () => {
  const terms = fc.array(
    fc.record({
      value: phrases,
      intensity: fc.constantFrom(0, 0.1, 0.5, 1),
      pronunciations: fc.array(phrases, { maxLength: 2 }),
    }),
    { maxLength: 20 },
  );
  const property = fc.property(terms, phrases, (vocabulary, said) => {
    const [words, text] = [said.split(" ").length, lettersOf(said)];
    const sound = soundOf(text);
    const found = vocabulary.flatMap(({ value, intensity, pronunciations }) =>
      [value, ...pronunciations].flatMap((form) => {
        const [letters, own] = [lettersOf(form), soundOf(form)];
        const isFar = Math.abs(form.split(" ").length - words) > 1 || Math.abs(own.length - sound.length) > 2;
        if (intensity === 0 || own.length < 4 || isFar) return [];
        const sounds = editDistance(sound, own) / own.length;
        const spelled = editDistance(text, letters) / letters.length;
        return sounds <= 0.1 + 0.2 * intensity && spelled <= 0.5 ? [{ value, difference: sounds + spelled }] : [];
      }),
    );
    const [best] = found.sort((left, right) => left.difference - right.difference);
    const { value, difference } = new VocabularyIndex(vocabulary).search().best(words, text) ?? {};
    expect({ value, difference }).toEqual({ value: best?.value, difference: best?.difference });
  });
  fc.assert(property, fuzzing(500));
});

test("ten thousand forms that sound the same are compared within the bound of an utterance", () => {
  const vowels = [..."aeiou"];
  const spellings = vowels.flatMap((a) =>
    vowels.flatMap((b) => vowels.flatMap((c) => vowels.map((d) => [a, b, c, d]))),
  );
  const terms = Array.from({ length: 10_000 }, (_, at) => {
    const [a, b, c, d] = spellings[at % spellings.length] as string[];
    return term(`k${a}t${b}r${c}n${d}${"a".repeat(at / spellings.length)}`, { intensity: 1 });
  });
  const said = Array.from({ length: 200 }, (_, at) => `kataran${"e".repeat(at % 30)}`).join(" ");
  expect(repairedText(said, terms).words).toHaveLength(200);
});

test("stretches with more letters than any pronunciation are not compared", () => {
  const pronunciation = Array.from({ length: 100 }, () => "a").join(" ");
  const index = new VocabularyIndex([term("Aaron", { pronunciations: [pronunciation] })]);
  const pronounced = vi.spyOn(index, "pronounced");
  const said = `${Array.from({ length: 300 }, () => "kataran").join(" ")} ${pronunciation}`;
  expect(repaired(utterance(said), index).text).toMatch(/kataran Aaron$/);
  const compared = pronounced.mock.calls.map(([text]) => text.replaceAll(" ", "").length);
  expect(Math.max(...compared)).toBeLessThanOrEqual(100);
});
