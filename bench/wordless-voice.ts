// Warnings about a voice without words where there is none: clean recordings, and music, noise, telephone tones, breathing and laughter
// after and before speech, recorded and live. speech/audio/voice-activity/quiet-speech.ts was chosen on the first half.
import type { TranscriptionResult } from "../src/contract/transcript/transcript.ts";
import { joinedSamples } from "../src/speech/audio/samples.ts";
import { BREATHS } from "../test/fixtures/breaths.ts";
import { noise, silence } from "../test/fixtures/recordings.ts";
import { atLevel, MUSIC, type Sound } from "../test/fixtures/sounds.ts";
import { STEADY_NOISE } from "../test/fixtures/steady-noise.ts";
import { TELEPHONE_TONES } from "../test/fixtures/telephone-tones.ts";
import { ready, startService } from "../test/service.ts";
import { type Transcriber, withModel } from "./conditions.ts";
import { liveTranscriber, wordlessIn } from "./quiet-dialogues.ts";
import { loadRecordings, loadSounds, SAMPLE_RATE } from "./recordings.ts";
import { printResults, type Result, saveResults } from "./table.ts";

const MODEL = "moonshine-base-en";
const SOUND_SECONDS = 8;
/** RMS, -23 to -50 dBFS; the speech has -23. */
const LEVELS = [0.07, 0.015, 0.003];
const SPEECH_LEVEL = 0.07;
const FLOOR = 1e-4;

interface Item {
  name: string;
  samples: Float32Array;
}

const recordings = await loadRecordings(({ file }) => !file.startsWith("meeting"));
const meetings = await loadRecordings(({ file }) => file.startsWith("meeting"));
const short = recordings.filter(({ file }) => /^(order|sentence|reading)/.test(file));
const realNoises = await loadSounds("noise");

/** A clip, the sound, another clip. */
function between(sounds: Readonly<Record<string, Sound>>, half: number): Item[] {
  const clips = short.filter((_, at) => at % 2 === half);
  return Object.entries(sounds).flatMap(([name, sound], at) =>
    LEVELS.map((level, step) => {
      const [before, after] = [0, 1].map((next) =>
        atLevel(clips[(at * LEVELS.length + step + next) % clips.length]?.samples ?? silence(1), SPEECH_LEVEL),
      ) as [Float32Array, Float32Array];
      const pause = silence(0.4);
      const parts = [
        before,
        pause,
        atLevel(sound(SOUND_SECONDS, 1 + 2 * half + step), level),
        pause,
        after,
        silence(1),
      ];
      const joined = joinedSamples(parts);
      const floor = noise(joined.length / SAMPLE_RATE, FLOOR);
      return { name: `${name} ${level}`, samples: joined.map((value, index) => value + (floor[index] ?? 0)) };
    }),
  );
}

const real: Readonly<Record<string, Sound>> = Object.fromEntries(
  realNoises.map((samples, at) => [
    `real noise ${at + 1}`,
    (seconds, seed) =>
      silence(seconds).map((_, index) => samples[(index + seed * SAMPLE_RATE) % samples.length] as number),
  ]),
);
const own = (all: readonly { file: string; samples: Float32Array }[], half: number): Item[] =>
  all.filter((_, at) => at % 2 === half).map(({ file, samples }) => ({ name: file, samples }));
const KINDS: [kind: string, items: (half: number) => Item[]][] = [
  ["clean recordings", (half) => own(recordings, half)],
  ["meetings", (half) => own(meetings, half)],
  ["music", (half) => between(MUSIC, half)],
  ["noise", (half) => between({ ...STEADY_NOISE, ...real }, half)],
  ["telephone tones", (half) => between(TELEPHONE_TONES, half)],
  ["breathing", (half) => between({ breathing: BREATHS["breathing"] as Sound }, half)],
  ["laughter", (half) => between({ laughter: BREATHS["laughter"] as Sound }, half)],
];

/** Meetings have quiet voices, and laughter is a voice to the detector. */
const VOICES: ReadonlySet<string> = new Set(["meetings", "laughter"]);

const results: Result[] = [];
async function measureAll(way: string, transcribe: Transcriber): Promise<void> {
  for (const [kind, items] of KINDS) {
    for (const half of [0, 1]) {
      const all = items(half);
      let warned = 0;
      for (const { name, samples } of all) {
        const result: TranscriptionResult = await transcribe(samples);
        const stretches = wordlessIn(result);
        if (stretches.length > 0) warned++;
        if (stretches.length > 0)
          process.stderr.write(`${way} ${kind} ${half}: ${name} ${JSON.stringify(stretches)}\n`);
      }
      const name = `${way}, ${kind}, ${half === 0 ? "half for choosing" : "reported half"}`;
      results.push({
        name,
        values: { recordings: all.length, "with a warning": warned },
        ...(half === 1 && !VOICES.has(kind) ? { goal: "no warning", isMet: warned === 0 } : {}),
      });
    }
  }
}

if (process.env["BENCH_ONLY"] !== "live") await withModel(MODEL, (transcribe) => measureAll("recorded", transcribe));
if (process.env["BENCH_ONLY"] !== "recorded") {
  const service = await startService();
  await ready(service);
  await measureAll("live", liveTranscriber(service));
  await service.stop();
}
printResults("Warnings about a voice where there is none", results);
if (process.env["BENCH_ONLY"] === undefined) saveResults("wordless-voice", results);
process.exit(0);
