// A segment whose decoding loops is recognised in halves, which keep the language of the whole.
import { expect, test } from "vitest";
import { noise } from "../../../../test/fixtures/recordings.ts";
import { AttentionRecognizer } from "./attention-recognizer.ts";
import type { SpeechModel } from "./speech-model.ts";

const RATE = 16_000;
const FRAME = 320;
const [END, WORD] = [0, 1];

interface Speech {
  frames: number;
  seconds: number;
}

/** A model that repeats one word in audio of more than 4 s, and detects another language in shorter audio. */
function loopingModel(started: (readonly string[] | undefined)[]): SpeechModel<Speech, number, Speech> {
  const pass = ({ seconds, frames }: Speech, fed: number, count: number) => {
    const logits = new Float32Array(2 * count);
    for (let row = 0; row < count; row++) logits[2 * row + (seconds > 4 || fed + row < 1 ? WORD : END)] = 9;
    return { logits, attention: new Float32Array(count * frames).fill(1 / frames), cache: fed + count };
  };
  return {
    traits: {
      sampleRate: RATE,
      samplesPerFrame: FRAME,
      shortestSamples: 0,
      secondsAtOnce: 60,
      leadingSilenceSeconds: 0,
      trailingSilenceSeconds: [0],
      unsettledSeconds: 0,
      startShiftSeconds: 0,
      endShiftSeconds: 0,
      startShare: 0.5,
      tokensPerSecond: 10,
      spareTokens: 1,
      maximumTokens: 200,
      hallucinationConfidence: 0,
    },
    tokenizer: { bytes: (token) => Buffer.from(token === WORD ? " hola" : ""), encode: () => [] },
    vocabularySize: 2,
    endToken: END,
    batchSize: 1,
    encode: async (samples) => {
      const encoded = { frames: Math.ceil(samples.length / FRAME), seconds: samples.length / RATE };
      return { encoded, memory: encoded };
    },
    start: async ({ seconds }, { languages }) => {
      started.push(languages);
      const [named] = languages?.length === 1 ? languages : [];
      const detected = seconds > 4 ? "es" : "pt";
      const probabilities = { languageProbabilities: [[detected, 0.9]] as [string, number][] };
      return { language: named ?? detected, ...(named ? {} : probabilities), fedTokens: 0, tokens: [WORD], rules: [] };
    },
    decode: async (encoded, cache = 0, tokens) => pass(encoded, cache, tokens.length),
    decodeBatch: async (steps) => steps.map(({ encoded, cache = 0 }) => pass(encoded, cache, 1)),
    truncate: (_, tokens) => tokens,
    fork: (_, tokens) => tokens,
    release: async () => undefined,
  };
}

test("both halves of a segment whose decoding fails have the language that the whole segment has", async () => {
  const started: (readonly string[] | undefined)[] = [];
  const recognizer = new AttentionRecognizer(loopingModel(started));
  const { language, languageProbabilities, words } = await recognizer.recognize({ samples: noise(6, 0.1) });
  expect(started).toEqual([undefined, ["es"], ["es"]]);
  expect({ language, languageProbabilities }).toEqual({ language: "es", languageProbabilities: [["es", 0.9]] });
  expect(words.map(({ text }) => text.trim())).toEqual(["hola", "hola"]);
});
