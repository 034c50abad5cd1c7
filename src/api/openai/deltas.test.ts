import { appendFile } from "node:fs/promises";
import { v7 as uuid } from "uuid";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type EmbeddedStores, openStores } from "../../../test/fixtures/embedded-stores.ts";
import { recordedJob } from "../../../test/fixtures/recorded-job.ts";
import { turnsOf } from "../../../test/fixtures/thread-time.ts";
import type { JobParameters } from "../../contract/job-parameters.ts";
import type { Database } from "../../platform/storage/db/database.ts";
import { insertJob } from "../../platform/storage/db/jobs/new-job.ts";
import { printJsonLine } from "../../platform/storage/json-lines.ts";
import { WorkFiles } from "../../service/jobs/stages/work-files.ts";
import type { SentText } from "../../service/transcripts/openai-answer.ts";
import { utterancesOf } from "../../service/transcripts/recognized-segments.ts";
import { SAMPLE_RATE } from "../../speech/audio/sample-rate.ts";
import { changesText, SettledText } from "./deltas.ts";

let database: Database;
let objects: EmbeddedStores["objects"];
let accountId: string;
let stores: EmbeddedStores;

beforeAll(async () => {
  stores = await openStores();
  ({ database, objects, accountId } = stores);
});
afterAll(() => stores.remove());

/** A segment of a second for each word. */
const lineOf = (at: number, spoken: string, { channel = 0, confidence = 0.99, language = "en" } = {}) => {
  const words = spoken.split(" ").filter((word) => word !== "");
  return {
    channel,
    segment: { startSample: at * SAMPLE_RATE, endSample: (at + Math.max(1, words.length)) * SAMPLE_RATE },
    language,
    words: words.map((word, index) => ({
      text: word,
      startSeconds: at + index,
      endSeconds: at + index + 0.9,
      confidence,
    })),
  };
};
type Line = ReturnType<typeof lineOf>;

/** A job whose segments are known, and that has recognised nothing yet. */
async function running(lines: readonly Line[]) {
  const id = uuid();
  await insertJob(database, recordedJob(accountId, { id }));
  const files = WorkFiles.of(id, 0, {});
  const channels = [...new Set(lines.map(({ channel }) => channel))];
  const segmentsOf = (channel: number) =>
    lines.filter((line) => line.channel === channel).map(({ segment }) => segment);
  await objects.put(
    files.segments,
    JSON.stringify(channels.map((channel) => ({ channel, segments: segmentsOf(channel) }))),
  );
  await objects.put(files.recognized, "");
  const add = async (...added: Line[]) =>
    appendFile(await objects.localPath(files.recognized), added.map(printJsonLine).join(""));
  return { id, add, settled: new SettledText({ database, objects }, id, {}) };
}

test("the texts of all looks are those of the transcript, but for the last", async () => {
  const lines = [
    lineOf(0, "We will go to."),
    lineOf(5, "The house."),
    lineOf(9, ""),
    lineOf(11, "It has twenty three rooms."),
    lineOf(20, "And a garden."),
    lineOf(24, "–"),
    lineOf(40, "Über alles, 我们."),
    lineOf(60, "The end."),
  ];
  const all = utterancesOf(lines).map(({ text, language }) => ({ text, language }));
  const { add, settled } = await running(lines);
  expect(await settled.next()).toEqual([]);
  // Recognition ends in any order.
  const looks: SentText[][] = [];
  for (const at of [1, 0, 2, 4, 3, 5, 7, 6]) {
    await add(lines[at] as Line);
    looks.push(await settled.next());
  }
  expect(looks.flat()).toEqual(all.slice(0, -1));
  expect(settled.sent).toEqual(looks.flat());
  expect(looks.filter((texts) => texts.length > 0).length).toBeGreaterThan(2);
  expect(await settled.next()).toEqual([]);
});

const SPOKEN = "we went to the house with twenty three rooms and sold one hundred of them again.".split(" ");
const MANY = 2_000;
/** Processor time; reading and writing everything at once took 1,500. */
const MOST_TURN_MILLISECONDS = 300;

