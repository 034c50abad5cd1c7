import { expect, test } from "vitest";
import type { StreamFormat } from "../../../speech/audio/stream-format.ts";
import { StreamReader } from "../audio/stream-reader.ts";
import { AudioInput, type AudioInputParts } from "./audio-input.ts";

const FORMAT: StreamFormat = { encoding: "wav/pcm", bitDepth: 16, sampleRate: 16_000, channels: 2 };
const SECOND_BYTES = 64_000;

/** @param detectedSeconds  in the channel that is furthest behind */
const reached = (receivedSeconds: number, detectedSeconds: number) => {
  const parts = {
    log: { audio: { total: receivedSeconds * SECOND_BYTES } },
    reader: new StreamReader(FORMAT),
    // Audio that the removal of leaks holds back is in no channel, so that it is not among the undetected audio.
    channels: { detectedSeconds, undetectedSeconds: 0 },
  } as unknown as AudioInputParts;
  return new AudioInput(parts, false, () => undefined).reached;
};

test("audio that no channel has received yet is not detected", () => {
  expect(reached(11, 10.23)).toEqual({ bytes: 11 * SECOND_BYTES, seconds: 11, detectedSeconds: 10.23 });
});

test("when no more audio follows, all of it is detected", () => {
  expect(reached(11, Number.POSITIVE_INFINITY)).toMatchObject({ detectedSeconds: 11 });
});
