// Figures of speakers, recorded and live, and of their names.
import { bench, type FigureTopic, plain } from "./topic.ts";

export const SPEAKERS: FigureTopic = {
  title: "Speakers",
  tables: [
    {
      title: "Diarization of recordings",
      text: "Error of turns on ten meeting excerpts, collar 0.25 s; the constants were chosen on these excerpts.",
      ...{ results: "speakers", command: bench("speakers") },
      rows: [
        ["10 meetings, number of speakers given, turns", "number of speakers given"],
        ["10 meetings, number of speakers not given, turns", "not given"],
        ["… live, turns after corrections", "live, after corrections"],
        ["… live, turns two seconds behind", "live, two seconds after the speech"],
      ],
      columns: plain("error %", "missed %", "invented %", "confused %", "even ones %", "odd ones %"),
    },
    {
      title: "… without a collar, and of utterances",
      text: "Utterances have one speaker at a time. pyannote.metrics measures 12.6 % with the collar and 23.6 % without.",
      ...{ results: "speakers", command: bench("speakers") },
      rows: [
        ["… the same without a collar", "turns without a collar"],
        ["… utterances", "utterances"],
        ["two-speakers-en.flac, words with the wrong speaker", "words in a dialogue of three voices"],
      ],
      columns: plain("error %", "missed %", "invented %", "confused %"),
    },
    {
      title: "Cost of the live diarizer",
      text: "One session, with other work on the machine.",
      ...{ results: "speakers", command: bench("speakers"), rows: [["… live, cost of one session", "one session"]] },
      columns: plain("percent of a core"),
    },
    {
      title: "Speakers of words",
      text: "Words of single speech with the right speaker, and overlapped words with one of those who talk.",
      ...{ results: "speakers", command: bench("speakers") },
      rows: [
        ["… words", "recorded"],
        ["… live, words with the final", "live, with the final"],
        ["… live, words after corrections", "live, after corrections"],
      ],
      columns: plain("single speech, right speaker %", "overlapped, one of the speakers %", "words"),
    },
    {
      title: "Names",
      text: "Turns of more than 2 s: of people enrolled from 10 s of another recording, named rightly, and of anybody else, without a name.",
      ...{ results: "voices", command: bench("voices") },
      rows: [
        ["single turns, other people, threshold 0.4", "single turns, people not used for the constants"],
        ["conversations, other people", "composed conversations, people not used for the constants"],
        ["meetings, known from another", "meetings"],
      ],
      columns: plain("own named %", "own turns", "others unnamed %", "others' turns"),
    },
    {
      title: "Long recordings",
      text: "Clustering of eight people, for a minute of the recording.",
      ...{ results: "long-speakers", command: bench("long-speakers --minutes 0") },
      rows: ["clustering of 45 minutes", "clustering of 90 minutes", "clustering of 180 minutes"],
      columns: plain("ms a minute", "MB more"),
    },
    {
      title: "Speed and memory with speakers",
      text: "On a virtual machine whose speed changes (goals: 45 audio seconds a second, 2,000 MB).",
      ...{ results: "long-speakers", command: bench("long-speakers") },
      rows: [
        "10 minutes without speakers",
        "10 minutes of 8 people, with speakers",
        "180 minutes of 8 people, with speakers",
      ],
      columns: plain("audio s/s", "peak MB, all processes"),
    },
  ],
};
