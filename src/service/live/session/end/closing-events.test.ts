// At the end of the longest sessions, every turn of the event loop is short.
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, expect, test } from "vitest";
import { turnsOf } from "../../../../../test/fixtures/thread-time.ts";
import { utterance } from "../../../../../test/fixtures/utterances.ts";
import { parseLiveParameters } from "../../../../contract/job-parameters.ts";
import type { Transcription, Utterance } from "../../../../contract/transcript/transcript.ts";
import { createLogger } from "../../../../platform/observability/log.ts";
import { Disk } from "../../../../platform/storage/disk/disk.ts";
import { Quarantine } from "../../../../platform/storage/quarantine.ts";
import { RECORD_FORMAT } from "../../dialects/registry.ts";
import { EVENT_CLASSES } from "../../events/subscription.ts";
import { FolderLog } from "../../log/folder-log.ts";
import { Outbox } from "../outbox.ts";
import { persistClosingEvents } from "./closing-events.ts";

/** Processor time of one turn of the event loop. Collections of garbage and first compilations are a part of it. */
const MOST_MILLISECONDS = 150;
const TRIES = 3;
/** Three hours of eight people who speak at once, as their JSON about 18 MB. */
const [CHANNELS, UTTERANCES, WORDS, SECONDS] = [8, 1_350, 20, 7.5];
/** Sentences that continue over the pauses. */
const TEXT = ["And", ...Array.from({ length: WORDS - 2 }, (_, at) => `word${at}`), "the."].join(" ");

const folder = mkdtempSync(path.join(os.tmpdir(), "parlance-closing-"));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function longFinals(): Map<string, Utterance> {
  const finals = new Map<string, Utterance>();
  for (let at = 0; at < UTTERANCES; at++) {
    for (let channel = 0; channel < CHANNELS; channel++) {
      finals.set(`${channel}-${at}`, utterance(TEXT, at * SECONDS + channel / 10, channel));
    }
  }
  return finals;
}

test("the end of a session of three hours with eight channels", { timeout: 120_000 }, async () => {
  const finals = longFinals();
  const logger = createLogger("silent");
  let longest = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < TRIES && longest >= MOST_MILLISECONDS; tries++) {
    const place = path.join(folder, String(tries));
    const disk = new Disk(true);
    const log = await FolderLog.open(place, disk, logger, new Quarantine(folder));
    const sent: string[] = [];
    const outbox = new Outbox({
      sessionId: "id",
      subscription: new Set(EVENT_CLASSES),
      log,
      format: RECORD_FORMAT,
      onEvent: () => undefined,
    });
    await outbox.attach({
      send: async (emitted) => void sent.push(RECORD_FORMAT.print(emitted)),
      answer: async () => undefined,
      arrival: async () => undefined,
    });
    const cost = await turnsOf(() =>
      persistClosingEvents({
        request: parseLiveParameters({}),
        finals,
        outbox,
        format: RECORD_FORMAT,
        addons: { settled: async () => undefined, finish: async () => ({ results: {}, events: [] }) } as never,
        callbacks: undefined,
        viewers: undefined,
        durationSeconds: 10_800,
        channelCount: CHANNELS,
        recorded: async () => undefined,
        diarize: async (transcription: Transcription) => ({ transcription, warnings: [] }),
        startedAt: 0,
        warnings: () => [],
      }),
    );
    await log.close();
    if (process.env["SHOW_TURNS"]) process.stderr.write(`end of a session ${cost.longest}, all ${cost.all}\n`);
    expect(cost.result.transcription.utterances).toHaveLength(finals.size);
    expect(cost.result.transcription.utterances[0]?.words).toHaveLength(WORDS);
    expect(sent.map((text) => JSON.parse(text).type)).toEqual([
      "end_recording",
      "post_transcript",
      "post_final_transcript",
      "end_session",
    ]);
    longest = Math.min(longest, cost.longest);
  }
  expect(longest).toBeLessThan(MOST_MILLISECONDS);
});
