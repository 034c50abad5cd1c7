// What leaks from one channel into another: foreign words and lost words in recordings, and starts of speech, lost speech,
// delay and cost in live sessions.

import type { Word } from "../src/contract/transcript/transcript.ts";
import { Endpointing } from "../src/service/live/channel/endpointing.ts";
import { OwnSpeech } from "../src/service/live/channel/own-speech.ts";
import { LeakTimes } from "../src/service/live/session/channel-leaks.ts";
import { LeakRemoval } from "../src/speech/audio/leaks/leak-removal.ts";
import { joinedSamples } from "../src/speech/audio/samples.ts";
import { coldVoiceActivityState } from "../src/speech/audio/voice-activity/detector-state.ts";
import {
  WARM_UP_SAMPLES,
  WINDOW_SAMPLES,
  WINDOW_SECONDS,
  warmUpSamples,
} from "../src/speech/audio/voice-activity/detector-windows.ts";
import {
  loadVoiceActivityModel,
  speechProbabilities,
  type VoiceActivityModel,
} from "../src/speech/audio/voice-activity/silero.ts";
import { normalizedWords, wordPairs } from "../test/fixtures/word-error-rate.ts";
import { levelled, type Samples } from "./channel-sounds.ts";
import { type ChannelTranscriber, withModel } from "./conditions.ts";
import { type LeakMaterial, type LeakVariant, leakVariants } from "./leak-variants.ts";
import { loadRecordings, loadSounds, SAMPLE_RATE } from "./recordings.ts";
import { type Result, rounded } from "./table.ts";

const MODEL = "moonshine-base-en";
const VARIANTS = 12;
/** They cover every gain with every delay. */
const LIVE_VARIANTS = 72;
const THRESHOLD = 0.6;
/** A start of speech this close to a turn of the near person, or to one that the channel without leaks also has, belongs to it. */
const MARGIN_SECONDS = 0.3;
/** A word of the far person this close in time to the same word in the near channel is foreign there. */
const FOREIGN_SECONDS = 2;
const PIECE_SAMPLES = SAMPLE_RATE / 10;
const GOAL_PERCENT = 95;

const HALVES: [near: RegExp, far: RegExp][] = [
  [/^audiobook/, /^order-(0[1-9]|1[0-9])/],
  [/^reading-(0[1-8])/, /^(speech-1961|speech-en|sentence|order-(2|3)[0-9])/],
];

async function material(half: number): Promise<LeakMaterial> {
  const [near, far] = HALVES[half] as [RegExp, RegExp];
  const voices = async (pattern: RegExp) =>
    (await loadRecordings(({ file }) => pattern.test(file))).map(({ samples }) => levelled(samples));
  const [noises, rooms] = [await loadSounds("noise"), await loadSounds("room")];
  if (half === 1) for (const sounds of [noises, rooms]) sounds.reverse();
  return { near: await voices(near), far: await voices(far), noises, rooms };
}

interface Heard {
  samples: Samples[];
  /** Times at which the near channel has nothing but a leak. */
  leaks: LeakTimes;
  /** Longest time for which samples were held back, seconds. */
  heldSeconds: number;
  /** Mean of it over all pieces. */
  meanHeldSeconds: number;
  milliseconds: number;
}

/** The samples that a live session detects speech in. */
function live(channels: readonly Samples[]): Heard {
  const leaks = new LeakTimes();
  const removal = new LeakRemoval(channels.length, {
    holds: true,
    onLeakOnly: (channel, from, until, sound) => void (channel === 0 && leaks.add(from, until, sound)),
  });
  const parts: Samples[][] = channels.map(() => []);
  const length = channels[0]?.length ?? 0;
  const held: number[] = [];
  let emitted = 0;
  const keep = (pieces: readonly Samples[]) => {
    for (const [channel, piece] of pieces.entries()) parts[channel]?.push(piece);
    emitted += pieces[0]?.length ?? 0;
  };
  const begin = process.cpuUsage();
  for (let at = 0; at < length; at += PIECE_SAMPLES) {
    keep(removal.add(channels.map((samples) => samples.subarray(at, at + PIECE_SAMPLES))));
    held.push((at + PIECE_SAMPLES - emitted) / SAMPLE_RATE);
  }
  keep(removal.release());
  const { user, system } = process.cpuUsage(begin);
  return {
    leaks,
    samples: parts.map(joinedSamples),
    heldSeconds: Math.max(...held),
    meanHeldSeconds: held.reduce((sum, value) => sum + value, 0) / held.length,
    milliseconds: (user + system) / 1_000,
  };
}

