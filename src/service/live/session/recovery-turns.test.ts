// A session of three hours with eight channels is opened again after a restart: its journal has 20 MB.
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { pino } from "pino";
import { afterAll, expect, test } from "vitest";
import { turnsOf } from "../../../../test/fixtures/thread-time.ts";
import { utterance } from "../../../../test/fixtures/utterances.ts";
import { eventLoopTurn } from "../../../platform/process/sleep.ts";
import { inTurns } from "../../../platform/process/steps.ts";
import type { NewDelivery } from "../../../platform/storage/db/deliveries/deliveries.ts";
import { Disk } from "../../../platform/storage/disk/disk.ts";
import { RECORD_FORMAT } from "../dialects/registry.ts";
import { EVENT_CLASSES } from "../events/subscription.ts";
import { Journal } from "../log/journal.ts";
import { LiveCallbacks } from "./callbacks.ts";
import { Outbox } from "./outbox.ts";

/** Processor time of one turn of the event loop. Collections of garbage and first compilations are a part of it. */
const MOST_MILLISECONDS = 150;
const TRIES = 3;
const FINALS = 10_800;
const TEXT = Array.from({ length: 20 }, (_, at) => `word${at}`).join(" ");

const folder = mkdtempSync(path.join(os.tmpdir(), "parlance-recovery-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("its events are read, given to callbacks, and printed in short turns", { timeout: 300_000 }, async () => {
  const disk = new Disk(false);
  const { journal } = await Journal.open(folder, disk);
  for (let number = 0; number < FINALS; number++) {
    const event = { kind: "final" as const, id: String(number), utterance: utterance(TEXT, number, number % 8) };
    const state = { position: number * 16_000, context: { text: TEXT } } as never;
    await journal.append(
      { kind: "message", number, at: new Date(number).toISOString(), event },
      { kind: "channel", channel: number % 8, state },
    );
  }
  await journal.close();
  const recovered = async () => {
    const opened = await Journal.open(folder, disk);
    const stored: NewDelivery[] = [];
    const subscription = new Set(EVENT_CLASSES);
    const callbacks = new LiveCallbacks(
      { jobId: "id" } as never,
      subscription,
      RECORD_FORMAT,
      async (_, deliveries) => {
        stored.push(...deliveries);
        // As a database.
        await eventLoopTurn();
      },
      pino({ level: "silent" }),
    );
    const outbox = new Outbox({
      ...{ sessionId: "id", subscription, log: {} as never, format: RECORD_FORMAT, callbacks },
      onEvent: () => undefined,
    });
    outbox.replay(opened.entries);
    await callbacks.settled();
    const messages = await inTurns(outbox.messages());
    await opened.journal.close();
    return { messages, stored };
  };
  let longest = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < TRIES && longest >= MOST_MILLISECONDS; tries++) {
    const cost = await turnsOf(recovered);
    if (process.env["SHOW_TURNS"]) process.stderr.write(`recovery ${cost.longest} of ${cost.all}\n`);
    const { messages, stored } = cost.result;
    expect(messages).toHaveLength(FINALS);
    expect(stored.map(({ payload }) => payload)).toEqual(messages);
    longest = Math.min(longest, cost.longest);
  }
  expect(longest).toBeLessThan(MOST_MILLISECONDS);
});
