// A channel whose pauses are judged, with a detector of loudness, a recogniser of one word a second, and given probabilities of turn ends.
import { expect, test } from "vitest";
import type { Utterance } from "../../../contract/transcript/transcript.ts";
import { SAMPLE_RATE } from "../../../speech/audio/sample-rate.ts";
import { WINDOW_SAMPLES } from "../../../speech/audio/voice-activity/detector-windows.ts";
import { ChannelStream } from "./channel.ts";
import type { ChannelOptions, ChannelServices, ChannelState, TurnOptions } from "./channel-contract.ts";

const LOUD = 0.5;
const MODEL = "model";

/** @param parts  seconds of speech and of silence, in turn */
const soundOf = (...parts: number[]) =>
  Float32Array.from(
    parts.flatMap((seconds, at) => new Array(Math.round(seconds * SAMPLE_RATE)).fill(at % 2 === 0 ? LOUD : 0)),
  );

function fakeServices(): ChannelServices {
  const loudWindows = (samples: Float32Array) =>
    Float32Array.from({ length: Math.floor(samples.length / WINDOW_SAMPLES) }, (_, window) =>
      (samples[window * WINDOW_SAMPLES] as number) > 0 ? 0.9 : 0.02,
    );
  const recognize = async (_model: string, { audio }: { audio: Float32Array }) => {
    // The audio may begin with the last samples of earlier speech.
    const first = audio.findIndex((sample, at) => sample > 0 && (audio[at + SAMPLE_RATE / 10] ?? 0) > 0);
    const last = audio.findLastIndex((sample) => sample > 0);
    const seconds = (last - first) / SAMPLE_RATE;
    const words = Array.from({ length: Math.max(0, Math.ceil(seconds)) }, (_, at) => ({
      text: ` word${at}`,
      ...{
        startSeconds: first / SAMPLE_RATE + at,
        endSeconds: Math.min(last, first + (at + 1) * SAMPLE_RATE) / SAMPLE_RATE,
      },
      ...{ confidence: 1, tokens: [] },
    }));
    return { words, language: "en" };
  };
  return {
    recognition: {
      ...{ recognize, idleCount: 1, waiting: 0, capabilitiesOf: async () => ({ continuation: false }) },
      partialSlots: { tryAcquire: () => undefined },
    },
    detection: {
      voiceActivity: async (audio: Float32Array, state: unknown) => ({ probabilities: loudWindows(audio), state }),
    },
    enhancer: {},
  } as unknown as ChannelServices;
}

interface Final {
  utterance: Utterance;
  state: ChannelState;
}

/** @returns finals of the audio, and the lengths of the judged audio in seconds */
async function finalsOf(
  audio: Float32Array,
  turns: Partial<TurnOptions>,
  { pieceSeconds = 0.1, resumed }: { pieceSeconds?: number; resumed?: ChannelState } = {},
) {
  const finals: Final[] = [];
  const judged: number[] = [];
  const failures: unknown[] = [];
  const ends: number[] = [];
  const { judge = async () => 0.99, ...others } = turns;
  const options: ChannelOptions = {
    ...{
      channel: 0,
      threshold: 0.6,
      endpointingSeconds: 1,
      maximumSeconds: 30,
      includesPartials: false,
      vocabulary: [],
    },
    plan: { model: MODEL, languages: ["en"], isSwitching: false },
    turns: {
      ...{ threshold: 0.85, minimumSeconds: 0.2, maximumSeconds: 2, isJudging: () => failures.length === 0 },
      fail: (error) => void failures.push(error),
      ...others,
      judge: (samples, signal) => {
        judged.push(samples.length / SAMPLE_RATE);
        return judge(samples, signal);
      },
    },
    sources: { carrierOf: () => undefined, isCarried: async () => false, distinctSince: () => 0 },
  };
  const ignore = () => undefined;
  const events = {
    ...{ speechStart: ignore, partial: ignore, enhanced: ignore, languageDetected: ignore, unrecognized: ignore },
    ...{ doubtfulSpeech: ignore, carried: ignore, foreignSpeech: async () => undefined },
    speechEnd: (_channel: number, seconds: number) => void ends.push(seconds),
    failed: (error: unknown) => {
      throw error;
    },
    final: async (_id: string, utterance: Utterance, state: ChannelState) => {
      finals.push({ utterance, state: JSON.parse(JSON.stringify(state)) });
    },
  };
  const channel = new ChannelStream(options, fakeServices(), events, resumed);
  const piece = Math.round(pieceSeconds * SAMPLE_RATE);
  for (let at = ChannelStream.audioStart(resumed); at < audio.length; at += piece) {
    channel.append(audio.slice(at, at + piece));
    if (pieceSeconds < 1) await new Promise((resolve) => setImmediate(resolve));
  }
  await channel.flush();
  return { finals, judged, failures, ends };
}
const starts = ({ finals }: { finals: Final[] }) =>
  finals.map(({ utterance }) => Math.round(10 * utterance.start) / 10);

/** Incomplete after the first stretch of speech, complete later. */
const laterComplete = async (samples: Float32Array) => (samples.length > 3 * SAMPLE_RATE ? 0.99 : 0.01);
const AUDIO = soundOf(2, 0.7, 2, 0.5, 1.5, 1, 1, 3);

test("an incomplete turn waits for speech, a complete one ends before the endpointing", async () => {
  const found = await finalsOf(AUDIO, { judge: laterComplete });
  // The pause of 0.7 s is inside of an utterance; that of 0.5 s ends it; the short ones behind it are waited for.
  expect(starts(found)).toEqual([0, 5.2]);
  expect(starts(await finalsOf(AUDIO, { judge: async () => 0.99 }))).toEqual([0, 2.7, 5.2, 7.7]);
  expect(starts(await finalsOf(AUDIO, { isJudging: () => false }))).toEqual([0, 7.7]);
});

test("finals do not depend on how audio arrives, nor on a restart after any final", async () => {
  const whole = await finalsOf(AUDIO, { judge: laterComplete });
  for (const pieceSeconds of [0.02, 0.33, 20]) {
    const other = await finalsOf(AUDIO, { judge: laterComplete }, { pieceSeconds });
    expect(other.finals).toEqual(whole.finals);
  }
  for (const [at, { state }] of whole.finals.entries()) {
    const resumed = await finalsOf(AUDIO, { judge: laterComplete }, { resumed: state });
    expect(resumed.finals.map(({ utterance }) => utterance)).toEqual(
      whole.finals.slice(at + 1).map(({ utterance }) => utterance),
    );
  }
});

test("at most eight seconds are judged, from the beginning of the utterance", async () => {
  const { judged } = await finalsOf(soundOf(1, 0.5, 12, 1), { judge: async () => 0.99 });
  expect(judged[0]).toBeGreaterThan(1.05);
  expect(judged[0]).toBeLessThan(1.25);
  expect(judged[1]).toBe(8);
});

test("the longest wait bounds every judgement", async () => {
  const turns = { judge: async () => 0, maximumSeconds: 0.4 };
  expect(starts(await finalsOf(soundOf(1, 0.7, 1, 0.3, 1, 1), turns))).toEqual([0, 1.7]);
});

test("a detector that fails is reported once, and the endpointing ends utterances from then on", async () => {
  const found = await finalsOf(soundOf(1, 0.5, 1, 1.5, 1, 2), {
    judge: () => Promise.reject(new Error("damaged")),
  });
  expect(found.failures).toHaveLength(1);
  expect(starts(found)).toEqual([0, 4]);
});
