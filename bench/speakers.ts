// Diarization, through the same stages as a job: diarization error rate of the utterances of meetings, words with the
// wrong speaker in a dialogue, and conversations composed of recordings of one person each (which the projection was
// trained on: they show whether voices are merged or split, not how well unknown speakers are distinguished).

import { loadMoonshineEmbedder } from "../src/engines/moonshine/voices.ts";
import { diarize, speakerHints } from "../src/speakers/diarize.ts";
import { wordPairs } from "../test/fixtures/word-error-rate.ts";
import { withModel } from "./conditions.ts";
import { bestPairing, type DiarizationErrors, diarizationErrors, type SpeakerSpan } from "./diarization-error.ts";
import { loadRecordings, type Recording, random, SAMPLE_RATE } from "./recordings.ts";
import { printResults, type Result, rounded, saveResults } from "./table.ts";

const MODEL = "moonshine-base-en";
const GOALS = { given: 32, free: 37, dialogue: 5 };

const meetings = await loadRecordings(({ speakers }) => speakers !== undefined);
const dialogues = await loadRecordings(({ word_speakers }) => word_speakers !== undefined);
/** All audiobooks have one reader: only one of them is used. */
const isDistinctVoice = ({ file }: { file: string }) =>
  !file.startsWith("audiobook") || file.startsWith("audiobook-0870");
const alone = await loadRecordings(
  (one) => one.speakers === undefined && one.word_speakers === undefined && isDistinctVoice(one),
);

interface Conversation {
  samples: Float32Array;
  turns: SpeakerSpan[];
  people: number;
}

/** Turns of one to five seconds, cut anywhere, of alternating speakers. */
function conversation(people: number, turnCount: number, next: () => number): Conversation {
  const pick = <T>(list: T[]) => list[Math.floor(next() * list.length)] as T;
  const cast: Recording[] = [];
  while (cast.length < people) {
    const person = pick(alone);
    if (!cast.includes(person) && person.samples.length > 6 * SAMPLE_RATE) cast.push(person);
  }
  const parts: Float32Array[] = [];
  const turns: SpeakerSpan[] = [];
  let at = 0;
  let last = -1;
  for (let turn = 0; turn < turnCount; turn++) {
    const speaker = people === 1 ? 0 : (last + 1 + Math.floor(next() * (people - 1))) % people;
    last = speaker;
    const { samples } = cast[speaker] as Recording;
    const length = Math.round((1 + 4 * next()) * SAMPLE_RATE);
    const start = Math.floor(next() * (samples.length - length));
    parts.push(samples.subarray(start, start + length), new Float32Array(0.2 * SAMPLE_RATE));
    turns.push({ start: at / SAMPLE_RATE, end: (at + length) / SAMPLE_RATE, speaker });
    at += length + 0.2 * SAMPLE_RATE;
  }
  const samples = new Float32Array(at);
  let offset = 0;
  for (const part of parts) {
    samples.set(part, offset);
    offset += part.length;
  }
  return { samples, turns, people };
}

interface Found {
  utterances: SpeakerSpan[];
  words: (SpeakerSpan & { word: string })[];
}

/** Processor time, milliseconds a second of speech: the embedder, then the clustering of ten minutes. */
async function cost(samples: Float32Array): Promise<Result> {
  const embedder = await loadMoonshineEmbedder();
  const seconds = Math.floor(samples.length / SAMPLE_RATE);
  const request = { samples, samplesStart: 0, from: 0, to: seconds, words: [{ start: 0, end: seconds }] };
  await embedder.embed(request);
  const started = performance.now();
  const { times, rows } = await embedder.embed(request);
  const embedded = performance.now();
  const copies = Math.ceil(600 / seconds);
  const many = new Float32Array(copies * rows.length);
  for (let copy = 0; copy < copies; copy++) many.set(rows, copy * rows.length);
  diarize({ times: new Float32Array(copies * times.length), rows: many }, embedder.space, speakerHints({}));
  const clustered = performance.now();
  await embedder.close();
  return {
    name: "work, milliseconds a second of speech",
    values: {
      embedding: rounded((embedded - started) / seconds, 1),
      clustering: rounded((clustered - embedded) / (copies * seconds), 1),
    },
  };
}

const peopleIn = (spans: SpeakerSpan[]) => new Set(spans.map(({ speaker }) => speaker)).size;
const percent = (part: number, whole: number) => rounded((100 * part) / whole, 1);
const results: Result[] = [];

