// Which channels are transcribed: for recordings whose channels carry one source, and for recordings whose channels
// carry
// several. The constants of src/speech/audio/channels were tuned on the first half; the second half has other voices, noises,
// music and
// parameters. BENCH_SOUNDS names a folder of stereo music to use instead of synthetic music, BENCH_ONLY a part of a
// name.
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { pino } from "pino";
import { childEnvironment } from "../src/platform/config/load.ts";
import { RecognitionPool } from "../src/service/inference/pool.ts";
import { speechFinder } from "../src/service/jobs/stages/find-speech.ts";
import { SharedSources } from "../src/service/live/session/shared-sources.ts";
import { type ComparedChannels, distinctChannels } from "../src/speech/audio/channels/distinct.ts";
import { RecordingComparison } from "../src/speech/audio/channels/pair-report.ts";
import { DecoderPool } from "../src/speech/audio/decode/decoder-pool.ts";
import { Resampler } from "../src/speech/audio/resample.ts";
import { fromPcm16 } from "../src/speech/audio/samples.ts";
import { writeMedia } from "../test/fixtures/media.ts";
import { SHARED, wav } from "../test/fixtures/recordings.ts";
import { type Channels, hiss, mixed, type Samples } from "./channel-sounds.ts";
import { type Material, type Variant, variantsOf } from "./channel-variants.ts";
import { leakResults } from "./leaks.ts";
import { SAMPLE_RATE } from "./recordings.ts";
import { printResults, type Result, rounded, saveResults } from "./table.ts";

const VOICES: [first: string[], second: string[]] = [
  ["audiobook-0870", "speech-1961-en", "reading-01", "speech-de"],
  ["speech-fr", "order-01", "speech-es", "sentence-1"],
];
/** Recordings of the same speakers, appended to the first one if that is too short. */
const MORE: Record<string, string[]> = {
  "reading-01": ["reading-02", "reading-03"],
  "order-01": ["order-02", "order-03", "order-04", "order-05"],
  "sentence-1": ["sentence-2", "sentence-3", "sentence-4", "sentence-5"],
};
const MOST_CHANNELS = 8;
/** Live audio is compared in pieces of 100 ms. */
const PIECE_SAMPLES = SAMPLE_RATE / 10;

const folder = mkdtempSync(path.join(os.tmpdir(), "parlance-bench-"));
const environment = childEnvironment(folder);
const decoders = new DecoderPool({ processes: 1, memoryLimitBytes: 1e9, environment });
const detection = new RecognitionPool({
  workers: 1,
  queueLimit: 100,
  taskTimeoutSeconds: 60,
  memoryLimitBytes: 2e9,
  environment,
  logger: pino({ level: "silent" }),
});
const outputs = Array.from({ length: MOST_CHANNELS }, (_, channel) => path.join(folder, `channel-${channel}.pcm`));

const decode = (file: string) => decoders.decode(file, { tenant: "", outputs, maximumSeconds: 3600 });

async function channelsOf(file: string): Promise<Channels> {
  const { channels } = await decode(file);
  return Promise.all(outputs.slice(0, channels).map(async (output) => fromPcm16(await readFile(output))));
}

async function recording(name: string): Promise<Samples> {
  const parts: Samples[] = [];
  for (const one of [name, ...(MORE[name] ?? [])]) {
    parts.push((await channelsOf(path.join(SHARED, `${one}.flac`)))[0] as Samples);
  }
  return Float32Array.from(parts.flatMap((part) => [...part]));
}

async function music(isFirst: boolean): Promise<Channels[]> {
  const { BENCH_SOUNDS } = process.env;
  if (!BENCH_SOUNDS) return [];
  const files = readdirSync(BENCH_SOUNDS, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(ogg|mp3|flac|wav)$/.test(name))
    .sort();
  const found: Channels[] = [];
  for (const [at, name] of files.entries()) {
    if ((at % 2 === 0) !== isFirst) continue;
    const channels = await channelsOf(path.join(BENCH_SOUNDS, name)).catch(() => []);
    if (channels.length === 2 && (channels[0]?.length ?? 0) > 30 * SAMPLE_RATE) found.push(channels);
  }
  return found;
}

