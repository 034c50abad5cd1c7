// Diarization, through the same stages as a job: diarization error rate of the speaker turns and of the utterances of meetings, words with
// the wrong speaker in a dialogue, and conversations composed of recordings of one person each (which the encoder's projection was trained
// on: they show whether voices are merged or split, not how well unknown speakers are distinguished). With the speaker model of
// ../shared/models, or, with --encoder, without one. If Python has pyannote.metrics (PYTHON names it), it computes the same errors.

import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { SPEAKER_MODEL } from "../src/service/models/catalogue.ts";
import { ModelStore } from "../src/service/models/store.ts";
import { loadMoonshineEmbedder } from "../src/speech/engines/moonshine/voices.ts";
import { diarize, speakerHints } from "../src/speech/speakers/diarize.ts";
import { wordPairs } from "../test/fixtures/word-error-rate.ts";
import { withModel } from "./conditions.ts";
import { bestPairing, type DiarizationErrors, diarizationErrors, type SpeakerSpan } from "./diarization-error.ts";
import { liveSpeakers } from "./live-speakers.ts";
import { pyannoteErrors } from "./pyannote-metrics.ts";
import { loadRecordings, type Recording, random, SAMPLE_RATE } from "./recordings.ts";
import { installSpeakerModel } from "./speaker-model.ts";
import { printResults, type Result, rounded, saveResults } from "./table.ts";

const MODEL = "moonshine-base-en";
const isByEncoder = process.argv.includes("--encoder");
/** Percent; of the encoder, of its utterances. */
const GOALS = isByEncoder ? { given: 32, free: 37, dialogue: 5 } : { given: 16, free: 14, dialogue: 5 };
const models = mkdtempSync(path.join(os.tmpdir(), "parlance-bench-speakers-"));
if (!isByEncoder) await installSpeakerModel(models);

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
  /** Of the speaker model, with overlaps; the utterances' without one. */
  turns: SpeakerSpan[];
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
/** Words while one person talks, and their speakers: how many are right under the best pairing; and the same while several talk. */
function overlapWords(references: SpeakerSpan[][], found: Found[]): Result["values"] {
  const counts = { single: { right: 0, all: 0 }, overlapped: { right: 0, all: 0 } };
  for (const [at, reference] of references.entries()) {
    const { words } = found[at] as Found;
    const columns = [...new Set(words.map(({ speaker }) => speaker))];
    const people = [...new Set(reference.map(({ speaker }) => speaker))];
    const talking = words.map(({ start, end }) => {
      const middle = (start + end) / 2;
      return [
        ...new Set(reference.filter((turn) => middle >= turn.start && middle < turn.end).map((turn) => turn.speaker)),
      ];
    });
    const together = people.map((person) =>
      columns.map(
        (column) => words.filter((word, index) => word.speaker === column && talking[index]?.includes(person)).length,
      ),
    );
    // The pairing that most words agree with.
    const pairs = new Map<string | number, string | number>();
    const best = bestPairing(together);
    let left = best;
    const rest = people.map((_, row) => together[row] as number[]);
    for (const [row, person] of people.entries()) {
      for (const [column, speaker] of columns.entries()) {
        if (pairs.has(speaker)) continue;
        const others = rest
          .slice(row + 1)
          .map((values) => values.filter((_, one) => one !== column && !pairs.has(columns[one] as string | number)));
        if ((together[row]?.[column] ?? 0) + bestPairing(others) !== left) continue;
        pairs.set(speaker, person);
        left = bestPairing(others);
        break;
      }
    }
    for (const [index, { speaker }] of words.entries()) {
      const present = talking[index] ?? [];
      if (present.length === 0) continue;
      const kind = present.length === 1 ? counts.single : counts.overlapped;
      kind.all++;
      const person = pairs.get(speaker);
      if (person !== undefined && present.includes(person)) kind.right++;
    }
  }
  return {
    "single speech, right speaker %": percent(counts.single.right, counts.single.all),
    "overlapped, one of the speakers %": percent(counts.overlapped.right, counts.overlapped.all),
    words: counts.single.all + counts.overlapped.all,
  };
}

const percent = (part: number, whole: number) => rounded((100 * part) / whole, 1);
const results: Result[] = [];

