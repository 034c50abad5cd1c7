// Speech after hold music, steady noise, telephone tones and silence: sentences that voice activity detection finds, and
// starts of speech within the sounds. Compares a renewed memory of the detector with one memory for the whole stream. The
// constants were chosen on the first half of the sounds and recordings. Every other item is band-limited like a telephone.

import { Endpointing } from "../src/service/live/channel/endpointing.ts";
import { joinedSamples } from "../src/speech/audio/samples.ts";
import { coldVoiceActivityState, type VoiceActivityState } from "../src/speech/audio/voice-activity/detector-state.ts";
import { WARM_UP_SAMPLES, WINDOW_SAMPLES, warmUpSamples } from "../src/speech/audio/voice-activity/detector-windows.ts";
import { cutSegments } from "../src/speech/audio/voice-activity/segmentation.ts";
import {
  loadVoiceActivityModel,
  speechProbabilities,
  type VoiceActivityModel,
} from "../src/speech/audio/voice-activity/silero.ts";
import { noise, silence } from "../test/fixtures/recordings.ts";
import { atLevel, MUSIC, type Sound } from "../test/fixtures/sounds.ts";
import { STEADY_NOISE } from "../test/fixtures/steady-noise.ts";
import { TELEPHONE_TONES } from "../test/fixtures/telephone-tones.ts";
import { loadRecordings, loadSounds, SAMPLE_RATE, throughTelephone } from "./recordings.ts";
import { printResults, type Result, rounded, saveResults } from "./table.ts";

const SECONDS = [12, 60];
const PAUSES_SECONDS = [0.1, 0.4, 1];
const SPEECH_LEVELS = [0.07, 0.018, 0.0045];
const MOST_SENTENCE_SECONDS = 5;
const MOST_RECORDING_SECONDS = 12;
/** Default of `speech_threshold`. */
const THRESHOLD = 0.6;
/** A sentence is lost if segments cover less of its speech. */
const LEAST_COVERED = 0.9;
const MIN_SPEECH_WINDOWS = 10;
const FAINT_LEVEL = 3e-4;
const GOAL_PERCENT = 98;

interface Item {
  kind: string;
  samples: Float32Array;
  /** The same with faint noise in place of the sound: where speech is. */
  reference: Float32Array;
  soundSamples: number;
  sentences: (readonly [from: number, to: number])[];
}

const KINDS: [kind: string, sounds: Readonly<Record<string, Sound>>][] = [
  ["music", MUSIC],
  ["noise", STEADY_NOISE],
  ["telephone tones", TELEPHONE_TONES],
  ["silence", { digital: (seconds) => silence(seconds), faint: (seconds) => noise(seconds, FAINT_LEVEL) }],
];

function itemOf(kind: string, sound: Float32Array, speech: readonly Float32Array[], at: number): Item {
  const pieces: Float32Array[] = [];
  const sentences: [number, number][] = [];
  let place = sound.length;
  const put = (piece: Float32Array) => {
    pieces.push(piece);
    place += piece.length;
  };
  for (let index = 0; index < SPEECH_LEVELS.length; index++) {
    put(noise(index === 0 ? (PAUSES_SECONDS[at % PAUSES_SECONDS.length] as number) : 1, FAINT_LEVEL));
    const whole = speech[(3 * at + index) % speech.length] as Float32Array;
    const level = SPEECH_LEVELS[(at + index) % SPEECH_LEVELS.length] as number;
    const sentence = atLevel(whole.subarray(0, MOST_SENTENCE_SECONDS * SAMPLE_RATE), level);
    sentences.push([place, place + sentence.length]);
    put(sentence);
  }
  put(noise(1, FAINT_LEVEL));
  const line = at % 2 === 0 ? throughTelephone : (samples: Float32Array) => samples;
  return {
    kind,
    samples: line(joinedSamples([sound, ...pieces])),
    reference: line(joinedSamples([noise(sound.length / SAMPLE_RATE, FAINT_LEVEL), ...pieces])),
    soundSamples: sound.length,
    sentences,
  };
}

async function probabilities(
  model: VoiceActivityModel,
  samples: Float32Array,
  cold: VoiceActivityState,
): Promise<Float32Array> {
  await speechProbabilities(model, warmUpSamples(samples.subarray(0, WARM_UP_SAMPLES)), cold);
  return speechProbabilities(model, samples, cold);
}

