// What corrections teach, and where the same words are in other transcripts.
import { describe, expect, test } from "vitest";
import type { TranscriptChange } from "../../../contract/transcript/correction.ts";
import type { Transcription } from "../../../contract/transcript/transcript.ts";
import { corrected } from "../corrections.ts";
import { phrasePlaces } from "./phrase-places.ts";
import { replacedPhrases } from "./replaced-phrases.ts";

/** Utterances of which each word takes half a second. */
function spoken(texts: readonly string[], language = "en"): Transcription {
  let time = 0;
  const utterances = texts.map((text) => {
    const parts = language === "ja" ? [...text] : (text.match(/\s*\S+/g) ?? []);
    const words = parts.map((word, at) => ({
      ...{ word, confidence: 0.9 },
      ...{ start: time + at / 2, end: time + (at + 1) / 2 },
    }));
    time += words.length / 2;
    const [first, last] = [words[0], words.at(-1)];
    return { text, language, start: first?.start ?? time, end: last?.end ?? time, confidence: 0.9, channel: 0, words };
  });
  return { full_transcript: texts.join(" "), languages: [language], utterances };
}

const changes = (...all: TranscriptChange[]) => all.map((change) => ({ ...change, undone_at: null as string | null }));
const textOf = (index: number, text: string): TranscriptChange => ({ utterances: [{ index, text }] });
const taught = (texts: readonly string[], now: readonly string[], language = "en") =>
  replacedPhrases(spoken(texts, language), changes(...now.map((text, index) => textOf(index, text)))).map(
    ({ before, after, utterances }) => [before, after, utterances],
  );

describe("what corrections teach", () => {
  test("a replaced word counts once for each utterance, whatever its case and the marks around it", () => {
    const now = ["We run Kubernetes, here.", "Kubernetes is large and Kubernetes is loud"];
    expect(taught(["we run kubernets here", "Kubernets is large and kubernets is loud"], now)).toEqual([
      ["kubernets", "Kubernetes", 2],
    ]);
  });
  test("words that became one, and one that became several, are phrases", () => {
    expect(taught(["push it to git hub now"], ["push it to GitHub now"])).toEqual([["git hub", "GitHub", 1]]);
    expect(taught(["in newark we stay"], ["in New York we stay"])).toEqual([["newark", "New York", 1]]);
  });
  test("words that resemble those in their places are apart; others are a phrase", () => {
    expect(taught(["the kubernets clustr is up"], ["the Kubernetes cluster is up"])).toEqual([
      ["kubernets", "Kubernetes", 1],
      ["clustr", "cluster", 1],
    ]);
    expect(taught(["from new york today"], ["from los angeles today"])).toEqual([["new york", "los angeles", 1]]);
  });
  test("case and marks teach nothing, except the spelling of a name", () => {
    expect(taught(["hello anna how are you"], ["Hello, Anna! How are you?"])).toEqual([]);
    const spellings: [string, string, number][] = [
      ["Github", "GitHub", 1],
      ["N8N", "n8n", 1],
    ];
    expect(taught(["we use Github and N8N there"], ["we use GitHub and n8n there"])).toEqual(spellings);
    expect(taught(["we write see sharp"], ["we write C#"])).toEqual([["see sharp", "C#", 1]]);
  });
  test("words that were only added or only removed, short ones, numbers and rewritten sentences teach nothing", () => {
    expect(taught(["so well we go there"], ["so we all go there"])).toEqual([]);
    expect(taught(["it is in town"], ["it is at town"])).toEqual([]);
    expect(taught(["we have 5 of them"], ["we have five of them"])).toEqual([]);
    expect(taught(["one two three four five six seven"], ["nothing of this was ever said here"])).toEqual([]);
    expect(taught(["a b"], [""])).toEqual([]);
  });
  test("a word that was corrected twice is what it reads in the end; an undone correction teaches nothing", () => {
    const transcription = spoken(["we run kubernets here"]);
    const [first, second] = changes(textOf(0, "we run cabinets here"), textOf(0, "we run Kubernetes here"));
    const all = [first, second].flatMap((one) => one ?? []);
    expect(replacedPhrases(transcription, all)).toMatchObject([{ before: "kubernets", after: "Kubernetes" }]);
    expect(
      replacedPhrases(
        transcription,
        all.map((one) => ({ ...one, undone_at: "now" })),
      ),
    ).toEqual([]);
  });
  test("joined utterances count as those that were recognised", () => {
    const transcription = spoken(["we run kubernets", "and kubernets runs"]);
    const all = changes(
      { joins: [{ index: 1, into: 0 }] },
      { utterances: [{ index: 0, start: 0, end: 3, text: "we run Kubernetes and Kubernetes runs" }] },
    );
    expect(replacedPhrases(transcription, all)).toMatchObject([{ before: "kubernets", utterances: 2 }]);
  });
  test("scripts without spaces are compared by the words of a dictionary", () => {
    const now = ["今日は渡辺さんが来ます", "渡辺さんは先生です"];
    expect(taught(["今日は渡部さんが来ます", "渡部さんは先生です"], now, "ja")).toEqual([["渡部", "渡辺", 2]]);
  });
  test("right-to-left text is compared like any other", () => {
    expect(taught(["قال احمت ذلك"], ["قال أحمد ذلك"], "ar")).toEqual([["احمت", "أحمد", 1]]);
  });
  test("a word of any length takes little time, and is not taught", () => {
    const long = "x".repeat(20_000);
    expect(taught([`we say ${long} here`], [`we say ${long}y here`])).toEqual([]);
  });
});

