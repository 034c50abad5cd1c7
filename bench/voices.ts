// Names of speakers: people enrolled from 10 s of one recording, named in others. First single turns against voices (which shows where the
// threshold belongs), then whole conversations through the stages of a job. People are in two halves: the constants of
// src/speech/speakers/known-voices.ts were chosen on the first one. Last, recordings that an enrolment must refuse.
// Needs ../shared with its recordings and its speaker model.
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import pino from "pino";
import type { RequestedPerson } from "../src/contract/job-parameters.ts";
import { childEnvironment } from "../src/platform/config/load.ts";
import { RecognitionPool } from "../src/service/inference/pool.ts";
import { SPEAKER_MODEL } from "../src/service/models/catalogue.ts";
import { extractVoice } from "../src/service/voices/extract-voice.ts";
import { withModel } from "./conditions.ts";
import { alone, loadRecordings, loadSounds, random, SAMPLE_RATE } from "./recordings.ts";
import { installSpeakerModel } from "./speaker-model.ts";
import { printResults, type Result, rounded, saveResults } from "./table.ts";

const MODEL = "moonshine-base-en";
const ENROLMENT_SECONDS = 10;
/** A member of a meeting may have less alone. */
const LEAST_SECONDS = 6;
const LEAST_TURN_SECONDS = 2;
/** Of a turn; with less, the turn counts as missed by the diarization. */
const LEAST_FOUND_SECONDS = 0.5;
/** Percent of the turns. */
const GOALS = { own: 95, others: 99 };
/** Of the speaker's own sound in a recording, which may be cut from a meeting. */
interface Person {
  name: string;
  recordings: Float32Array[];
}

const models = mkdtempSync(path.join(os.tmpdir(), "parlance-bench-voices-"));
const store = await installSpeakerModel(models);
const pool = new RecognitionPool({
  workers: 1,
  models: store,
  queueLimit: 1_000,
  taskTimeoutSeconds: 120,
  memoryLimitBytes: 4e9,
  environment: childEnvironment(models),
  logger: pino({ level: "silent" }),
});
await pool.start();
const options = { priority: "recorded" as const };