async function probabilities(model: VoiceActivityModel, samples: Samples): Promise<Float32Array> {
  const cold = coldVoiceActivityState();
  await speechProbabilities(model, warmUpSamples(samples.subarray(0, WARM_UP_SAMPLES)), cold);
  return speechProbabilities(model, samples, cold);
}

interface Detected {
  /** Starts of speech, seconds. */
  starts: number[];
  /** Probabilities that count. */
  probabilities: Float32Array;
  /** For each window, whether an utterance is in progress. */
  isSpeech: boolean[];
}

/** What a channel of a session detects. */
function detected(found: Float32Array, leaks = new LeakTimes()): Detected {
  const endpointing = new Endpointing({
    ...{ threshold: THRESHOLD, endpointingSeconds: 0.3, maximumSeconds: 60, windowSeconds: WINDOW_SECONDS },
  });
  const own = new OwnSpeech((sample) => leaks.at(sample), THRESHOLD);
  const result: Detected = { starts: [], probabilities: new Float32Array(found.length), isSpeech: [] };
  for (const [window, value] of found.entries()) {
    const probability = own.probability(window * WINDOW_SAMPLES, value, endpointing.isSpeech);
    result.probabilities[window] = probability;
    const event = endpointing.push(probability);
    if (event?.kind === "start") result.starts.push(event.window * WINDOW_SECONDS);
    result.isSpeech.push(endpointing.isSpeech);
  }
  return result;
}

/** Delay of a start of speech, seconds; the length of the dialogue if there is none. */
function delayOf(start: number, { isSpeech }: Detected): number {
  const window = Math.round(start / WINDOW_SECONDS);
  const first = Math.max(0, window - Math.round(MARGIN_SECONDS / WINDOW_SECONDS));
  const found = isSpeech.indexOf(true, first);
  return Math.max(0, (found < 0 ? isSpeech.length : found) - window) * WINDOW_SECONDS;
}

const isNear = (turns: LeakVariant["turns"], seconds: number) =>
  turns.some(([from, until]) => seconds > from - MARGIN_SECONDS && seconds < until + MARGIN_SECONDS);

const percent = (part: number, whole: number) => rounded((100 * part) / Math.max(1, whole), 1);

const liveGoal = (right: number, variants: number) => ({
  goal: `no false start in ${GOAL_PERCENT} %`,
  isMet: percent(right, variants) >= GOAL_PERCENT,
});

async function liveResult(half: number, variants: Iterable<LeakVariant>, model: VoiceActivityModel): Promise<Result> {
  const count = {
    variants: 0,
    before: 0,
    false: 0,
    faulty: 0,
    speech: 0,
    missed: 0,
    held: 0,
    cleanHeld: 0,
    changed: 0,
    cost: 0,
  };
  const delays: number[] = [];
  for (const { name, clean, leaking, turns } of variants) {
    const own = detected(await probabilities(model, clean[0]));
    const heard = live(leaking);
    const found = detected(await probabilities(model, heard.samples[0] as Samples), heard.leaks);
    const isOwn = (seconds: number) => own.starts.some((start) => Math.abs(start - seconds) < MARGIN_SECONDS);
    const falseOf = ({ starts }: Detected) =>
      starts.filter((seconds) => !isNear(turns, seconds) && !isOwn(seconds)).length;
    const wrong = falseOf(found);
    let [speech, missed] = [0, 0];
    for (const [window, probability] of own.probabilities.entries()) {
      if (probability < THRESHOLD || !isNear(turns, window * WINDOW_SECONDS)) continue;
      speech++;
      if ((found.probabilities[window] as number) < THRESHOLD - 0.15) missed++;
    }
    const ownStarts = own.starts.filter((seconds) => isNear(turns, seconds));
    delays.push(...ownStarts.map((start) => delayOf(start, found)));
    const unleaked = live(clean);
    if (unleaked.samples.some((samples, channel) => samples.some((value, at) => value !== clean[channel]?.[at])))
      count.changed++;
    count.before += falseOf(detected(await probabilities(model, leaking[0])));
    count.false += wrong;
    count.faulty += wrong > 0 ? 1 : 0;
    count.speech += speech;
    count.missed += missed;
    count.held = Math.max(count.held, heard.heldSeconds);
    count.cleanHeld += unleaked.meanHeldSeconds;
    count.cost += heard.milliseconds / (leaking[0].length / SAMPLE_RATE);
    count.variants++;
    if (process.env["BENCH_TRACE"] === "1")
      process.stdout.write(
        `${wrong} false starts, ${missed} of ${speech} windows missed, clean held ${unleaked.meanHeldSeconds.toFixed(2)} s (at most ${unleaked.heldSeconds.toFixed(2)})  ${name}\n`,
      );
  }
  return {
    name: `leaks, live, ${half === 0 ? "half for choosing" : "reported half"}`,
    values: {
      variants: count.variants,
      "false starts without removal": count.before,
      "false starts": count.false,
      "variants with false starts": count.faulty,
      "without false starts %": percent(count.variants - count.faulty, count.variants),
      "start later, mean s": rounded(delays.reduce((sum, value) => sum + value, 0) / delays.length, 3),
      "start later, at most s": rounded(Math.max(...delays)),
      "own speech missed %": percent(count.missed, count.speech),
      "held at most s": rounded(count.held),
      "held without leaks, mean s": rounded(count.cleanHeld / count.variants, 3),
      "changed without leaks": count.changed,
      "ms per second of audio": rounded(count.cost / count.variants, 1),
    },
    ...(half === 0 ? {} : liveGoal(count.variants - count.faulty, count.variants)),
  };
}

