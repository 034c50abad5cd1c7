// Growing audio: the same speakers however it is divided, after a move to another process, and within bounds. Voices are tones here: the
// networks' stand-ins find one speaker wherever there is sound, and a voice from the sign of the sound.
import { expect, test } from "vitest";
import { SAMPLE_RATE } from "../audio/sample-rate.ts";
import { LiveDiarizer } from "./live-diarizer.ts";
import { LiveVoices } from "./live-voices.ts";
import { FRAME_SAMPLES, RAISED_SHIFT, WINDOW_FRAMES } from "./speaker-networks.ts";

const DIMENSIONS = 8;
const BOUNDS = { minimum: 1, maximum: 30 };

/** The person of each second from the start; each person's samples have a level of their own, and each window has its own numbers of people. */
const audio = (people: readonly number[]) =>
  Float32Array.from({ length: people.length * SAMPLE_RATE }, (_, at) => {
    const person = people[Math.floor(at / SAMPLE_RATE)] as number;
    return person < 0 ? 0 : 0.1 * (person + 1);
  });
const personAt = (value: number | undefined) => Math.round(10 * (value ?? 0)) - 1;

const networks = {
  async segment(samples: Float32Array) {
    const locals = new Map<number, number>();
    return Uint8Array.from({ length: WINDOW_FRAMES }, (_, frame) => {
      const person = personAt(samples[frame * FRAME_SAMPLES]);
      if (person < 0) return 0;
      if (!locals.has(person)) locals.set(person, locals.size);
      const bit = 1 << ((locals.get(person) as number) % 3);
      return bit | (bit << RAISED_SHIFT);
    });
  },
  async voices(stretches: readonly Float32Array[]) {
    const voices = new Float32Array(stretches.length * DIMENSIONS);
    for (const [at, samples] of stretches.entries()) {
      const person = personAt(samples[samples.length >> 1]);
      if (person >= 0) voices[at * DIMENSIONS + person] = 1;
    }
    return { dimensions: DIMENSIONS, voices };
  },
};

/** The speaker of each second two seconds later, and the state at the end. */
async function run(diarizer: LiveDiarizer, samples: Float32Array, chunk: number) {
  const speakers: (number | undefined)[] = [];
  for (let at = 0; at < samples.length; at += chunk) {
    diarizer.append(samples.slice(at, at + chunk));
    for (let step = await diarizer.step(); step; step = await diarizer.step()) {
      const middle = step.endSeconds - 2.25;
      if (Math.abs((middle % 1) - 0.75) < 0.1) {
        speakers.push(diarizer.turns.find(({ start, end }) => middle >= start && middle < end)?.speaker);
      }
    }
  }
  return { speakers, state: diarizer.state };
}

const seconds = (...parts: [person: number, seconds: number][]) =>
  audio(parts.flatMap(([person, length]) => new Array<number>(length).fill(person)));
const DIALOGUE = seconds([-1, 1], [0, 4], [1, 5], [-1, 2], [0, 3], [2, 6], [-1, 15], [1, 4], [0, 4], [-1, 3]);

test("people keep their speakers after pauses longer than a window", async () => {
  const { speakers } = await run(new LiveDiarizer(networks, BOUNDS), DIALOGUE, 1_600);
  const talked = speakers.filter((speaker) => speaker !== undefined);
  expect(talked).toEqual([0, 0, 0, 0, 1, 1, 1, 1, 1, 0, 0, 0, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 0, 0, 0, 0]);
});

test("two people whom the segmentation takes for one have speakers by the voices of their stretches", async () => {
  const merging = {
    ...networks,
    async segment(samples: Float32Array) {
      const frames = await networks.segment(samples);
      return frames.map((speakers) => (speakers === 0 ? 0 : 1 | (1 << RAISED_SHIFT)));
    },
  };
  const turns = seconds([-1, 1], [0, 5], [-1, 1], [1, 3], [-1, 1], [0, 4], [-1, 3]);
  const { speakers } = await run(new LiveDiarizer(merging, BOUNDS), turns, 1_600);
  expect(speakers.filter((speaker) => speaker !== undefined)).toEqual([0, 0, 0, 0, 0, 1, 1, 1, 0, 0, 0, 0]);
});

test("any division of the audio gives the same speakers and the same state", async () => {
  const wanted = await run(new LiveDiarizer(networks, BOUNDS), DIALOGUE, 1_600);
  for (const chunk of [777, 16_000, DIALOGUE.length]) {
    expect(await run(new LiveDiarizer(networks, BOUNDS), DIALOGUE, chunk)).toEqual(wanted);
  }
});

test("another process continues from the state, with the same speakers", async () => {
  const at = 21 * SAMPLE_RATE;
  const first = await run(new LiveDiarizer(networks, BOUNDS), DIALOGUE.slice(0, at), 1_600);
  const state = JSON.parse(JSON.stringify(first.state));
  const startSample = at - 10 * SAMPLE_RATE;
  const moved = new LiveDiarizer(networks, BOUNDS, { state, startSample });
  const { speakers } = await run(moved, DIALOGUE.slice(startSample), 1_600);
  expect(speakers.filter((speaker) => speaker !== undefined).slice(-8)).toEqual([1, 1, 1, 1, 0, 0, 0, 0]);
});

test("a step that failed can be repeated, and changes nothing before", async () => {
  let failures = 3;
  const unreliable = {
    segment: networks.segment,
    async voices(stretches: readonly Float32Array[]) {
      if (failures-- > 0) throw new Error("the process died");
      return networks.voices(stretches);
    },
  };
  const diarizer = new LiveDiarizer(unreliable, BOUNDS);
  diarizer.append(DIALOGUE);
  while (diarizer.isDue) await diarizer.step().catch(() => undefined);
  const wanted = await run(new LiveDiarizer(networks, BOUNDS), DIALOGUE, DIALOGUE.length);
  expect(diarizer.state).toEqual(wanted.state);
});

test("the state does not grow with the session", async () => {
  const turns = (count: number) => audio(Array.from({ length: count }, (_, at) => Math.floor(at / 3) % 3));
  const size = async (count: number) =>
    JSON.stringify((await run(new LiveDiarizer(networks, BOUNDS), turns(count), SAMPLE_RATE)).state).length;
  expect(Math.abs((await size(120)) - (await size(40)))).toBeLessThan(60);
});

test("silence has no speakers, and a maximum joins voices", async () => {
  const silent = new LiveDiarizer(networks, BOUNDS);
  expect((await run(silent, new Float32Array(20 * SAMPLE_RATE), 16_000)).state.voices.clusters).toEqual([]);
  const bounded = await run(new LiveDiarizer(networks, { minimum: 1, maximum: 2 }), DIALOGUE, 16_000);
  expect(bounded.state.voices.clusters).toHaveLength(2);
});

test("two clusters of one voice are joined when more speech shows it, and the earlier one stays", () => {
  const voices = new LiveVoices(BOUNDS);
  const newVoice = (...voice: number[]) => {
    const length = Math.hypot(...voice);
    return { voice: Float32Array.from(voice, (one) => one / length), seconds: 2, endSeconds: 2, change: () => 0 };
  };
  expect(voices.add(newVoice(1, 0.2)).id).toBe(0);
  expect(voices.add(newVoice(0.2, 1)).id).toBe(1);
  const { id, joined } = voices.add(newVoice(1, 0.8));
  expect([id, joined]).toEqual([0, [{ from: 1, into: 0 }]]);
});
