// Triples of voices of ../shared that talk in turns of 1.5 to 5 s with pauses between them.
import { alone, loadRecordings, random, SAMPLE_RATE } from "./recordings.ts";

const TURNS = 9;
const LEAST_TURN_SECONDS = 1.5;
const MOST_TURN_SECONDS = 5;
const [LEAST_PAUSE_SECONDS, MOST_PAUSE_SECONDS] = [0.2, 0.9];

/** The first six triples are for choosing, the last six for reporting: no person is in both. */
export const TRIPLES = [
  ["audiobook", "reading", "sentence"],
  ["MEE009", "FEE078", "order-25"],
  ["speech-1961", "order-16", "reading"],
  ["order-16", "sentence", "audiobook"],
  ["order-25", "MEE009", "reading"],
  ["FEE078", "speech-1961", "sentence"],
  ["MÉO069", "FEE083", "speech-en"],
  ["order-30", "order-23", "order-39"],
  ["FEE083", "order-40", "order-30"],
  ["order-39", "MÉO069", "order-23"],
  ["speech-en", "order-40", "FEE083"],
  ["order-13", "order-30", "MÉO069"],
] as const;

const all = await loadRecordings(() => true);

/** All sound of one person, joined. */
function soundOf(person: string): Float32Array {
  const files = all.filter(({ file }) => file.startsWith(person)).map(({ samples }) => samples);
  const turns = all.flatMap((recording) => alone(recording, person));
  return joinedSounds(files.length > 0 ? files : turns);
}

function joinedSounds(parts: readonly Float32Array[]): Float32Array {
  const sound = new Float32Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    sound.set(part, at);
    at += part.length;
  }
  return sound;
}

export interface Mix {
  samples: Float32Array;
  turns: { start: number; end: number; person: number }[];
}

const QUIET_FRAME_SAMPLES = 320;
/** Share of the level of the whole below which a frame is a pause. */
const QUIET_SHARE = 0.25;
/** Longer pauses are cut to this: 0.3 s. A turn would otherwise hold hardly a word. */
const MOST_QUIET_FRAMES = 15;

const levelOf = (samples: Float32Array) =>
  Math.sqrt(samples.reduce((sum, value) => sum + value * value, 0) / samples.length);

function withoutPauses(samples: Float32Array): Float32Array {
  const least = QUIET_SHARE * levelOf(samples);
  const kept: Float32Array[] = [];
  let quiet = 0;
  for (let at = 0; at + QUIET_FRAME_SAMPLES <= samples.length; at += QUIET_FRAME_SAMPLES) {
    const frame = samples.subarray(at, at + QUIET_FRAME_SAMPLES);
    quiet = levelOf(frame) < least ? quiet + 1 : 0;
    if (quiet <= MOST_QUIET_FRAMES) kept.push(frame);
  }
  return joinedSounds(kept);
}

/** The same level for all. */
function levelled(samples: Float32Array): Float32Array {
  const level = levelOf(samples);
  return samples.map((value) => (value * 0.05) / level);
}

export function mixOf(people: readonly string[], seed: number): Mix {
  // The first numbers of near seeds are alike.
  const next = random(1_000_003 * seed);
  for (let skipped = 0; skipped < 10; skipped++) next();
  const sounds = people.map((person) => levelled(withoutPauses(soundOf(person))));
  const used = sounds.map(() => 0);
  const parts: Float32Array[] = [new Float32Array(SAMPLE_RATE / 2)];
  const turns: Mix["turns"] = [];
  let at = SAMPLE_RATE / 2;
  let last = -1;
  for (let turn = 0; turn < TURNS; turn++) {
    // Each speaks once in the first three turns; then anybody but the last one.
    const person = turn < people.length ? turn : (last + 1 + Math.floor(next() * (people.length - 1))) % people.length;
    last = person;
    const sound = sounds[person] as Float32Array;
    const seconds = LEAST_TURN_SECONDS + next() * (MOST_TURN_SECONDS - LEAST_TURN_SECONDS);
    const length = Math.min(Math.round(seconds * SAMPLE_RATE), sound.length);
    const from = (used[person] as number) + length > sound.length ? 0 : (used[person] as number);
    used[person] = from + length;
    parts.push(sound.slice(from, from + length));
    turns.push({ start: at / SAMPLE_RATE, end: (at + length) / SAMPLE_RATE, person });
    const pause = LEAST_PAUSE_SECONDS + next() * (MOST_PAUSE_SECONDS - LEAST_PAUSE_SECONDS);
    parts.push(new Float32Array(Math.round(pause * SAMPLE_RATE)));
    at += length + Math.round(pause * SAMPLE_RATE);
  }
  return { samples: joinedSounds(parts), turns };
}
