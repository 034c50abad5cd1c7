// Speakers, end to end: several voices in one channel, channels as speakers, and speakers in the results of add-ons.
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Utterance } from "../../src/contract/transcript/transcript.ts";
import { hasShared, references, silence, wav } from "../fixtures/recordings.ts";
import { atRate, decodeSpeech, repeated } from "../fixtures/speech.ts";
import { finished, type RunningService, startService, submit } from "../service.ts";

let service: RunningService;
let speech: Float32Array;
beforeAll(async () => {
  speech = await decodeSpeech();
  service = await startService();
});
afterAll(() => service.remove());

async function diarized(audio: Buffer, params: object = {}) {
  const job = await finished(service, await submit(service, audio, { diarization: true, ...params }));
  expect(job.status).toBe("done");
  expect(job.result.diarization).toBeUndefined();
  return job.result;
}

const speakersOf = (utterances: Utterance[]) => utterances.map(({ speaker }) => speaker);
const joined = (parts: Float32Array[]) => Float32Array.from(parts.flatMap((part) => [...part]));

test("one voice is one speaker, and not a word is lost", async () => {
  const audio = wav([repeated(speech, 3, 1)]);
  const { transcription } = await diarized(audio);
  expect(new Set(speakersOf(transcription.utterances))).toEqual(new Set([0]));
  const plain = await finished(service, await submit(service, audio, {}));
  expect(transcription.full_transcript).toBe(plain.result.transcription.full_transcript);
});

test("a deeper voice is another speaker, and each keeps its number", async () => {
  // The same sentence played slower: lower, and made by a longer throat.
  const deeper = atRate(speech, 16_000 * 1.3);
  const pause = silence(0.7);
  const audio = wav([joined([speech, pause, deeper, pause, speech, pause, deeper, pause])]);
  const { transcription } = await diarized(audio, { diarization_config: { number_of_speakers: 2 } });
  expect(speakersOf(transcription.utterances)).toEqual([0, 1, 0, 1]);
});

test("channels are the speakers where there are several", async () => {
  const rest = silence(speech.length / 16_000);
  const left = joined([rest, speech, rest]);
  const right = joined([speech, rest, speech]);
  const { transcription } = await diarized(wav([left, right]), {
    subtitles: true,
    subtitles_config: { formats: ["vtt"] },
    sentences: true,
    sentiment_analysis: true,
  });
  expect(transcription.utterances.map(({ channel, speaker }: Utterance) => [channel, speaker])).toEqual([
    [1, 0],
    [0, 1],
    [1, 0],
  ]);
  expect(transcription.subtitles[0].subtitles).toMatch(/<v Speaker 0>Hello from[\s\S]*<v Speaker 1>Hello from/);
  expect(transcription.sentences[0].results.map(({ speaker }: Utterance) => speaker)).toEqual([0, 1, 0]);
});

describe.skipIf(!hasShared)("recorded dialogue (needs ../shared)", () => {
  test("each word is attributed to its speaker, and so are sentences and sentiments", async () => {
    const dialogue = references().find(({ word_speakers }) => word_speakers !== undefined);
    const result = await diarized(readFileSync(dialogue?.path ?? ""), { sentiment_analysis: true });
    const { utterances } = result.transcription;
    expect(speakersOf(utterances)).toEqual([0, 1, 2]);
    expect(utterances.map(({ text }: Utterance) => text.toLowerCase())).toEqual([
      expect.stringMatching(/^and so it begins/),
      expect.stringMatching(/^this is what a crocodile/),
      expect.stringMatching(/^ladies and gentlemen.*thank you/),
    ]);
    const speakers = new Set(result.sentiment_analysis.results.map(({ speaker }: Utterance) => speaker));
    expect(speakers).toEqual(new Set([0, 1, 2]));
  });
});
