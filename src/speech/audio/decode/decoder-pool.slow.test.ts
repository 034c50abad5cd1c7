// Real decoder processes: accounts share them, and a file that hangs or crashes one only affects itself.
import { setMaxListeners } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { longSilence } from "../../../../test/fixtures/long-recordings.ts";
import { silence, wav } from "../../../../test/fixtures/recordings.ts";
import { childEnvironment } from "../../../platform/config/load.ts";
import { childProcesses } from "../../../platform/process/running-children.ts";
import { DecoderPool } from "./decoder-pool.ts";

const LONG_SECONDS = 1_500;
/** Long enough to exceed the limit for short recordings on a fast machine. */
const LONGEST_SECONDS = 8 * LONG_SECONDS;
const maximumSeconds = 2 * LONGEST_SECONDS;

let folder: string;
let long: string;
let longest: string;
let short: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "parlance-decode-"));
  long = path.join(folder, "long.flac");
  short = path.join(folder, "short.wav");
  await writeFile(long, longSilence(LONG_SECONDS));
  longest = path.join(folder, "longest.flac");
  await writeFile(longest, longSilence(LONGEST_SECONDS));
  await writeFile(short, wav([silence(10)]));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const decoderIds = () => [...childProcesses()].filter(([, name]) => name === "decoder").map(([id]) => id);

describe.each([1, 2])("with %i processes", (processes) => {
  let pool: DecoderPool;
  let outputs = 0;
  const decode = (file: string, tenant: string, options: { signal?: AbortSignal; isSuspect?: boolean } = {}) =>
    pool.decode(file, { tenant, maximumSeconds, outputs: [path.join(folder, `${outputs++}.pcm`)], ...options });

  beforeAll(async () => {
    pool = new DecoderPool({ processes, memoryLimitBytes: 1e9, environment: childEnvironment(os.tmpdir()) });
    await pool.start();
  });
  afterAll(() => pool.stop());

  test("long recordings of one account delay neither an upload nor a recording of another one", async () => {
    const ended: string[] = [];
    const note = (name: string) => () => ended.push(name);
    const all = [
      ...Array.from({ length: 4 }, () => decode(long, "a").then(note("long"))),
      pool.probe(short, { tenant: "b", maximumSeconds }).then(note("probe")),
      decode(short, "b").then(note("short")),
    ];
    await Promise.all(all);
    expect(ended.slice(0, 2).sort()).toEqual(["probe", "short"]);
    expect(ended).toHaveLength(6);
  });

  test("a short recording does not wait for a long recording of the same account", async () => {
    const abort = new AbortController();
    const ended: string[] = [];
    const longs = Array.from({ length: 3 }, () =>
      decode(longest, "a", { signal: abort.signal }).then(() => ended.push("long")),
    );
    const settled = Promise.allSettled(longs);
    await decode(short, "a");
    expect(ended).toEqual([]);
    abort.abort();
    await settled;
  });

  test("cancelled work ends, waiting or in progress, and its process continues", async () => {
    const abort = new AbortController();
    const before = decoderIds();
    const unwanted = Array.from({ length: 6 }, () => decode(long, "a", { signal: abort.signal }));
    await pool.probe(short, { tenant: "b", maximumSeconds });
    abort.abort();
    const outcomes = await Promise.allSettled(unwanted);
    for (const outcome of outcomes) expect(outcome).toMatchObject({ reason: { code: "work.aborted" } });
    expect(decoderIds()).toEqual(before);
    expect(await decode(short, "a")).toMatchObject({ durationSeconds: 10, channels: 1 });
  });

  test.skipIf(process.platform !== "linux")(
    "a process that stops responding is replaced: its current file is identified, and the others are decoded",
    { timeout: 120_000 },
    async () => {
      const victims = Array.from({ length: processes + 1 }, (_, index) => decode(long, `tenant ${index}`));
      const settled = Promise.allSettled(victims);
      await pool.probe(short, { tenant: "b", maximumSeconds });
      for (const id of decoderIds()) process.kill(id, "SIGSTOP");
      // Its first process may be one of the stopped ones; the second one is isolated.
      expect(await pool.probe(short, { tenant: "c", maximumSeconds })).toMatchObject({ durationSeconds: 10 });
      const outcomes = await settled;
      const lost = outcomes.filter(({ status }) => status === "rejected");
      expect(lost.length).toBeLessThanOrEqual(processes);
      for (const outcome of lost) expect(outcome).toMatchObject({ reason: { code: "process.timeout" } });
      expect(outcomes.length - lost.length).toBeGreaterThanOrEqual(1);
      expect(await decode(short, "a", { isSuspect: true })).toMatchObject({ durationSeconds: 10 });
    },
  );

  test("uploads beyond the bound are refused, those of other accounts are not", async () => {
    const abort = new AbortController();
    setMaxListeners(0, abort.signal);
    const options = { maximumSeconds, signal: abort.signal };
    const waiting = Array.from({ length: 300 }, () => pool.probe(long, { tenant: "a", ...options }));
    const settled = Promise.allSettled(waiting);
    expect(() => pool.checkRoom("a")).toThrow(expect.objectContaining({ code: "decode.queue_full", status: 503 }));
    expect(() => pool.checkRoom("b")).not.toThrow();
    abort.abort();
    await settled;
    expect(() => pool.checkRoom("a")).not.toThrow();
  });
});