const found = (transcription: Transcription, before: string, after: string, made: TranscriptChange[] = []) =>
  phrasePlaces(transcription, changes(...made), { before, after });
const read = (transcription: Transcription, before: string, after: string) =>
  found(transcription, before, after).map(({ text, replacement }) => [text, replacement]);

describe("places of a phrase", () => {
  test("are whole words, with the marks around them and the text beside them", () => {
    const [place, ...others] = found(spoken(["first", "so we run Kubernets, all day"]), "kubernets", "Kubernetes");
    expect(others).toEqual([]);
    expect(place).toMatchObject({
      ...{ index: 1, start: 2.25, end: 2.25, text: "Kubernets,", replacement: "Kubernetes," },
      ...{ text_before: "so we run", text_after: "all day" },
    });
    expect(read(spoken(["the same sam"]), "sam", "Sam B.")).toEqual([["sam", "Sam B."]]);
  });
  test("of several words end at marks between them", () => {
    const transcription = spoken(["git hub, and git, hub. Git hub"]);
    expect(read(transcription, "git hub", "GitHub")).toEqual([
      ["git hub,", "GitHub,"],
      ["Git hub", "GitHub"],
    ]);
  });
  test("keep the capital of an ordinary word, and not that of a name", () => {
    expect(read(spoken(["Clustr here"]), "clustr", "cluster")).toEqual([["Clustr", "Cluster"]]);
    expect(read(spoken(["Ennaten here"]), "ennaten", "n8n")).toEqual([["Ennaten", "n8n"]]);
  });
  test("of a spelling have exactly its case", () => {
    expect(read(spoken(["Github, GitHub and github"]), "Github", "GitHub")).toEqual([["Github,", "GitHub,"]]);
  });
  test("are none where the words stand within their correction already, so that it is not made twice", () => {
    const transcription = spoken(["John Smith and Smith"]);
    const places = found(transcription, "smith", "John Smith");
    expect(places.map(({ start }) => start)).toEqual([1.75]);
    const utterances = places.map(({ index, start, end, replacement: text }) => ({ index, start, end, text }));
    expect(found(transcription, "smith", "John Smith", [{ utterances }])).toEqual([]);
    expect(corrected(transcription, changes({ utterances })).full_transcript).toBe("John Smith and John Smith");
  });
  test("are those of the transcript as it reads, and a correction of each changes nothing else", () => {
    const transcription = spoken(["kubernets and kubernets", "kubernets"]);
    const earlier = textOf(0, "Kubernetes and well kubernets");
    const places = found(transcription, "kubernets", "Kubernetes", [earlier]);
    const utterances = places.map(({ index, start, end, replacement: text }) => ({ index, start, end, text }));
    const now = corrected(transcription, changes(earlier, { utterances }));
    expect(now.utterances.map(({ text }) => text)).toEqual(["Kubernetes and well Kubernetes", "Kubernetes"]);
  });
  test("in scripts without spaces may be a part of recognised words; Latin words in them are whole", () => {
    const transcription = spoken(["渡部さんと渡部君"], "ja");
    const words = [
      { word: "渡部さん", start: 0, end: 1, confidence: 1 },
      { word: "と渡部君", start: 1, end: 2, confidence: 1 },
    ];
    const [one] = transcription.utterances;
    if (one) one.words = words;
    expect(read(transcription, "渡部", "渡辺")).toEqual([
      ["渡部さん", "渡辺さん"],
      ["と渡部君", "と渡辺君"],
    ]);
    expect(read(spoken(["n8nとn8"], "ja"), "n8", "N8")).toEqual([["n8", "N8"]]);
  });
  test("with words that overlap in time have all the words that their times select", () => {
    const transcription = spoken(["one kubernets two"]);
    const [one] = transcription.utterances;
    if (one?.words[2]) one.words[2] = { ...one.words[2], start: 0.5, end: 1 };
    const places = found(transcription, "kubernets", "Kubernetes");
    const utterances = places.map(({ index, start, end, replacement: text }) => ({ index, start, end, text }));
    expect(corrected(transcription, changes({ utterances })).full_transcript).toBe("one Kubernetes two");
  });
});

/** Corrections can make an utterance of any length. */
test.each([
  ["en", "kubernets ", "kubernets", "Kubernetes"],
  ["ja", "東京。", "東京", "京都"],
])(
  "an utterance in which each of 80,000 words is a place (%s)",
  (language, text, before, after) => {
    const many = 80_000;
    const places = phrasePlaces(spoken([text.repeat(many).trim()], language), [], { before, after });
    expect(places).toHaveLength(many);
    expect(places.at(-1)?.replacement).toMatch(after);
  },
  30_000,
);
