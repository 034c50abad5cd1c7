// Warnings of recordings have forms in src/contract/messages, by which pages show it in other languages.
import { expect, test } from "vitest";
import { readMessage } from "../../../contract/messages/read-message.ts";
import { ZEROS } from "../../../speech/audio/decode/container/file-end.ts";
import {
  editedOutNote,
  IN_NO_BOX,
  stepsBackNote,
  unlistedNote,
} from "../../../speech/audio/decode/container/mp4-parts.ts";
import { staleNote, truncatedNote } from "../../../speech/audio/decode/container/sound-parts.ts";
import { tagNote } from "../../../speech/audio/decode/container/tagged-parts.ts";
import {
  doubtfulNote,
  exchangedNote,
  misstatedNote,
  noSamplesNote,
  sectionNote,
} from "../../../speech/audio/decode/container/true-format.ts";
import { unusedNote } from "../../../speech/audio/decode/container/unused-bytes.ts";
import { CUT_PAGE } from "../../../speech/audio/decode/ogg-parts.ts";
import { NOT_NUMBERS, scaleNotes } from "../../../speech/audio/decode/sample-scale.ts";
import { warningsOf } from "../../../speech/audio/decode/warnings.ts";
import { doubledWarning } from "../../../speech/audio/doubled-source.ts";
import { holesWarning } from "../../../speech/audio/holes.ts";
import { recordedRateWarning } from "../../../speech/audio/rate-check.ts";
import { wordlessWarning } from "../../../speech/audio/voice-activity/wordless-speech.ts";
import { doubtfulSpeech } from "../../models/doubtful-speech.ts";
import { wordlessTrackWarning } from "./assemble.ts";

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

const STATED = { encoding: "wav/pcm", bitDepth: 16, sampleRate: 16_000, channels: 1 } as const;

test.each([
  [editedOutNote(2, 11.25), "warning.edited_out"],
  [stepsBackNote(1), "warning.fragments_back"],
  [stepsBackNote(2), "warning.fragments_back"],
  [unlistedNote(1_000, 9_000), "warning.unlisted"],
  [staleNote(100, 200), "warning.stale_header"],
  [misstatedNote(STATED, "big-endian 16-bit PCM"), "warning.misstated"],
  [sectionNote(STATED, "big-endian 16-bit PCM", [8, 20.5]), "warning.misstated.section"],
  [doubtfulNote(STATED, "audio of two channels, or of one with every sample twice"), "warning.misstated.doubtful"],
  [exchangedNote, "warning.exchanged_channels"],
  [noSamplesNote(STATED, "compressed or encrypted data"), "warning.no_samples"],
  ...scaleNotes({ gain: 1 / 32_768, isClipped: false }).map((note) => [note, "warning.above_scale"]),
  ...scaleNotes({ gain: 512, isClipped: false }).map((note) => [note, "warning.low_scale"]),
  ...scaleNotes({ gain: 1, isClipped: true }).map((note) => [note, "warning.clipped_scale"]),
  [NOT_NUMBERS, "warning.not_numbers"],
  [tagNote(9_000, 500), "warning.stale_tag"],
  [truncatedNote(200, 100), "warning.truncated.bytes"],
  [doubledWarning(0.02), "warning.doubled"],
  [recordedRateWarning(0.5, 1), "warning.slow_speech"],
  [recordedRateWarning(0.5, 2), "warning.slow_speech"],
  [recordedRateWarning(2, 1), "warning.fast_speech"],
  [recordedRateWarning(2, 2), "warning.fast_speech"],
  [wordlessWarning([{ startSeconds: 1, endSeconds: 2.5 }]), "warning.wordless"],
  [holesWarning([{ startSeconds: 1, endSeconds: 2.5, silentSeconds: 1.2 }]), "warning.holes"],
  [wordlessTrackWarning(0, 2), "warning.wordless_track"],
  [`3.0 s of ${doubtfulSpeech("whisper-small")}`, "warning.doubtful"],
  [`Some ${doubtfulSpeech("whisper-small")}`, "warning.doubtful.some"],
])("%s", (warning, code) => {
  expect(readMessage(warning)?.code).toBe(code);
});

test.each([
  [CUT_PAGE, "warning.unused_bytes.page"],
  [IN_NO_BOX, "warning.unused_bytes.box"],
  [ZEROS, "warning.unused_bytes.zeros"],
])("bytes that were not used: %s", (reason, code) => {
  expect(readMessage(unusedNote(10, 20, reason))).toEqual({
    code: "warning.unused_bytes",
    parameters: { bytes: 10, from: 10, reason: { code, parameters: {} } },
  });
});
