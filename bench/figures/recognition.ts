// Figures of recognition: words, their times, other languages, entities.
import { bench, type FigureTopic, plain, prefixed } from "./topic.ts";

const BASE = prefixed("moonshine-base-en, ");
const TINY = prefixed("moonshine-tiny-en, ");
const CONDITIONS = [
  "clean",
  ["noise 10 dB", "made noise at 10 dB"],
  ["noise 3 dB", "made noise at 3 dB"],
  ["reverberation 0.6 s", "reverberation of 0.6 s"],
  ["telephone", "telephone band"],
  "1.4 times as fast",
  ["real noise 10 dB", "real noises at 10 dB"],
  ["real noise 3 dB", "real noises at 3 dB"],
  "real rooms",
] as const;

export const RECOGNITION: FigureTopic = {
  title: "Recognition",
  tables: [
    {
      title: "Word errors",
      text: "Word error rate, English, 504 words, models base and tiny; faults of writing are two marks, two spaces, no capital after a full stop.",
      ...{ results: "accuracy", command: bench("accuracy"), rows: CONDITIONS },
      columns: [
        { header: "base, %", key: "WER %", of: BASE },
        { header: "tiny, %", key: "WER %", of: TINY },
        { header: "base, faults of writing", key: "faults of writing", of: BASE },
      ],
    },
    {
      title: "Word times",
      text: "Difference from forced alignment, 81 words, base.",
      ...{ results: "accuracy", command: bench("accuracy") },
      rows: [
        ["moonshine-base-en, word starts", "starts"],
        ["moonshine-base-en, word ends", "ends"],
      ],
      columns: plain("mean ms", "median ms", "P95 ms"),
    },
    {
      title: "Words without speech",
      text: "Words invented, base, on ten minutes of each.",
      ...{ results: "accuracy", command: bench("accuracy") },
      rows: [
        ["moonshine-base-en, silence", "silence"],
        ["moonshine-base-en, white noise", "white noise"],
        ["moonshine-base-en, kitchen noise", "kitchen noise"],
        ["moonshine-base-en, music", "music"],
      ],
      columns: plain("words an hour"),
    },
    {
      title: "Recordings that begin and end inside speech",
      text: "200 random places.",
      ...{ results: "cuts", command: bench("cuts") },
      rows: [
        ["moonshine-base-en, 200 random cuts", "base"],
        ["moonshine-tiny-en, 200 random cuts", "tiny"],
      ],
      columns: plain("invented words", "misheard words", "of whole words"),
    },
    {
      title: "One-word answers",
      text: "0.2 to 0.7 s, cut from real recordings, in silence, in noise at 20 and 10 dB, and in rooms; the half on which nothing was fitted.",
      ...{ results: "short-answers", command: bench("short-answers") },
      rows: [
        ["moonshine-base-en, reported half", "base"],
        ["moonshine-tiny-en, reported half", "tiny"],
      ],
      columns: plain("single words", "transcribed %", "as that word %", "minutes without speech", "words invented"),
    },
    {
      title: "Words at a cut",
      text: "Words recognised correctly where speech is cut off, by the silence behind the cut.",
      ...{ results: "partials", command: bench("partials") },
      rows: [
        ["0 s of silence behind the cut", "none"],
        ["0.1 s of silence behind the cut", "0.1 s"],
      ],
      columns: plain("words", "read right %", "invented"),
    },
    {
      title: "Custom vocabulary",
      text: "Phrases found in accented orders, and errors in other speech.",
      ...{ results: "vocabulary", command: bench("vocabulary") },
      rows: ["without vocabulary", "intensity 0.5"],
      columns: plain("phrases found %", "WER % of other speech"),
    },
    {
      title: "`audio_enhancer`",
      text: "Word error rate and signal-to-noise ratio without and with it.",
      ...{ results: "enhancer", command: bench("enhancer") },
      rows: ["clean", "noise 10 dB", "noise 3 dB", "reverberation 0.6 s", "telephone"],
      columns: plain("WER % without", "WER % with", "dB without", "dB with"),
    },
    {
      title: "Speech in other languages",
      text: "Recordings that the English models refuse or warn of: in German, Spanish, French, Italian and Portuguese, and in English.",
      ...{ results: "foreign-speech", command: bench("foreign-speech"), rows: CONDITIONS },
      columns: [
        { header: "others", key: "recordings", of: prefixed("other languages, ") },
        { header: "refused", key: "refused", of: prefixed("other languages, ") },
        { header: "English", key: "recordings", of: prefixed("English, ") },
        { header: "refused", key: "refused", of: prefixed("English, ") },
        { header: "warned of", key: "warned", of: prefixed("English, ") },
      ],
    },
    {
      title: "Entities and sentiment",
      text: "On a small labelled set, and in sentences recognised from the shared recordings, with which the rules were written.",
      ...{ results: "intelligence", command: bench("intelligence") },
      rows: [
        "entities, exact type and text",
        ["… in recognised recordings", "entities in recognised recordings"],
        "sentiment, positive",
        "sentiment, negative",
        "sentiment, neutral",
      ],
      columns: plain("precision %", "recall %", "of"),
    },
  ],
};