async function material(isFirst: boolean): Promise<Material> {
  const voices: Samples[] = [];
  for (const name of VOICES[isFirst ? 0 : 1]) voices.push(await recording(name));
  const sounds = async (kind: string) => {
    const names = readdirSync(SHARED).filter((name) => name.startsWith(`${kind}-`));
    const all: Samples[] = [];
    for (const name of names.sort()) all.push(await recording(name.replace(".flac", "")));
    return all;
  };
  const [noises, rooms] = [await sounds("noise"), await sounds("room")];
  if (!isFirst) noises.reverse();
  if (!isFirst) rooms.reverse();
  return { voices, noises, rooms, music: await music(isFirst) };
}

function atRate(channels: Channels, sampleRate: number): Channels {
  if (sampleRate === SAMPLE_RATE) return channels;
  return channels.map((samples) => {
    const resampler = new Resampler(SAMPLE_RATE, sampleRate);
    return Float32Array.from([...resampler.push(samples), ...resampler.flush()]);
  });
}

async function fileOf({ channels, codec }: Variant): Promise<string> {
  // A surround layout needs a container that declares it.
  const coding =
    codec ??
    (channels.length === 6 ? { encoder: "flac", extension: "flac", bitRate: 0, sampleRate: SAMPLE_RATE } : undefined);
  const file = path.join(folder, `variant.${coding?.extension ?? "wav"}`);
  if (!coding) writeFileSync(file, wav(channels));
  else {
    const { encoder, bitRate, sampleRate } = coding;
    await writeMedia(file, { tracks: [{ channels: atRate(channels, sampleRate), sampleRate, encoder, bitRate }] });
  }
  return file;
}

async function chosen(compared: ComparedChannels): Promise<number[]> {
  const findSpeech = speechFinder(outputs, detection, { tenant: "", priority: "recorded" });
  return (await distinctChannels(compared, findSpeech)).kept;
}

/**
 * Channels that a live session transcribes at its end, and seconds of sound until the first was found to carry
 * another's source.
 */
async function live(channels: Channels): Promise<{ distinct: number; decidedSeconds: number | undefined }> {
  const sources = new SharedSources(channels.length, detection, new AbortController().signal);
  const sound = (channels[0] ?? new Float32Array()).findIndex((_, at) =>
    channels.some((one) => Math.abs(one[at] ?? 0) > 0.02),
  );
  let decidedSeconds: number | undefined;
  const length = channels[0]?.length ?? 0;
  for (let at = 0; at < length; at += PIECE_SAMPLES) {
    const pieces = channels.map((one) => one.subarray(at, at + PIECE_SAMPLES));
    for (const part of sources.split(pieces)) await sources.add(part);
    const isCarried = channels.some((_, channel) => sources.carrierOf(channel) !== undefined);
    if (isCarried) decidedSeconds ??= (at + PIECE_SAMPLES - sound) / SAMPLE_RATE;
  }
  return { distinct: sources.distinctCount, decidedSeconds };
}

interface Tally {
  live: number;
  /** Longest time until channels are found to carry one source. */
  decidedSeconds: number;
  same: number;
  different: number;
  wrong: string[];
}

async function tally(isFirst: boolean): Promise<Tally> {
  const counts: Tally = { live: 0, decidedSeconds: 0, same: 0, different: 0, wrong: [] };
  const only = process.env["BENCH_ONLY"] ?? "";
  for (const variant of variantsOf(await material(isFirst), isFirst)) {
    if (!variant.name.includes(only)) continue;
    const decoded = await decode(await fileOf(variant));
    const found = await chosen(decoded);
    if (variant.distinct === 1) counts.same++;
    else counts.different++;
    const expected = variant.distinct === 1 ? "one source" : "several sources";
    const isRight =
      found.length === variant.distinct && (variant.chosen === undefined || found.includes(variant.chosen));
    if (!isRight) counts.wrong.push(`${expected}, ${variant.name}: channels ${found.join(", ")}`);
    // A live session declares no loudspeaker layout.
    if (variant.channels.length < 6) {
      const samples = await Promise.all(
        outputs.slice(0, decoded.channels).map(async (output) => fromPcm16(await readFile(output))),
      );
      const { distinct, decidedSeconds } = await live(samples);
      counts.live++;
      if (distinct !== variant.distinct) counts.wrong.push(`live, ${expected}, ${variant.name}: ${distinct}`);
      if (variant.distinct === 1)
        counts.decidedSeconds = Math.max(counts.decidedSeconds, decidedSeconds ?? Number.POSITIVE_INFINITY);
      if (process.env["BENCH_TRACE"] === "1") {
        process.stdout.write(
          `${distinct === variant.distinct ? "right" : "WRONG"}  live: ${distinct}, after ${decidedSeconds?.toFixed(2)} s  `,
        );
      }
    }
    if (process.env["BENCH_TRACE"] === "1") {
      const pairs = decoded.pairs.map(({ channels, commonWindows, stretches }) => {
        const digits = stretches.map(({ suspicions }) => suspicions).join("");
        return `${channels.join("-")}: ${commonWindows} common, ${digits.replace(/[^1]/g, "").length} doubtful, ${digits.replace(/[^2]/g, "").length} clear`;
      });
      process.stdout.write(
        `${isRight ? "right" : "WRONG"}  ${expected}, ${variant.name}: ${found.join(", ")}   ${pairs.slice(0, 3).join("; ")}\n`,
      );
    }
  }
  return counts;
}

