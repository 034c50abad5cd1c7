// Figures of channels and signals: channels of one source, declared formats, doubled sounds, quiet voices.
import { bench, type FigureTopic, plain, suffixed } from "./topic.ts";

const REPORTED = suffixed(", reported");
const CHOSEN = suffixed(", chosen on");
/** Recordings with a warning, of each half. */
const WARNED = [
  { header: "half for choosing", key: "warned", of: CHOSEN },
  { header: "of", key: "of", of: CHOSEN },
  { header: "half for reporting", key: "warned", of: REPORTED },
  { header: "of", key: "of", of: REPORTED },
];
const LEAKS = `BENCH_ONLY=leaks ${bench("channels")}`;
const LEAK_HALVES = ["half for choosing", "reported half"];

export const SIGNAL: FigureTopic = {
  title: "Channels and signals",
  tables: [
    {
      title: "Channels that carry one source",
      text: "Variants of recordings (level, delay, polarity, codec, noise, rooms, music, cross-talk) that are transcribed once or separately, and wrong decisions.",
      ...{ results: "channels", command: bench("channels") },
      rows: ["half for choosing the constants", "half for reporting"],
      columns: plain("one source", "several sources", "live as well", "wrong"),
    },
    {
      title: "Cost of the comparison of two channels",
      text: "For a minute of audio.",
      ...{ results: "channels", command: bench("channels") },
      rows: [
        ["cost, one source", "one source"],
        ["cost, two sources", "two sources"],
      ],
      columns: plain("comparison ms/min"),
    },
    {
      title: "Leaks between two channels, recorded",
      text: "Dialogues of two people whose voices leak into each other's channel: words of the near channel, beside those without leaks.",
      ...{ results: "leaks", command: LEAKS },
      rows: LEAK_HALVES.map((half) => [`leaks, recorded, ${half}`, half] as const),
      columns: plain("variants", "foreign words", "own words", "own words lost", "other words"),
    },
    {
      title: "Leaks between two channels, live",
      text: "Starts of speech that are not the near person's, without and with removal; the near person's speech that is missed; seconds for which audio is held back; and dialogues without leaks whose samples removal changes, because it takes noise that both channels have for a leak.",
      ...{ results: "leaks", command: LEAKS },
      rows: LEAK_HALVES.map((half) => [`leaks, live, ${half}`, half] as const),
      columns: plain(
        ...["variants", "false starts without removal", "false starts", "own speech missed %", "start later, mean s"],
        ...["held without leaks, mean s", "changed without leaks"],
      ),
    },
    {
      title: "Sampling rates and encodings",
      text: "Recordings with a warning about the declared format. Those in their own format must have none.",
      ...{ results: "declared-formats", command: bench("declared-formats") },
      rows: [
        ["right rate: as recorded", "the right rate, as recorded"],
        ["right rate: telephone", "the right rate, telephone"],
        ["right rate: 8 kHz, resampled", "the right rate, 8 kHz resampled"],
        ["right rate: child", "the right rate, a child"],
        ["right rate: deep voice", "the right rate, a deep voice"],
        ["right rate: room", "the right rate, room"],
        ["right rate: noise", "the right rate, noise"],
        ["right rate: music, noise, tones", "the right rate: music, noise, tones"],
        ["right encodings", "the right encoding"],
        "16000 Hz as 8000 Hz",
        "8000 Hz as 16000 Hz",
        "48000 Hz as 16000 Hz",
        "16000 Hz as 48000 Hz",
        "A-law as mu-law",
        "mu-law as A-law",
        "two equal channels as one",
        "two channels as one",
        "two 8-bit channels as one",
        "one channel as two",
        "big-endian as little-endian",
        "24 bits as 16",
        "16 bits as 24",
        "32 bits as 16",
        "16 bits as 32",
        "8 bits as 16",
        "16 bits as 8",
        "mu-law as 16 bits",
        "16 bits as floating-point",
        "32 bits as floating-point",
        "mu-law as floating-point",
        "two floating-point channels as one",
        "floating-point as 16 bits",
        "16 bits as mu-law",
      ],
      columns: WARNED,
    },
    {
      title: "A sound mixed with itself",
      text: "Recordings with a warning that they have a copy of their own sound. The first rows have none.",
      ...{ results: "doubled-source", command: bench("doubled-source") },
      rows: [
        "as recorded",
        "repeated",
        "telephone",
        "room",
        "noise at 10 dB",
        "music, noise, tones",
        "loops",
        "speech, a loop 0 dB below",
        "speech, a loop 12 dB below",
        "speech, a loop 20 dB below",
        "6 s of a loop, then speech",
        ...["0.15", "0.3", "0.45", "0.6", "0.7", "0.8", "1.1", "1.5"].map(
          (seconds) => `${seconds} s of speech in a loop`,
        ),
        ...["1", "0.7", "0.5"].flatMap((level) =>
          ["0.12", "0.2", "0.35", "0.5"].map((seconds) => `copy at ${level}, ${seconds} s later`),
        ),
        "copy at 0.8, 0.25 s later, noise at 10 dB",
      ],
      columns: WARNED,
    },
    {
      title: "Speech after other sounds",
      text: "Sentences after 12 and 60 s of each, the half for reporting: lost with one memory of the detector, and with a renewed one.",
      ...{ results: "speech-after-music", command: bench("speech-after-music") },
      rows: ["music", "noise", "telephone tones", "silence"],
      columns: ["sentences", "lost, one memory", "lost", "false starts"].map((key) => ({
        ...{ header: key, key, of: suffixed(", reported half") },
      })),
    },
    {
      title: "A quiet voice beside a near one",
      text: "A telephone voice below a near one in one channel, the half for reporting.",
      ...{ results: "quiet-voices", command: bench("quiet-voices") },
      rows: ["", "live, "].flatMap((way) => [6, 14, 18, 20, 24, 30].map((lower) => `${way}${lower} dB lower`)),
      columns: [
        ...["far words", "far recognised %", "near recognised %", "other words"],
        "far stretches of 1 s without words, with a warning",
      ].map((key) => ({
        ...{ header: key, key, of: suffixed(", second half") },
      })),
    },
    {
      title: "A voice without words where there is none",
      text: "Recordings with a warning of a voice without words, the half for reporting: clean ones, and 8 s of each sound at three levels between two sentences. Meetings have quiet voices.",
      ...{ results: "wordless-voice", command: bench("wordless-voice") },
      rows: ["recorded, ", "live, "].flatMap((way) =>
        ["clean recordings", "meetings", "music", "noise", "telephone tones", "breathing", "laughter"].map(
          (kind) => `${way}${kind}`,
        ),
      ),
      columns: ["recordings", "with a warning"].map((key) => ({
        ...{ header: key, key, of: suffixed(", reported half") },
      })),
    },
  ],
};
