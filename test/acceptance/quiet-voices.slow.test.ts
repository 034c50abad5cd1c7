// A telephone voice that takes turns with a near one in one channel: every second of it has words, or a warning names the place, in
// recordings and in live sessions.
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { loadFiles, throughTelephone } from "../../bench/recordings.ts";
import { createSession, LiveClient } from "../fixtures/live-client.ts";
import { hasShared, SHARED, wav } from "../fixtures/recordings.ts";
import { encodePcm } from "../fixtures/speech.ts";
import { isThorough } from "../fixtures/thorough.ts";
import { call, doneJob, type RunningService, ready, startService, submit } from "../service.ts";

const RATE = 16_000;
const PAIRS = [
  ["reading-01", "sentence-1"],
  ["reading-02", "audiobook-0880"],
  ["reading-05", "sentence-3"],
];
const NEAR_LEVEL = 0.08;

const levelOf = (samples: Float32Array) =>
  Math.sqrt(samples.reduce((sum, value) => sum + value * value, 0) / samples.length);
const atLevel = (samples: Float32Array, level: number) => {
  const gain = level / levelOf(samples);
  return samples.map((value) => value * gain);
};

interface Place {
  start: number;
  end: number;
}

describe.skipIf(!hasShared)("a telephone voice beside a near one", () => {
  let service: RunningService;
  let sounds: Float32Array[];
  beforeAll(async () => {
    sounds = (await loadFiles(PAIRS.flat().map((name) => path.join(SHARED, `${name}.flac`)))) as Float32Array[];
    service = await startService();
    await ready(service);
  });
  afterAll(() => service?.remove());

  /** Pairs of turns, and where those of the far voice are. */
  function dialogue(lower: number): { samples: Float32Array; turns: Place[] } {
    const pause = new Float32Array(0.8 * RATE);
    const parts: Float32Array[] = [];
    const turns: Place[] = [];
    for (let at = 0; at < sounds.length; at += 2) {
      parts.push(atLevel(sounds[at] as Float32Array, NEAR_LEVEL), pause);
      const far = atLevel(throughTelephone(sounds[at + 1] as Float32Array), NEAR_LEVEL * 10 ** (-lower / 20));
      const start = parts.reduce((sum, { length }) => sum + length, 0) / RATE;
      turns.push({ start, end: start + far.length / RATE });
      parts.push(far, pause);
    }
    return { samples: Float32Array.from(parts.flatMap((part) => [...part])), turns };
  }

  // biome-ignore lint/suspicious/noExplicitAny: a result as JSON
  function expectNothingSilent(result: any, turns: readonly Place[]): void {
    const words: Place[] = result.transcription.utterances.flatMap((one: { words: Place[] }) => one.words);
    const warned: Place[] = (result.metadata.warnings ?? [])
      .filter((text: string) => text.startsWith("No words were recognised"))
      .flatMap((text: string) => [...text.matchAll(/([\d.]+) to ([\d.]+) s/g)])
      .map(([, start, end]: string[]) => ({ start: Number(start), end: Number(end) }));
    // A turn without words or warnings for a second would be silently lost.
    for (const turn of turns) {
      const covered = [...words, ...warned]
        .filter(({ start, end }) => end > turn.start && start < turn.end)
        .toSorted((left, right) => left.start - right.start);
      let until = turn.start;
      let longest = 0;
      for (const { start, end } of [...covered, { start: turn.end, end: turn.end }]) {
        longest = Math.max(longest, start - until);
        until = Math.max(until, end);
      }
      expect(longest, `turn at ${turn.start.toFixed(1)} s`).toBeLessThan(1.2);
    }
  }

  const RECORDED = isThorough ? [6, 14, 20, 24] : [6, 20];
  test.each(RECORDED)("%i dB lower, each turn has words or a warning", { timeout: 120_000 }, async (lower) => {
    const { samples, turns } = dialogue(lower);
    const { result } = await doneJob(service, await submit(service, wav([samples])));
    expectNothingSilent(result, turns);
  });

  const LIVE = isThorough ? [14, 20, 24, 30] : [14, 30];
  test.each(LIVE)("live, %i dB lower, each turn has words or a warning", { timeout: 120_000 }, async (lower) => {
    const { samples, turns } = dialogue(lower);
    const { id, url } = await createSession(service);
    const client = await LiveClient.connect(url);
    client.send(encodePcm([samples]));
    client.stop();
    await client.closed;
    const { result } = (await call(service, "GET", `/v2/live/${id}`)).json;
    expectNothingSilent(result, turns);
    const reports = client.of("unrecognized_speech").map(({ data }) => data.time_range as [number, number]);
    for (const [start, end] of reports) expect(turns.some((turn) => turn.start < end && turn.end > start)).toBe(true);
    const named = (result.metadata.warnings ?? []).filter((text: string) => text.startsWith("No words")).length;
    expect(named).toBe(reports.length > 0 ? 1 : 0);
  });
});
