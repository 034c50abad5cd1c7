// Speakers of a recording.
import { expect, test } from "vitest";
import { utterance } from "../../../test/fixtures/utterances.ts";
import type { TranscriptionResult } from "../../contract/transcript/transcript.ts";
import { piecesLine, type SpeakerLine, windowsLine } from "../../speech/speakers/recorded-speakers.ts";
import { RAISED_SHIFT, WINDOW_FRAMES } from "../../speech/speakers/speaker-networks.ts";
import { transcribed } from "../transcripts/recognized-segments.ts";
import { runAddons } from "./run-addons.ts";

/** One window in which one person talks in all frames. */
function talking(channel: number): SpeakerLine[] {
  const frames = new Uint8Array(WINDOW_FRAMES).fill(1 | (1 << RAISED_SHIFT));
  const voices = Float32Array.of(1, 0);
  return [
    windowsLine(channel, { first: 0, frames }),
    piecesLine(channel, { pieces: [{ start: 10, end: WINDOW_FRAMES - 10 }], dimensions: 2, voices }),
  ];
}

/** One window in which the segmentation finds no speaker: a word such as "yes" is too short for it. */
const silent = (channel: number): SpeakerLine[] => [
  windowsLine(channel, { first: 0, frames: new Uint8Array(WINDOW_FRAMES) }),
];

test.each([
  ["no turn", silent(1)],
  ["no window", []],
])("the words of a channel with %s are not those of another channel's speaker", async (_, lines) => {
  for (const [talkingChannel, otherChannel] of [
    [0, 1],
    [1, 0],
  ] as const) {
    const onOther = lines.map((line) => ({ ...line, channel: otherChannel }));
    const utterances = [
      { ...utterance("We met twice today."), channel: talkingChannel },
      { ...utterance("Yes."), channel: otherChannel },
    ];
    const result: TranscriptionResult = {
      metadata: { audio_duration: 10, number_of_distinct_channels: 2, billing_time: 20, transcription_time: 1 },
      transcription: { full_transcript: "We met twice today. Yes.", languages: ["en"], utterances },
    };
    const params = { diarization: true, diarization_config: { min_speakers: 3 } };
    const found = [...talking(talkingChannel), ...onOther].sort((left, right) => left.channel - right.channel);
    const voices = { method: "networks" as const, model: "any", lines: found, recordingTime: (time: number) => time };
    await runAddons(result, params, {}, { voices });
    const speakers = new Map(result.transcription.utterances.map(({ channel, speaker }) => [channel, speaker]));
    expect(speakers.size).toBe(2);
    expect(speakers.get(0)).not.toBe(speakers.get(1));
  }
});

/** Word times a quarter of a second apart. */
const segment = (text: string, start: number) => ({
  channel: 0,
  segment: { startSample: start * 16_000, endSample: (start + 1) * 16_000 },
  language: "en",
  words: text.split(" ").map((word, at) => ({
    text: word,
    startSeconds: start + at / 4,
    endSeconds: start + (at + 1) / 4,
    confidence: 1,
  })),
});

test.each([
  ["another speaker ends a sentence", 1, ["Ask not.", "What did you say?"]],
  ["one speaker continues it over a pause", 0, ["Ask not what did you say?"]],
])("%s", async (_, second, texts) => {
  const { transcription, pauses } = transcribed([segment("Ask not.", 3), segment("What did you say?", 5)]);
  expect(transcription.full_transcript).toBe("Ask not what did you say?");
  const result: TranscriptionResult = {
    metadata: { audio_duration: 10, number_of_distinct_channels: 1, billing_time: 10, transcription_time: 1 },
    transcription,
  };
  // The speakers of a window of 10 s change at 4.5 s.
  const half = Math.round(0.45 * WINDOW_FRAMES);
  const bits = 1 | (1 << RAISED_SHIFT);
  const frames = new Uint8Array(WINDOW_FRAMES).fill(bits, 0, half).fill(bits << second, half);
  const lines = [
    windowsLine(0, { first: 0, frames }),
    piecesLine(0, {
      pieces: [
        { start: 10, end: half },
        { start: half, end: WINDOW_FRAMES - 10 },
      ],
      dimensions: 2,
      voices: second === 0 ? Float32Array.of(1, 0, 1, 0) : Float32Array.of(1, 0, 0, 1),
    }),
  ];
  const voices = { method: "networks" as const, model: "any", lines, recordingTime: (time: number) => time };
  await runAddons(result, { diarization: true }, {}, { voices, pauses });
  expect(result.transcription.utterances.map(({ text }) => text)).toEqual(texts);
  expect(result.transcription.full_transcript).toBe(texts.join(" "));
});