await withModel(
  MODEL,
  async (transcribe) => {
    async function find(samples: Float32Array, numberOfSpeakers?: number): Promise<Found> {
      const config = numberOfSpeakers ? { diarization_config: { number_of_speakers: numberOfSpeakers } } : {};
      const { transcription } = await transcribe(samples, { diarization: true, ...config });
      const utterances = transcription.utterances.map(({ start, end, speaker = -1 }) => ({ start, end, speaker }));
      const words = transcription.utterances.flatMap(({ words, speaker = -1 }) =>
        words.map(({ word, start, end }) => ({ word, start, end, speaker })),
      );
      return { turns: transcription.speaker_turns ?? utterances, utterances, words };
    }

    const NAMES = ["missed", "invented", "confused", "speech"] as const;
    const none = (): DiarizationErrors => ({ missed: 0, invented: 0, confused: 0, speech: 0 });
    const rateOf = ({ missed, invented, confused, speech }: DiarizationErrors) =>
      percent(missed + invented + confused, speech);
    const partsOf = (errors: DiarizationErrors) => ({
      "missed %": percent(errors.missed, errors.speech),
      "invented %": percent(errors.invented, errors.speech),
      "confused %": percent(errors.confused, errors.speech),
    });

    const references = meetings.map(({ speakers = [] }) => speakers);
    for (const isGiven of [true, false]) {
      const started = performance.now();
      const found: Found[] = [];
      for (const { samples, speakers = [] } of meetings) {
        found.push(await find(samples, isGiven ? peopleIn(speakers) : undefined));
      }
      const seconds = meetings.reduce((sum, { samples }) => sum + samples.length / SAMPLE_RATE, 0);
      const speed = rounded((1000 * seconds) / (performance.now() - started), 0);
      /** Sum over the meetings that `isIncluded` selects. */
      const sumOf = (kind: "turns" | "utterances", collar?: number, isIncluded = (_: number) => true) => {
        const sum = none();
        for (const [at, { samples, speakers = [] }] of meetings.entries()) {
          if (!isIncluded(at)) continue;
          const own = found[at]?.[kind] ?? [];
          const errors = diarizationErrors(speakers, own, samples.length / SAMPLE_RATE, collar);
          for (const name of NAMES) sum[name] += errors[name];
        }
        return sum;
      };
      for (const [at, { file }] of meetings.entries()) {
        const rate = rateOf(sumOf("turns", undefined, (other) => other === at));
        const people = `${peopleIn(found[at]?.turns ?? [])} of ${peopleIn(references[at] ?? [])} speakers`;
        process.stderr.write(`${file}  ${rate} %  ${people}\n`);
      }
      const goal = isGiven ? GOALS.given : GOALS.free;
      const number = `number of speakers ${isGiven ? "given" : "not given"}`;
      const turns = sumOf("turns");
      const off = found.map(({ turns: own }, at) => Math.abs(peopleIn(own) - peopleIn(references[at] ?? [])));
      const speakersOff = rounded(off.reduce((sum, one) => sum + one, 0) / meetings.length, 1);
      const even = (at: number) => at % 2 === 0;
      results.push({
        name: `${meetings.length} meetings, ${number}, turns`,
        values: {
          "error %": rateOf(turns),
          ...partsOf(turns),
          "even ones %": rateOf(sumOf("turns", undefined, even)),
          "odd ones %": rateOf(sumOf("turns", undefined, (at) => !even(at))),
          "speakers off": speakersOff,
          "audio seconds a second": speed,
        },
        isMet: rateOf(turns) <= goal,
        goal: `at most ${goal} %`,
      });
      const strict = sumOf("turns", 0);
      results.push({ name: "… the same without a collar", values: { "error %": rateOf(strict), ...partsOf(strict) } });
      const spoken = sumOf("utterances");
      results.push({ name: "… utterances", values: { "error %": rateOf(spoken), ...partsOf(spoken) } });
      const theirs = await pyannoteErrors(
        references,
        found.map(({ turns: own }) => own),
      );
      if (theirs) results.push({ name: "… turns, by pyannote.metrics", values: theirs });
      else
        process.stderr.write(
          "pyannote.metrics is not installed (PYTHON names the interpreter): its errors are left out\n",
        );
      if (isByEncoder) continue;
      results.push({ name: "… words", values: overlapWords(references, found) });
      if (isGiven) continue;
      const folder = (await new ModelStore(models).findSpeakerModel(SPEAKER_MODEL))?.folder ?? "";
      const live = await liveSpeakers(
        folder,
        meetings.map(({ samples }, at) => ({ samples, words: found[at]?.words ?? [] })),
      );
      const recordedRate = rateOf(turns);
      for (const [name, ownTurns] of [
        ["two seconds behind", live.early],
        ["after corrections", live.corrected],
      ] as const) {
        for (const [at, own] of ownTurns.entries()) (found[at] as Found).turns = own;
        const errors = sumOf("turns");
        const goal = "at most 3 points more than recorded";
        results.push({
          name: `… live, turns ${name}`,
          values: {
            "error %": rateOf(errors),
            "more than recorded": rounded(rateOf(errors) - recordedRate, 1),
            ...partsOf(errors),
            "even ones %": rateOf(sumOf("turns", undefined, even)),
            "odd ones %": rateOf(sumOf("turns", undefined, (at) => !even(at))),
            "without a collar %": rateOf(sumOf("turns", 0)),
          },
          ...(name === "after corrections" ? { isMet: rateOf(errors) - recordedRate <= 3, goal } : {}),
        });
      }
      for (const [name, ownWords] of [
        ["with the final", live.wordsWithFinal],
        ["after corrections", live.wordsCorrected],
      ] as const) {
        for (const [at, own] of ownWords.entries()) (found[at] as Found).words = own;
        results.push({ name: `… live, words ${name}`, values: overlapWords(references, found) });
      }
      results.push({
        name: "… live, cost of one session",
        values: { "percent of a core": rounded(live.corePercent, 1) },
        isMet: live.corePercent <= 15,
        goal: "at most 15 %",
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
  },
  models,
);

rmSync(models, { recursive: true, force: true });
results.push(await cost(meetings[0]?.samples ?? new Float32Array(SAMPLE_RATE)));

printResults("Speakers", results);
saveResults(isByEncoder ? "speakers-encoder" : "speakers", results);