const COST_MINUTES = 5;

/**
 * Milliseconds to compare the channels of a minute of audio; and to decode the same minute from an MP3 file, comparison
 * included.
 */
async function costs(): Promise<Result[]> {
  const [voice, other] = [await recording("audiobook-0870"), await recording("speech-1961-en")];
  const length = COST_MINUTES * 60 * SAMPLE_RATE;
  const long = (samples: Samples) => Float32Array.from({ length }, (_, at) => samples[at % samples.length] as number);
  const [first, second, noise] = [long(voice), long(other), hiss(COST_MINUTES * 60, 3)];
  const cases: [string, Channels][] = [
    ["one source", [first, mixed([first, 0], [noise, -30])]],
    ["two sources", [first, second]],
  ];
  const results: Result[] = [];
  for (const [name, channels] of cases) {
    let best = Number.POSITIVE_INFINITY;
    for (let run = 0; run < 3; run++) {
      const comparison = new RecordingComparison(channels.length);
      const start = performance.now();
      for (let at = 0; at < length; at += SAMPLE_RATE)
        comparison.add(channels.map((one) => one.subarray(at, at + SAMPLE_RATE)));
      comparison.reports();
      best = Math.min(best, performance.now() - start);
    }
    const file = path.join(folder, "cost.mp3");
    await writeMedia(file, {
      tracks: [{ channels: atRate(channels, 48_000), sampleRate: 48_000, encoder: "libmp3lame", bitRate: 128_000 }],
    });
    let decoding = Number.POSITIVE_INFINITY;
    for (let run = 0; run < 3; run++) {
      const start = performance.now();
      await decode(file);
      decoding = Math.min(decoding, performance.now() - start);
    }
    const decoded = await decode(file);
    const start = performance.now();
    await chosen(decoded);
    const deciding = performance.now() - start;
    const perMinute = (milliseconds: number) => rounded(milliseconds / COST_MINUTES, 1);
    results.push({
      name: `cost, ${name}`,
      values: {
        "comparison ms/min": perMinute(best),
        "decoding with comparison ms/min": perMinute(decoding),
        "voice activity ms/min": perMinute(deciding),
      },
    });
  }
  return results;
}

const results: Result[] = [];
try {
  await Promise.all([decoders.start(), detection.start()]);
  // BENCH_ONLY: leaks, or one part of them, as "leaks, live"; else a part of the variants' names.
  const only = process.env["BENCH_ONLY"] ?? "";
  const isLeaksOnly = only.startsWith("leaks");
  for (const isFirst of isLeaksOnly ? [] : [true, false]) {
    const { same, different, live: lives, decidedSeconds, wrong } = await tally(isFirst);
    for (const line of wrong) process.stdout.write(`wrong: ${line}\n`);
    results.push({
      name: isFirst ? "half for choosing the constants" : "half for reporting",
      values: {
        "one source": same,
        "several sources": different,
        "live as well": lives,
        "live: decided after s": rounded(decidedSeconds),
        wrong: wrong.length,
      },
      goal: "0 wrong of at least 24 and 24",
      isMet: wrong.length === 0 && same >= 24 && different >= 24,
    });
  }
  if (only === "") results.push(...(await costs()));
  printResults("Channels", results);
  if (only === "") saveResults("channels", results);
  if (only === "" || isLeaksOnly) {
    const leaks = await leakResults(only);
    printResults("Leaks", leaks);
    if (only === "" || only === "leaks") saveResults("leaks", leaks);
  }
} finally {
  await Promise.all([decoders.stop(), detection.stop()]);
  rmSync(folder, { recursive: true, force: true });
}