function joined(parts: readonly Float32Array[], pauseSeconds = 0.2): Float32Array {
  const pause = Math.round(pauseSeconds * SAMPLE_RATE);
  const all = new Float32Array(parts.reduce((sum, { length }) => sum + length + pause, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length + pause;
  }
  return all;
}

const all = await loadRecordings(() => true, "all languages");
const named = (prefix: string) => all.filter(({ file }) => file.startsWith(prefix)).map(({ samples }) => samples);
const meetings = all.filter(({ speakers }) => speakers !== undefined);
function inMeetings(person: string | number): Person {
  const recordings = meetings.map((one) => joined(alone(one, person))).filter(({ length }) => length > SAMPLE_RATE);
  return { name: String(person), recordings };
}
const people = [...new Set(meetings.flatMap(({ speakers = [] }) => speakers.map(({ speaker }) => speaker)))].map(
  inMeetings,
);
/** Short recordings, joined to ones of 10 s or more; of four groups at most, and the rest as they are. */
function grouped(recordings: readonly Float32Array[]): Float32Array[] {
  const groups: Float32Array[] = [];
  let parts: Float32Array[] = [];
  for (const samples of recordings) {
    parts.push(samples);
    if (groups.length === 4 || joined(parts).length < ENROLMENT_SECONDS * SAMPLE_RATE) continue;
    groups.push(joined(parts));
    parts = [];
  }
  return [...groups, ...parts];
}
const readings = named("reading");
const returning: Person[] = [
  { name: "audiobook", recordings: grouped(named("audiobook")) },
  { name: "reading", recordings: grouped(readings) },
  { name: "sentence", recordings: grouped(named("sentence")) },
  ...people.filter(({ recordings }) => recordings.length > 1),
];
const single: Person[] = [
  ...people.filter(({ recordings }) => recordings.length === 1),
  ...all
    .filter(({ file }) => file.startsWith("order"))
    .map(({ file, samples }) => ({ name: file, recordings: [samples] })),
];
/** In every library, and in no conversation. */
const absent: Person[] = all
  .filter(({ file }) => file.startsWith("speech"))
  .map(({ file, samples }) => ({ name: file, recordings: [samples] }));
const halfOf = <Item>(items: readonly Item[], odd: number) => items.filter((_, at) => at % 2 === odd);
const percent = (part: number, whole: number) => rounded((100 * part) / Math.max(1, whole), 1);

/** Turns of 2 to 4 s, cut one after another. */
function turnsOf(samples: Float32Array, next: () => number): Float32Array[] {
  const turns: Float32Array[] = [];
  for (let at = 0; ; ) {
    const length = Math.round((LEAST_TURN_SECONDS + 2 * next()) * SAMPLE_RATE);
    if (at + length > samples.length) return turns;
    turns.push(samples.slice(at, at + length));
    at += length;
  }
}

async function printsOf(stretches: readonly Float32Array[]): Promise<Float32Array[]> {
  const found: Float32Array[] = [];
  for (let at = 0; at < stretches.length; at += 10) {
    const { voices, dimensions } = await pool.voices(
      SPEAKER_MODEL,
      { stretches: stretches.slice(at, at + 10) },
      options,
    );
    for (let row = 0; row < voices.length / dimensions; row++) {
      found.push(voices.slice(row * dimensions, (row + 1) * dimensions));
    }
  }
  return found;
}

interface Enrolled {
  person: Person;
  /** Recordings other than that of the enrolment. */
  others: Float32Array[];
  known: RequestedPerson;
}

/** Each recording with 10 s of a returning person enrols that person, in turn. */
async function enrolments({ name, recordings }: Person): Promise<Enrolled[]> {
  const found: Enrolled[] = [];
  for (const [at, samples] of recordings.entries()) {
    if (samples.length < LEAST_SECONDS * SAMPLE_RATE || found.length === 4) continue;
    const cut = samples.slice(0, ENROLMENT_SECONDS * SAMPLE_RATE);
    try {
      const { print, seconds } = await extractVoice(cut, SPEAKER_MODEL, pool, options);
      const others = recordings.filter((_, other) => other !== at);
      found.push({ person: { name, recordings }, others, known: { name, print: [...print], seconds } });
    } catch (error) {
      process.stderr.write(`${name}, recording ${at}: ${(error as Error).message}\n`);
    }
  }
  return found;
}

const results: Result[] = [];
const dot = (left: ArrayLike<number>, right: ArrayLike<number>) => {
  let sum = 0;
  for (let at = 0; at < left.length; at++) sum += (left[at] as number) * (right[at] as number);
  return sum;
};

const enrolled: Enrolled[][] = [[], []];
for (const half of [0, 1])
  for (const person of halfOf(returning, half)) enrolled[half]?.push(...(await enrolments(person)));

const absentVoices: RequestedPerson[] = [];
for (const person of absent) for (const { known } of await enrolments(person)) absentVoices.push(known);

// Single turns against one known voice.
for (const half of [0, 1]) {
  const own: number[] = [];
  const foreign: number[] = [];
  const next = random(5);
  const turns = [...halfOf(single, half), ...halfOf(returning, half), ...halfOf(absent, half)].flatMap(
    ({ name, recordings }) =>
      recordings.slice(0, 4).flatMap((samples) => turnsOf(samples, next).map((turn) => ({ name, turn }))),
  );
  const others = await printsOf(turns.map(({ turn }) => turn));
  for (const { person, others: recordings, known } of enrolled[half] ?? []) {
    for (const print of await printsOf(recordings.flatMap((samples) => turnsOf(samples, next)))) {
      own.push(dot(print, known.print));
    }
    for (const [at, print] of others.entries())
      if (turns[at]?.name !== person.name) foreign.push(dot(print, known.print));
  }
  const name = half === 0 ? "people of the constants" : "other people";
  for (const threshold of [0.3, 0.35, 0.4, 0.45, 0.5, 0.55]) {
    results.push({
      name: `single turns, ${name}, threshold ${threshold}`,
      values: {
        "own named %": percent(own.filter((value) => value >= threshold).length, own.length),
        "others unnamed %": percent(foreign.filter((value) => value < threshold).length, foreign.length),
        "own turns": own.length,
        "others' turns": foreign.length,
      },
    });
  }
}

interface Turn {
  start: number;
  end: number;
  /** Undefined for a person whom the library does not have. */
  name: string | undefined;
}

/** Turns of the enrolled person and of three others, in turn. */
function conversation({ person, others }: Enrolled, strangers: readonly Person[], next: () => number) {
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(next() * items.length)] as Item;
  const cast = Array.from({ length: 3 }, () => pick(strangers));
  const parts: Float32Array[] = [];
  const turns: Turn[] = [];
  let at = 0;
  for (let turn = 0; turn < 20; turn++) {
    const isOwn = turn % 2 === 0;
    const long = (samples: Float32Array) => samples.length > 2.2 * SAMPLE_RATE;
    const recordings = (isOwn ? others : pick(cast).recordings).filter(long);
    if (recordings.length === 0) continue;
    const samples = pick(recordings);
    const length = Math.min(samples.length, Math.round((2.2 + 3 * next()) * SAMPLE_RATE));
    const from = Math.floor(next() * (samples.length - length));
    parts.push(samples.slice(from, from + length));
    turns.push({
      start: at / SAMPLE_RATE,
      end: (at + length) / SAMPLE_RATE,
      name: isOwn ? person.name : undefined,
    });
    at += length + Math.round(0.2 * SAMPLE_RATE);
  }
  return { samples: joined(parts), turns };
}

