// A session under commands in any order: chunks of any size and form, garbage, pauses, lost connections, clients that
// take over, kills of the server. Whatever came, the end is that of an undisturbed session.
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import * as fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { freePort } from "../fixtures/free-port.ts";
import { createSession } from "../fixtures/live-client.ts";
import { checkSession, undisturbed } from "../fixtures/live-invariants.ts";
import { Speaker } from "../fixtures/speaker.ts";
import { call, type RunningService, startService } from "../service.ts";

const RUNS = 8;
const MOST_COMMANDS = 25;
/** Where a client goes on is found by what it sends: a few bytes look alike everywhere. No known client sends so few. */
const LEAST_BYTES = 64;
/** A failure is run again with the seed and the path that fast-check prints. */
const SEED = 20_261_121;

let folder: string;
let environment: Record<string, string>;
let service: RunningService;
let audio: Buffer;
let words: string[];

beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), "parlance-commands-"));
  environment = { PARLANCE_PORT: String(await freePort()) };
  service = await startService({ folder, environment });
  ({ audio, words } = await undisturbed(service, 3));
  expect(words.length).toBeGreaterThan(10);
});
afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
});

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

interface Command {
  /** Shown when it fails. */
  name: string;
  run(speaker: Speaker): void | Promise<void>;
}

const garbage = fc.constantFrom("", "not JSON", "{}", '{"type":"unknown"}', '{"type":"audio_chunk","data":{}}', "[1]");
const commands: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({ bytes: fc.integer({ min: LEAST_BYTES, max: 40_001 }), isJson: fc.boolean() }).map(
      ({ bytes, isJson }): Command => ({
        name: `send ${bytes}${isJson ? " as JSON" : ""}`,
        run: (speaker) => speaker.send(bytes, isJson),
      }),
    ),
  },
  {
    weight: 2,
    arbitrary: garbage.map((text): Command => ({ name: `say ${text}`, run: (speaker) => speaker.say(text) })),
  },
  {
    weight: 3,
    arbitrary: fc.integer({ min: 0, max: 400 }).map(
      (milliseconds): Command => ({
        name: `wait ${milliseconds} ms`,
        run: async () => {
          await pause(milliseconds);
        },
      }),
    ),
  },
  {
    weight: 4,
    arbitrary: fc
      .constantFrom("drop" as const, "take over" as const)
      .map((how): Command => ({ name: how, run: (speaker) => speaker.comeBack(how) })),
  },
  {
    weight: 2,
    arbitrary: fc.constant<Command>({
      name: "look",
      run: async (speaker) => {
        expect((await call(service, "GET", `/v2/live/${speaker.id}`)).json.status).toMatch(/^(queued|processing)$/);
      },
    }),
  },
  {
    weight: 1,
    arbitrary: fc.constant<Command>({
      name: "kill",
      run: (speaker) =>
        speaker.survive(async () => {
          await service.kill();
          service = await startService({ folder, environment });
        }),
    }),
  },
);

test("any commands in any order lead to the same words", { timeout: 300_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(commands, { minLength: 5, maxLength: MOST_COMMANDS }), async (list) => {
      const { id, url } = await createSession(service, { endpointing: 0.3 });
      const speaker = await Speaker.begin(audio, id, url);
      for (const command of list) await command.run(speaker);
      await speaker.finish();
      await checkSession(service, speaker.id, speaker.messages, { audio, words });
    }),
    { numRuns: RUNS, seed: SEED, endOnFailure: true },
  );
});