interface Said {
  words: Pick<Word, "word" | "start">[];
}

async function said(transcribe: ChannelTranscriber, channels: readonly Samples[]): Promise<[near: Said, far: Said]> {
  const { transcription } = await transcribe([...channels]);
  const of = (channel: number): Said => ({
    words: transcription.utterances
      .filter((utterance) => utterance.channel === channel)
      .flatMap(({ words }) => words)
      .flatMap(({ word, start }) => normalizedWords(word).map((text) => ({ word: text, start }))),
  });
  return [of(0), of(1)];
}

async function recordedResult(
  half: number,
  variants: Iterable<LeakVariant>,
  transcribe: ChannelTranscriber,
): Promise<Result> {
  const known = new Map<string, [Said, Said]>();
  const count = { variants: 0, own: 0, lost: 0, other: 0, foreign: 0, clean: 0, whole: 0 };
  for (const { name, clean, leaking, dialogue } of variants) {
    const [near, far] = known.get(dialogue) ?? (await said(transcribe, clean));
    known.set(dialogue, [near, far]);
    const [found] = await said(transcribe, leaking);
    const [own, other] = [near.words.map(({ word }) => word), found.words.map(({ word }) => word)];
    const pairs = wordPairs(own, other);
    const right = new Set(pairs.map(([, place]) => place));
    const foreign = found.words.filter(
      ({ word, start }, place) =>
        !right.has(place) &&
        far.words.some((one) => one.word === word && Math.abs(one.start - start) < FOREIGN_SECONDS),
    );
    count.variants++;
    const lost = own.length - pairs.length;
    count.own += own.length;
    count.lost += lost;
    count.foreign += foreign.length;
    count.other += other.length - right.size - foreign.length;
    count.clean += foreign.length === 0 ? 1 : 0;
    count.whole += lost === 0 ? 1 : 0;
    if (process.env["BENCH_TRACE"] === "1")
      process.stdout.write(
        `foreign: ${foreign.map(({ word }) => word).join(" ")}; ${lost} of ${own.length} own words lost, ${other.length - right.size - foreign.length} others  ${name}\n`,
      );
  }
  const clean = percent(count.clean, count.variants);
  return {
    name: `leaks, recorded, ${half === 0 ? "half for choosing" : "reported half"}`,
    values: {
      variants: count.variants,
      "foreign words": count.foreign,
      "without foreign words %": clean,
      "own words": count.own,
      "own words lost": count.lost,
      "other words": count.other,
    },
    ...(half === 0 ? {} : { goal: `no foreign word in ${GOAL_PERCENT} %`, isMet: clean >= GOAL_PERCENT }),
  };
}

/** @param only  "leaks, live" or "leaks, recorded" measures one of the two */
export async function leakResults(only: string): Promise<Result[]> {
  const materials = [await material(0), await material(1)];
  const variants = (half: number, count: number) => leakVariants(materials[half] as LeakMaterial, count, half === 0);
  const results: Result[] = [];
  if (!only.endsWith("recorded")) {
    const model = await loadVoiceActivityModel();
    for (const half of [0, 1]) results.push(await liveResult(half, variants(half, LIVE_VARIANTS), model));
    await model.release();
  }
  if (only.endsWith("live")) return results;
  await withModel(MODEL, async (_, transcribe) => {
    for (const half of [0, 1]) results.push(await recordedResult(half, variants(half, VARIANTS), transcribe));
  });
  return results;
}
