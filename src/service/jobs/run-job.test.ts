// What is learned from the stages of a job, and for which length they are estimated.
import { pino } from "pino";
import { v7 as uuid } from "uuid";
import { expect, test } from "vitest";
import { NO_TRACING } from "../../platform/observability/tracing.ts";
import type { JobRow } from "../../platform/storage/db/jobs/jobs.ts";
import { transcribedSeconds } from "./audio-length.ts";
import { runJob } from "./run-job.ts";
import type { Stage, StageOutputs, StageServices } from "./stages/stage.ts";

const DECODED = { durationSeconds: 90, distinctChannels: [0, 1] };
const FETCHED = { fileId: "f", objectKey: "audio/f", durationSeconds: 100 };
const params = (more: object) => ({ params: more }) as Parameters<typeof transcribedSeconds>[0];

test("the length is that of the transcribed part, in all its channels", () => {
  const ranged = params({ audio_range: { start: 60, end: 90 } });
  expect(transcribedSeconds(params({}), {})).toBeUndefined();
  expect(transcribedSeconds(params({}), { fetch: FETCHED })).toBe(100);
  expect(transcribedSeconds(ranged, { fetch: FETCHED })).toBe(30);
  expect(transcribedSeconds(params({ audio_range: { start: 60 } }), { fetch: FETCHED })).toBe(40);
  expect(transcribedSeconds(ranged, { fetch: FETCHED, decode: DECODED })).toBe(60);
  expect(transcribedSeconds(params({}), { decode: DECODED })).toBe(180);
  expect(transcribedSeconds(params({}), { decode: { ...DECODED, distinctChannels: [] } })).toBe(90);
  expect(transcribedSeconds(ranged, { fetch: { ...FETCHED, durationSeconds: 40 } })).toBe(0);
  expect(transcribedSeconds(params({}), {}, 50)).toBe(50);
});

const stage = (name: string, output: object): Stage =>
  ({
    ...{ name, cost: () => ({ kind: name, secondsPerAudioSecond: 1, seconds: 0 }) },
    run: async () => output,
  }) as unknown as Stage;
const STAGES = [stage("fetch", FETCHED), stage("decode", DECODED), stage("recognize", { recognizedCount: 0 })];

/** Runs the stages. @returns what is learned, and the lengths that are estimated */
async function run(row: Partial<JobRow>, outputs: StageOutputs, stages = STAGES, file?: number) {
  const [learned, estimated]: [Record<string, number>, number[]] = [{}, []];
  const id = uuid();
  const job = {
    ...{ id, attempt: 1, worker: "a#1", account_id: uuid(), model: "m", audio_url: null, file_id: uuid() },
    ...{ created_at: new Date(), started_at: null, request_params: {}, added_to: null, crashes: 0, progress: 0 },
    ...{ stage: null, ...row },
    ...(row.file_id === "own" ? { file_id: id } : {}),
  } as unknown as JobRow;
  const found = { executeTakeFirst: async () => ({ audio_duration: file ?? null }) };
  const query = { selectAll: () => query, where: () => query, ...found };
  const services = {
    database: { selectFrom: () => query },
    resultProcesses: { prepare: () => undefined },
    stageTimes: {
      expected: (_cost: object, seconds: number) => {
        if (estimated.at(-1) !== seconds) estimated.push(seconds);
        return seconds;
      },
      add: ({ kind }: { kind: string }, seconds: number) => {
        learned[kind] = seconds;
      },
    },
    ...{ tracing: NO_TRACING, logger: pino({ level: "silent" }) },
  } as unknown as StageServices;
  const events = { onStage: () => undefined, onLost: () => undefined };
  await runJob(job, outputs, stages, services, new AbortController().signal, undefined, events);
  return { learned, estimated };
}

test("the first attempt learns its stages, decoding as one channel", async () => {
  const { learned, estimated } = await run({}, {});
  expect(learned).toEqual({ decode: 90, recognize: 180 });
  expect(estimated).toEqual([60, 100, 180]);
});

test("the first attempt after a fetch learns, too; one that continues another does not", async () => {
  const fetched = { file_id: "own", attempt: 2, stage: "decode" };
  const of = (attempt: number): StageOutputs => ({ fetch: { ...FETCHED, attempt } });
  expect((await run(fetched, of(1))).learned).toEqual({ decode: 90, recognize: 180 });
  expect((await run({ ...fetched, attempt: 3 }, of(1))).learned).toEqual({});
  expect((await run({ ...fetched, stage: "recognize" }, of(1))).learned).toEqual({});
  expect((await run({ attempt: 2, stage: "decode" }, of(1))).learned).toEqual({});
  const continued = { ...of(1), decode: { ...DECODED, attempt: 1 } };
  expect((await run({ ...fetched, stage: "recognize" }, continued)).learned).toEqual({});
});

test("add-ons of a text are estimated and learned with the length of the file", async () => {
  const add = [stage("add", { failures: [] })];
  const request_params = { audio_range: { start: 10, end: 40 } };
  const { learned, estimated } = await run({ added_to: uuid(), request_params }, {}, add, 600);
  expect([learned, estimated]).toEqual([{ add: 30 }, [30]]);
  expect((await run({ added_to: uuid() }, {}, add)).learned).toEqual({});
});
