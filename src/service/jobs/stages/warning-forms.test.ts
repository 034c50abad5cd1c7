// Each warning of a recording has a form in src/contract/messages, by which pages show it in other languages.
import { expect, test } from "vitest";
import { readMessage } from "../../../contract/messages/read-message.ts";
import { warningsOf } from "../../../speech/audio/decode/warnings.ts";
import { doubledWarning } from "../../../speech/audio/doubled-source.ts";
import { recordedRateWarning } from "../../../speech/audio/rate-check.ts";
import { wordlessWarning } from "../../../speech/audio/voice-activity/wordless-speech.ts";
import { doubtfulSpeech } from "../../models/doubtful-speech.ts";

const faults = (count: number) => ({
  damagedPackets: count,
  failedReads: count,
  hasUnreadableEnd: true,
  gaps: count,
  gapSeconds: 4,
  firstGapSeconds: 2.5,
  skippedPartsAtSeconds: Array.from({ length: 20 + count }, (_, at) => at),
  ignoredJumps: count,
  stepsBack: count,
  ignoredFromSeconds: 7,
});

const codesOf = (warnings: readonly string[]) => [...new Set(warnings.map((warning) => readMessage(warning)?.code))];

test.each([1, 2])("faults of a file, %i times each", (count) => {
  const warnings = warningsOf(faults(count) as never, 10, 30);
  expect(codesOf(warnings)).toEqual([
    "warning.truncated",
    "warning.damaged_packets",
    "warning.failed_reads",
    "warning.unreadable_end",
    "warning.gaps",
    "warning.skipped_part",
    "warning.skipped_parts",
    "warning.jumps",
    "warning.steps_back",
    "warning.timestamps",
  ]);
  expect(readMessage(warnings[0] ?? "")).toEqual({
    code: "warning.truncated",
    parameters: { held: 10, declared: 30 },
  });
});

test.each([
  [doubledWarning(0.02), "warning.doubled"],
  [recordedRateWarning(0.5, 1), "warning.slow_speech"],
  [recordedRateWarning(0.5, 2), "warning.slow_speech"],
  [recordedRateWarning(2, 1), "warning.fast_speech"],
  [recordedRateWarning(2, 2), "warning.fast_speech"],
  [wordlessWarning([{ startSeconds: 1, endSeconds: 2.5 }]), "warning.wordless"],
  [`3.0 s of ${doubtfulSpeech("whisper-small")}`, "warning.doubtful"],
  [`Some ${doubtfulSpeech("whisper-small")}`, "warning.doubtful.some"],
])("%s", (warning, code) => {
  expect(readMessage(warning)?.code).toBe(code);
});