const audio: { half: number; samples: Float32Array; turns: Turn[]; known: RequestedPerson[]; name: string }[] = [];
for (const half of [0, 1]) {
  const next = random(11 + half);
  const library = enrolled[half] ?? [];
  for (const one of library) {
    const known = [one.known, ...library.filter(({ person }) => person !== one.person).map((other) => other.known)];
    const people = new Map(known.map((person) => [person.name, person]));
    people.set(one.known.name, one.known);
    const { samples, turns } = conversation(one, halfOf(single, half), next);
    for (const other of halfOf(absentVoices, half)) people.set(other.name, other);
    audio.push({ half, samples, turns, known: [...people.values()], name: `conversation with ${one.person.name}` });
  }
}
// Meetings as they are: everybody enrolled from another recording.
const everybody = enrolled.flat();
for (const [at, meeting] of meetings.entries()) {
  const known = everybody.filter(({ person, others }) => {
    const own = joined(alone(meeting, person.name));
    const isElsewhere = others.some((samples) => samples.length === own.length);
    const isHere = meeting.speakers?.some(({ speaker }) => String(speaker) === person.name);
    return !isHere || isElsewhere;
  });
  const byName = new Map([...known.map((one) => one.known), ...absentVoices].map((one) => [one.name, one]));
  const speakers = meeting.speakers ?? [];
  // The parts of each turn in which no other person talks.
  const turns = speakers.flatMap((turn) => {
    let parts = [turn];
    for (const { start, end, speaker } of speakers) {
      if (speaker === turn.speaker) continue;
      parts = parts.flatMap((one) => [
        { ...one, end: Math.min(one.end, start) },
        { ...one, start: Math.max(one.start, end) },
      ]);
      parts = parts.filter((one) => one.end > one.start);
    }
    return parts.map(({ start, end, speaker }) => ({
      start,
      end,
      name: byName.has(String(speaker)) ? String(speaker) : undefined,
    }));
  });
  audio.push({ half: 2, samples: meeting.samples, turns, known: [...byName.values()], name: `meeting ${at}` });
}

const counts = Array.from({ length: 3 }, () => ({
  own: 0,
  ownRight: 0,
  wrongName: 0,
  others: 0,
  othersRight: 0,
  missed: 0,
}));
await withModel(
  MODEL,
  async (transcribe) => {
    for (const { half, samples, turns, known, name } of audio) {
      const { transcription } = await transcribe(samples, { diarization: true, known_voices: known });
      const names = new Map((transcription.speakers ?? []).map((one) => [one.speaker, one.name ?? undefined]));
      const count = counts[half] as (typeof counts)[number];
      let [right, long] = [0, 0];
      const wrong: string[] = [];
      for (const turn of turns) {
        if (turn.end - turn.start <= LEAST_TURN_SECONDS) continue;
        const seconds = new Map<string | undefined, number>();
        for (const { start, end, speaker } of transcription.speaker_turns ?? []) {
          const shared = Math.min(end, turn.end) - Math.max(start, turn.start);
          if (shared > 0) seconds.set(names.get(speaker), (seconds.get(names.get(speaker)) ?? 0) + shared);
        }
        const [[found, most] = [undefined, 0]] = [...seconds].sort((left, other) => other[1] - left[1]);
        // Sound in which no speech was found gets no name; what reaches into it is the turn before.
        if (most < LEAST_FOUND_SECONDS) {
          count.missed++;
          continue;
        }
        long++;
        if (found === turn.name) right++;
        else
          wrong.push(
            `${turn.start.toFixed(1)}-${turn.end.toFixed(1)} ${turn.name ?? "nobody"}: ${found ?? "nobody"} ${JSON.stringify([...seconds.values()].map((one) => rounded(one)))}`,
          );
        if (turn.name === undefined) {
          count.others++;
          if (found === undefined) count.othersRight++;
        } else {
          count.own++;
          if (found === turn.name) count.ownRight++;
          else if (found !== undefined) count.wrongName++;
        }
      }
      process.stderr.write(`${name}: ${right} of ${long} turns right. ${wrong.join(", ")}\n`);
    }
  },
  models,
);
for (const [half, { own, ownRight, wrongName, others, othersRight, missed }] of counts.entries()) {
  const kind = [
    "conversations, people of the constants",
    "conversations, other people",
    "meetings, known from another",
  ];
  const values = {
    "own named %": percent(ownRight, own),
    "others unnamed %": percent(othersRight, others),
    "own turns": own,
    "others' turns": others,
    "wrong name": wrongName,
    missed,
  };
  const isMet = values["own named %"] >= GOALS.own && values["others unnamed %"] >= GOALS.others;
  const goal = { isMet, goal: `${GOALS.own} % and ${GOALS.others} %` };
  results.push({ name: kind[half] as string, values, ...(half === 1 ? goal : {}) });
}

