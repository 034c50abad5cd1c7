// The greatest vocabulary and spellings of a request: no turn of the event loop is long, neither at the beginning of a session nor when it is changed.
import { expect, test } from "vitest";
import { MemoryLog } from "../../../../test/fixtures/memory-log.ts";
import { turnsOf } from "../../../../test/fixtures/thread-time.ts";
import { utterance } from "../../../../test/fixtures/utterances.ts";
import { parseLiveParameters } from "../../../contract/job-parameters.ts";
import { CallerText } from "./caller-text.ts";
import { SessionChanges } from "./changes.ts";

/** Processor time of one turn of the event loop. Collections of garbage and first compilations are a part of it. */
const MOST_MILLISECONDS = 150;
const TRIES = 3;
const ENTRIES = 5_000;

const LETTERS = "abcdefghijklmnopqrstuvwxyz";

/** Phrases of many different words. */
function phrase(number: number, words: number): string {
  let seed = number;
  const next = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((seed / 2_147_483_648) * below);
  };
  const word = () => Array.from({ length: 3 + next(6) }, () => LETTERS[next(26)]).join("");
  return Array.from({ length: words }, word).join(" ");
}

/** About a megabyte of JSON, as a request may have. */
const list = (seed: number) =>
  Array.from({ length: ENTRIES }, (_, at) => ({
    value: phrase(seed + at, 12),
    pronunciations: [phrase(seed - at - 1, 12)],
  }));

const realtime = (seed: number) => ({ custom_vocabulary: true, custom_vocabulary_config: { vocabulary: list(seed) } });
const SPOKEN = utterance("these are the words of an utterance that a vocabulary does not change", 0);

async function longestOf(what: string, work: (attempt: number) => Promise<CallerText>): Promise<number> {
  let longest = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < TRIES && longest >= MOST_MILLISECONDS; tries++) {
    const made = await turnsOf(() => work(tries));
    const used = await turnsOf(async () => made.result.applyTo(SPOKEN));
    expect(used.result.text).toBe(SPOKEN.text);
    if (process.env["SHOW_TURNS"]) process.stderr.write(`${what} ${made.longest} ${used.longest}\n`);
    longest = Math.min(longest, Math.max(made.longest, used.longest));
  }
  return longest;
}

test("at the beginning of a session", async () => {
  const requests = Array.from({ length: TRIES }, (_, at) =>
    parseLiveParameters({ realtime_processing: realtime(1 + at * 100_000) }),
  );
  const longest = await longestOf("beginning", async (attempt) => {
    const text = new CallerText(requests[attempt] as (typeof requests)[number]);
    await text.prepare();
    return text;
  });
  expect(longest).toBeLessThan(MOST_MILLISECONDS);
});

test("when a session is changed", async () => {
  const requests = Array.from({ length: TRIES }, (_, at) => realtime(10_000_000 + at * 100_000));
  const longest = await longestOf("change", async (attempt) => {
    const request = parseLiveParameters({});
    const changes = new SessionChanges({
      params: { request, endpointingSeconds: request.endpointing, models: {} as never },
      languages: { of: () => ({}) as never, choose: async () => undefined } as never,
      release: () => 0,
      usesLanguages: () => undefined,
      log: new MemoryLog().open(),
      outbox: { send: async () => undefined },
      turns: undefined,
      isRecording: () => true,
      seconds: () => 1,
      apply: ({ applied }) => applied(0),
      usesTurns: () => undefined,
    });
    await changes.configure({ realtime_processing: requests[attempt] as object }, { configure: () => undefined });
    return changes.textOf(0);
  });
  expect(longest).toBeLessThan(MOST_MILLISECONDS);
});