/** A warm-up without an end: memories are not renewed during it. */
const withOneMemory = () => ({ ...coldVoiceActivityState(), warmUpWindows: Number.POSITIVE_INFINITY });

function falseStarts(found: Float32Array): number {
  const windowSeconds = WINDOW_SAMPLES / SAMPLE_RATE;
  const endpointing = new Endpointing({
    threshold: THRESHOLD,
    endpointingSeconds: 0.3,
    maximumSeconds: 60,
    windowSeconds,
  });
  return found.reduce((sum, probability) => sum + (endpointing.push(probability)?.kind === "start" ? 1 : 0), 0);
}

function lostSentences(
  { samples, sentences }: Item,
  found: Float32Array,
  reference: Float32Array,
): [lost: number, all: number] {
  const covered = new Uint8Array(found.length);
  for (const { startSample, endSample } of cutSegments(found, samples.length))
    covered.fill(1, Math.floor(startSample / WINDOW_SAMPLES), Math.ceil(endSample / WINDOW_SAMPLES));
  let [lost, all] = [0, 0];
  for (const [from, to] of sentences) {
    let [speech, hit] = [0, 0];
    for (let window = Math.floor(from / WINDOW_SAMPLES); window < to / WINDOW_SAMPLES; window++) {
      if ((reference[window] ?? 0) < THRESHOLD) continue;
      speech++;
      hit += covered[window] as number;
    }
    if (speech < MIN_SPEECH_WINDOWS) continue;
    all++;
    if (hit < LEAST_COVERED * speech) lost++;
  }
  return [lost, all];
}

const recordings = await loadRecordings(
  ({ file }) => /^(order|reading|sentence|audiobook|speech)/.test(file),
  "all languages",
);
const short = recordings.filter(({ samples }) => samples.length < MOST_RECORDING_SECONDS * SAMPLE_RATE);
const realNoises = await loadSounds("noise");
const model = await loadVoiceActivityModel();
const results: Result[] = [];
for (const half of [0, 1]) {
  const speech = short.filter((_, at) => at % 2 === half).map(({ samples }) => samples);
  for (const [kind, sounds] of KINDS) {
    const real: [string, Sound][] = realNoises.map((samples, at) => [
      `real noise ${at}`,
      (seconds, seed) =>
        atLevel(silence(seconds).map((_, index) => samples[(index + seed * SAMPLE_RATE) % samples.length] as number)),
    ]);
    const all = [...Object.entries(sounds), ...(kind === "noise" ? real : [])];
    const counts = { sounds: 0, lostBefore: 0, lost: 0, sentences: 0, falseBefore: 0, false: 0 };
    for (const [at, [, sound]] of all.entries()) {
      for (const [step, seconds] of SECONDS.entries()) {
        const item = itemOf(kind, sound(seconds, 1 + 2 * half + step), speech, at * SECONDS.length + step + at);
        const reference = await probabilities(model, item.reference, coldVoiceActivityState());
        const windows = Math.floor(item.soundSamples / WINDOW_SAMPLES);
        const before = await probabilities(model, item.samples, withOneMemory());
        const now = await probabilities(model, item.samples, coldVoiceActivityState());
        const [lost, spoken] = lostSentences(item, now, reference);
        counts.sounds++;
        counts.sentences += spoken;
        counts.lost += lost;
        counts.lostBefore += lostSentences(item, before, reference)[0];
        counts.falseBefore += falseStarts(before.subarray(0, windows));
        counts.false += falseStarts(now.subarray(0, windows));
      }
    }
    const found = rounded((100 * (counts.sentences - counts.lost)) / counts.sentences, 1);
    results.push({
      name: `${kind}, ${half === 0 ? "half for choosing" : "reported half"}`,
      values: {
        sounds: counts.sounds,
        sentences: counts.sentences,
        "lost, one memory": counts.lostBefore,
        lost: counts.lost,
        "found %": found,
        "false starts, one memory": counts.falseBefore,
        "false starts": counts.false,
      },
      ...(half === 0 ? {} : { goal: `at least ${GOAL_PERCENT} % found`, isMet: found >= GOAL_PERCENT }),
    });
  }
}
printResults("Speech after music", results);
saveResults("speech-after-music", results);
await model.release();