await withModel(MODEL, async (transcribe) => {
  async function find(samples: Float32Array, numberOfSpeakers?: number): Promise<Found> {
    const config = numberOfSpeakers ? { diarization_config: { number_of_speakers: numberOfSpeakers } } : {};
    const { transcription } = await transcribe(samples, { diarization: true, ...config });
    const utterances = transcription.utterances.map(({ start, end, speaker = -1 }) => ({ start, end, speaker }));
    const words = transcription.utterances.flatMap(({ words, speaker = -1 }) =>
      words.map(({ word, start, end }) => ({ word, start, end, speaker })),
    );
    return { utterances, words };
  }

  for (const isGiven of [true, false]) {
    const sum: DiarizationErrors = { missed: 0, invented: 0, confused: 0, speech: 0 };
    let countErrors = 0;
    for (const { file, samples, speakers = [] } of meetings) {
      const { utterances } = await find(samples, isGiven ? peopleIn(speakers) : undefined);
      const errors = diarizationErrors(speakers, utterances, samples.length / SAMPLE_RATE);
      for (const name of ["missed", "invented", "confused", "speech"] as const) sum[name] += errors[name];
      countErrors += Math.abs(peopleIn(utterances) - peopleIn(speakers));
      const rate = percent(errors.missed + errors.invented + errors.confused, errors.speech);
      process.stderr.write(`${file}  ${rate} %  ${peopleIn(utterances)} of ${peopleIn(speakers)} speakers\n`);
    }
    const rate = percent(sum.missed + sum.invented + sum.confused, sum.speech);
    const goal = isGiven ? GOALS.given : GOALS.free;
    results.push({
      name: `${meetings.length} meetings, number of speakers ${isGiven ? "given" : "not given"}`,
      values: {
        "error %": rate,
        "missed %": percent(sum.missed, sum.speech),
        "invented %": percent(sum.invented, sum.speech),
        "confused %": percent(sum.confused, sum.speech),
        "speakers off": rounded(countErrors / meetings.length, 1),
      },
      isMet: rate <= goal,
      goal: `at most ${goal} %`,
    });
  }

  for (const { file, samples, transcript = "", word_speakers = [] } of dialogues) {
    const { words } = await find(samples);
    const pairs = wordPairs(
      transcript.split(" "),
      words.map(({ word }) => word),
    );
    const rows = [...new Set(word_speakers)];
    const columns = [...new Set(words.map(({ speaker }) => speaker))];
    const together = rows.map((row) =>
      columns.map(
        (column) =>
          pairs.filter(([left, right]) => word_speakers[left] === row && words[right]?.speaker === column).length,
      ),
    );
    const wrong = percent(pairs.length - bestPairing(together), pairs.length);
    results.push({
      name: `${file}, words with the wrong speaker`,
      values: { "error %": wrong, "speakers off": Math.abs(columns.length - rows.length) },
      isMet: wrong <= GOALS.dialogue,
      goal: `at most ${GOALS.dialogue} %`,
    });
  }

  const next = random(5);
  const made = [1, 2, 2, 3, 3, 4, 5].map((people) => conversation(people, 12, next));
  made.push(conversation(4, 80, next));
  for (const isGiven of [true, false]) {
    let wrong = 0;
    let words = 0;
    let off = 0;
    for (const { samples, turns, people } of made) {
      const found = await find(samples, isGiven ? people : undefined);
      const columns = [...new Set(found.words.map(({ speaker }) => speaker))];
      const together = Array.from({ length: people }, () => columns.map(() => 0));
      for (const { start, end, speaker } of found.words) {
        const turn = turns.find((one) => (start + end) / 2 >= one.start && (start + end) / 2 < one.end + 0.2);
        const row = together[Number(turn?.speaker ?? 0)] as number[];
        const column = columns.indexOf(speaker);
        row[column] = (row[column] ?? 0) + 1;
      }
      wrong += found.words.length - bestPairing(together);
      words += found.words.length;
      off += Math.abs(columns.length - people);
      process.stderr.write(`conversation of ${people}, ${turns.length} turns: ${columns.length} speakers\n`);
    }
    results.push({
      name: `${made.length} made conversations, number of speakers ${isGiven ? "given" : "not given"}`,
      values: { "error %": percent(wrong, words), "speakers off": rounded(off / made.length, 1) },
    });
  }
});

results.push(await cost(meetings[0]?.samples ?? new Float32Array(SAMPLE_RATE)));

printResults("Speakers", results);
saveResults("speakers", results);