// What an enrolment must refuse, and must not.
const tone = (seconds: number) =>
  Float32Array.from({ length: seconds * SAMPLE_RATE }, (_, at) => {
    const notes = [220, 277, 330, 440].map((hertz, note) =>
      Math.sin((2 * Math.PI * hertz * 2 ** ((Math.floor(at / 8_000 + note) % 5) / 12) * at) / SAMPLE_RATE),
    );
    return 0.2 * Math.exp(-((at % 8_000) / 6_000)) * notes.reduce((sum, value) => sum + value, 0);
  });
async function outcome(samples: Float32Array): Promise<string> {
  try {
    await extractVoice(samples, SPEAKER_MODEL, pool, options);
    return "accepted";
  } catch (error) {
    return (error as Error).message.replace(/^.*?: /, "");
  }
}
const two = (left: Person, right: Person) =>
  joined(
    [left, right, left, right].map(({ recordings: [samples] }, at) =>
      (samples as Float32Array).slice(at * 32_000, at * 32_000 + 80_000),
    ),
  );
const refusals = { one: [0, 0], two: [0, 0], noise: [0, 0] };
const judge = async (kind: keyof typeof refusals, name: string, samples: Float32Array, isWanted: boolean) => {
  const found = await outcome(samples);
  const isRight = (found === "accepted") === isWanted;
  if (!isWanted) process.stderr.write(`${name}: ${found}\n`);
  refusals[kind][0] = (refusals[kind][0] as number) + (isRight ? 1 : 0);
  refusals[kind][1] = (refusals[kind][1] as number) + 1;
  if (!isRight) process.stderr.write(`enrolment of ${name}: ${found}\n`);
};
const longEnough = [...returning, ...single, ...absent].filter(
  ({ recordings: [first] }) => (first?.length ?? 0) > 10.5 * SAMPLE_RATE,
);
for (const {
  name,
  recordings: [samples],
} of longEnough.filter((one) => !one.name.startsWith("order"))) {
  await judge("one", name, (samples as Float32Array).slice(0, 10 * SAMPLE_RATE), true);
}
for (const [at, left] of longEnough.entries()) {
  const right = longEnough[(at + 1) % longEnough.length] as Person;
  await judge("two", `${left.name} and ${right.name}`, two(left, right), false);
}
for (const [at, samples] of (await loadSounds("noise")).entries()) await judge("noise", `noise ${at}`, samples, false);
await judge("noise", "music", tone(15), false);
await judge("noise", "silence", new Float32Array(15 * SAMPLE_RATE), false);
await judge("noise", "one word", (readings[0] as Float32Array).slice(0, SAMPLE_RATE), false);
for (const [kind, [right = 0, count = 0]] of Object.entries(refusals)) {
  const names = {
    one: "enrolments of 10 s of one person, accepted",
    two: "… of two people, refused",
    noise: "… of noise, music, silence, one word, refused",
  };
  results.push({ name: names[kind as keyof typeof names], values: { right, of: count } });
}
await pool.stop();
rmSync(models, { recursive: true, force: true });
printResults("Names of speakers", results);
saveResults("voices", results);
