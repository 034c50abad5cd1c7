// Figures of live sessions: delays, turns, languages, logs.
import { bench, type FigureTopic, plain, prefixed } from "./topic.ts";

export const LIVE: FigureTopic = {
  title: "Live sessions",
  tables: [
    {
      title: "Delay, by the number of sessions",
      text: "Clients that began at once and were admitted (the others: 503); finals after the endpointing silence, words in partials, the share of the words shown that changed later, and processor time of the service process.",
      ...{ results: "live-loads", command: bench("live loads") },
      rows: ["1 session", "4 sessions", "8 sessions", "16 sessions", "32 sessions"],
      columns: plain(
        "admitted",
        "final median ms",
        "final P95 ms",
        "word median ms",
        "word P95 ms",
        "changed %",
        "service % of a core, each session",
      ),
    },
    {
      title: "Other wires beside our own protocol",
      text: "The same recordings by both in turns; a session of our own protocol has the request that the wire makes. Processor time of the service process for a second of audio, % of a core, and delays at the client. OpenAI's Realtime interface has no partials, and the platforms of telephony read no transcripts.",
      ...{ results: "live-wires", command: bench("live --wire all --sessions 4 --seconds 20 --rounds 1") },
      rows: ["openai-realtime", "deepgram", "deepgram-flux", "assemblyai", "twilio", "telnyx", "plivo"].map(
        (name) => [`${name}, 4 sessions`, name] as const,
      ),
      columns: plain(
        "service % of a core, each session",
        "own protocol %",
        "of own %",
        "final median ms",
        "own final median ms",
        "word median ms",
        "own word median ms",
      ),
    },
    {
      title: "Word errors, by `endpointing`",
      text: "504 words.",
      ...{ results: "live-rates", command: bench("live rates") },
      rows: [
        ["endpointing 0.05 s", "0.05 s"],
        ["endpointing 0.3 s", "0.3 s"],
        ["endpointing 0.8 s", "0.8 s"],
      ],
      columns: plain("WER %"),
    },
    {
      title: "Turns that end without silence",
      text: "Final after the last audio.",
      ...{ results: "live-turns", command: bench("live turns") },
      rows: ["1 session", "1 session, comfort noise", "8 sessions"],
      columns: plain("final median ms", "final P95 ms", "turns", "without a final"),
    },
    {
      title: "`turn_detection`",
      text: "Turns of the half for reporting ([which half is blind to what](decisions/2026-11-27-turns.md)): ended too early, and end after the last word without the recognition of the final.",
      ...{ results: "turns", command: bench("turns") },
      rows: [
        ["judged, 0.85", "judged (0.85)"],
        ["silence of 0.3 s", "silence of 0.3 s"],
        ["silence of 0.8 s", "silence of 0.8 s"],
        ["Smart Turn alone", "Smart Turn alone"],
      ],
      columns: ["turns", "cut off %", "end median ms", "end P95 ms"].map((key) => ({
        ...{ header: key, key, of: prefixed("all, reported half: ") },
      })),
    },
    {
      title: "Changes of language",
      text: "Sessions without a language, Whisper base, 30 changes between six languages.",
      ...{ results: "language-changes", command: bench("language-changes"), rows: ["changes of language"] },
      columns: plain("changes", "more than one wrong utterance", "most wrong", "without words"),
    },
    {
      title: "One language",
      text: "Utterances in another language in sessions in English.",
      ...{ results: "language-changes", command: bench("language-changes"), rows: ["sessions in English"] },
      columns: plain("sessions", "utterances", "in another language"),
    },
    {
      title: "Words without speech, live",
      text: "Words invented on two minutes of each.",
      ...{ results: "live-conditions", command: bench("live-conditions --minutes 2") },
      rows: [
        ["words on silence", "silence"],
        ["words on white noise", "white noise"],
        ["words on kitchen noise", "kitchen noise"],
        ["words on music", "music"],
      ],
      columns: plain("words an hour"),
    },
    {
      title: "Beside other work",
      text: "Lists are queried and an hour's result is fetched beside four live sessions.",
      ...{ results: "live-conditions", command: bench("live-conditions") },
      rows: [
        ["event loop, 99.9th percentile", "event loop of the service, 99.9th percentile"],
        "add-on messages after their final, 4 sessions",
        "acknowledgment, PARLANCE_FSYNC=never",
        "acknowledgment, PARLANCE_FSYNC=always",
      ],
      columns: plain("ms", "P95 ms"),
    },
    {
      title: "The recogniser's work",
      text: "For a second of live speech on an idle machine.",
      ...{ results: "live-conditions", command: bench("live-conditions") },
      rows: [
        ["recogniser's work, finals only", "finals only"],
        ["recogniser's work, with partials", "with partials"],
      ],
      columns: plain("ms a second of speech"),
    },
    {
      title: "Logs of sessions in NATS",
      text: "A chunk stored, on one server and on three with three replicas, all on the same two cores.",
      ...{
        results: "session-logs",
        command: bench("session-logs"),
        rows: ["1 sessions", "16 sessions", "128 sessions"],
      },
      columns: [
        { header: "one server, median ms", key: "ms median", of: prefixed("one server, ") },
        { header: "chunks a second", key: "chunks a second", of: prefixed("one server, ") },
        { header: "three servers, median ms", key: "ms median", of: prefixed("three servers, ") },
        { header: "chunks a second", key: "chunks a second", of: prefixed("three servers, ") },
      ],
    },
    {
      title: "… read back",
      text: "By the machine that takes a session over.",
      ...{ results: "session-logs", command: bench("session-logs") },
      rows: [["an hour in chunks of 20 ms read back", "an hour in chunks of 20 ms"]],
      columns: plain("seconds"),
    },
    {
      title: "Compressed streams",
      text: "Processor time of decoding 350 s of speech in one channel, and the bytes of the 16-bit samples.",
      ...{ results: "compressed-streams", command: bench("compressed-streams") },
      rows: [
        ["opus", "`opus`"],
        ["ogg/opus", "`ogg/opus`"],
        ["webm/opus", "`webm/opus`"],
        ["aac", "`aac`"],
        ["mp3", "`mp3`"],
      ],
      columns: plain("kbit/s", "times real time", "ms a second", "s an hour", "samples, times the bytes"),
    },
    {
      title: "… their process",
      text: "Proportional set size while it decodes one stream.",
      ...{ results: "compressed-streams", command: bench("compressed-streams"), rows: ["the decoder process"] },
      columns: plain("MB"),
    },
  ],
};
