import { expect, test } from "vitest";
import { GREATEST_AUDIO_TEXTS, timeOf } from "../../../../../test/fixtures/greatest-audio-texts.ts";
import { parseClientEvent } from "./client-events.ts";

test.each(GREATEST_AUDIO_TEXTS)("the greatest append of %s takes a short time", (_, literal, isAudio) => {
  const frame = Buffer.from(`{"type":"input_audio_buffer.append","audio":"${literal}"}`);
  const { result, milliseconds } = timeOf(() => parseClientEvent(frame));
  expect(milliseconds).toBeLessThan(120);
  if (isAudio) expect(result).toMatchObject({ kind: "append", audio: { length: (literal.length * 3) / 4 } });
  else expect(result).toMatchObject({ problem: { message: expect.stringContaining("no line breaks") } });
});
