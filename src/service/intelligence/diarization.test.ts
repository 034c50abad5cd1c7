// Speakers of a recording with several channels.
import { expect, test } from "vitest";
import { utterance } from "../../../test/fixtures/utterances.ts";
import type { TranscriptionResult } from "../../contract/transcript/transcript.ts";
import { piecesLine, type SpeakerLine, windowsLine } from "../../speech/speakers/recorded-speakers.ts";
import { RAISED_SHIFT, WINDOW_FRAMES } from "../../speech/speakers/speaker-networks.ts";
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