test("hours of speech that are found at once are written in turns, as one by one; a client that leaves ends that", {
  timeout: 120_000,
}, async () => {
  const lines = Array.from({ length: MANY }, (_, at) => {
    const words = SPOKEN.slice(at % 5, SPOKEN.length - (at % 3)).join(" ");
    // Some without words, and some that are nearly doubtful.
    return lineOf(at * 20, at % 7 === 3 ? "" : words, { confidence: at % 11 === 0 ? 0.76 : 0.99 });
  });
  const atOnce = await running(lines);
  expect(await atOnce.settled.next()).toEqual([]);
  await atOnce.add(...lines);
  const { result, longest } = await turnsOf(() => atOnce.settled.next());
  expect(longest).toBeLessThan(MOST_TURN_MILLISECONDS);
  const spoken = utterancesOf(lines.slice(0, 300)).map(({ text, language }) => ({ text, language }));
  expect(result.slice(0, 200)).toEqual(spoken.slice(0, 200));
  expect(result).toHaveLength(lines.filter(({ words }) => words.length > 0).length - 1);

  const slowly = await running(lines);
  for (let at = 0; at < MANY; at += 37) {
    await slowly.add(...lines.slice(at, at + 37));
    await slowly.settled.next();
  }
  expect(slowly.settled.sent).toEqual(result);

  const left = await running(lines);
  await left.add(...lines);
  expect(await left.settled.next(AbortSignal.abort())).toEqual([]);
});

test("a line that is being written, doubtful English and a second channel wait", async () => {
  const sure = [lineOf(0, "This is sure."), lineOf(4, "So is this.")];
  const { id, settled } = await running([...sure, lineOf(8, "Later.")]);
  const file = await objects.localPath(WorkFiles.of(id, 0, {}).recognized);
  const printed = sure.map(printJsonLine).join("");
  await appendFile(file, printed.slice(0, -20));
  expect(await settled.next()).toEqual([]);
  await appendFile(file, printed.slice(-20));
  expect(await settled.next()).toEqual([{ text: "This is sure.", language: "en" }]);

  const doubtful = [lineOf(0, "Dos is tie.", { confidence: 0.2 }), lineOf(4, "Men nicked.", { confidence: 0.2 })];
  const unsure = await running(doubtful);
  await unsure.add(...doubtful);
  expect(await unsure.settled.next()).toEqual([]);

  const both = [lineOf(0, "Here."), lineOf(3, "There."), lineOf(5, "Yes.", { channel: 1 })];
  const twoChannels = await running(both);
  await twoChannels.add(...both);
  expect(await twoChannels.settled.next()).toEqual([]);
});

test.each<[boolean, Partial<JobParameters>]>([
  [false, {}],
  [true, { diarization: true }],
  [true, { translation: true }],
  [true, { custom_vocabulary: true, custom_vocabulary_config: { vocabulary: ["Vercel"] } }],
  [true, { custom_vocabulary: ["Vercel"] }],
  [true, { account_words: [{ value: "Vercel" }] }],
])("whether the text changes after it is complete: %s for %j", (changes, parameters) => {
  expect(changesText(parameters as JobParameters)).toBe(changes);
});

test("a job that is claimed later is read from its first attempt; another attempt adds nothing", async () => {
  const lines = [lineOf(0, "One is here."), lineOf(4, "Two is here."), lineOf(8, "Three is here.")];
  const id = uuid();
  await insertJob(database, recordedJob(accountId, { id }));
  const settled = new SettledText({ database, objects }, id, {});
  expect(await settled.next()).toEqual([]);
  const claim = async (attempt: number, known: readonly Line[]) => {
    await database.updateTable("jobs").set({ attempt }).where("id", "=", id).execute();
    const files = WorkFiles.of(id, attempt, {});
    await objects.put(files.segments, JSON.stringify([{ channel: 0, segments: lines.map(({ segment }) => segment) }]));
    await objects.put(files.recognized, known.map(printJsonLine).join(""));
  };
  await claim(1, lines.slice(0, 2));
  expect(await settled.next()).toEqual([{ text: "One is here.", language: "en" }]);
  await claim(2, lines);
  expect(await settled.next()).toEqual([]);
});
