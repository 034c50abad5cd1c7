// Live sessions, measured at their clients, several concurrently; see live-stream.ts for the definitions. Usage: npm run bench -- live
// [rates | turns | loads [SESSIONS]]. With --wire NAME (or all) [--sessions 1,8] [--seconds N] [--rounds N], other wires beside our own
// protocol; see live-wires.ts.
import { parseArgs } from "node:util";
import { normalizedWords, wordErrors } from "../test/fixtures/word-error-rate.ts";
import { ready, startService } from "../test/service.ts";
import { allOnce, continuous, pcm, stream } from "./live-stream.ts";
import { turnDelays } from "./live-turns.ts";
import { compareWires } from "./live-wires.ts";
import { processorTimes } from "./processor-time.ts";
import { loadRecordings, type Recording, SAMPLE_RATE } from "./recordings.ts";
import { milliseconds, printResults, type Result, rounded, saveResults } from "./table.ts";

const LOADS = [1, 4, 8, 16, 32];
/** One session streams every recording that has a transcript; with several sessions each streams this much. */
const SECONDS_OF_LOAD = 40;
const text = { type: "string" } as const;
const { values: options, positionals } = parseArgs({
  options: { wire: text, sessions: text, seconds: text, rounds: text },
  allowPositionals: true,
});
/** Word error rates by seconds of endpointing, %. */
const MOST_ERRORS: Readonly<Record<number, number>> = { 0.3: 3, 0.8: 2.4 };

async function loads(spoken: Recording[], recordings: Recording[]): Promise<Result[]> {
  const results: Result[] = [];
  for (const sessions of positionals[1] ? [Number(positionals[1])] : LOADS) {
    const service = await startService({
      environment: { PARLANCE_MAX_LIVE_SESSIONS: "64", PARLANCE_FSYNC: process.env["PARLANCE_FSYNC"] ?? "always" },
    });
    await ready(service);
    const before = processorTimes(service);
    const body = { messages_config: { receive_partial_transcripts: true, receive_acknowledgments: false } };
    const runs = Array.from({ length: sessions }, async (_, index) => {
      // Real sessions do not start simultaneously.
      await new Promise((resolve) => setTimeout(resolve, index * 170));
      const speech = sessions === 1 ? allOnce(spoken) : continuous(recordings, index * 3, SECONDS_OF_LOAD);
      return stream(service, speech, body, 0.3);
    });
    // Sessions beyond the capacity are refused.
    const settled = await Promise.allSettled(runs);
    const outcomes = settled.flatMap((one) => {
      if (one.status === "fulfilled") return [one.value];
      if (String(one.reason).includes("can be served")) return [];
      throw one.reason;
    });
    const audioSeconds = outcomes.reduce((sum, outcome) => sum + outcome.audioSeconds, 0);
    const shares = [...processorTimes(service)].map(([name, seconds]): [string, number] => [
      `${name} % of a core, each session`,
      rounded((100 * (seconds - (before.get(name) ?? 0))) / audioSeconds, 1),
    ]);
    await service.remove();
    const finals = outcomes.flatMap(({ finalDelays }) => finalDelays);
    const partials = outcomes.flatMap(({ partialDelays }) => partialDelays);
    const shown = outcomes.reduce((sum, { shownWords }) => sum + shownWords, 0);
    const changed = outcomes.reduce((sum, { changedWords }) => sum + changedWords, 0);
    const [finalMedian, final95] = [milliseconds(finals, 0.5), milliseconds(finals, 0.95)];
    const [partialMedian, partial95] = [milliseconds(partials, 0.5), milliseconds(partials, 0.95)];
    const goals: Record<number, [string, boolean]> = {
      1: [
        "final 200/450 ms, word 250/500 ms, changed 5 %",
        finalMedian <= 200 && final95 <= 450 && partialMedian <= 250 && partial95 <= 500 && changed <= 0.05 * shown,
      ],
      8: ["word 400 ms, final 200/500 ms", partialMedian <= 400 && finalMedian <= 200 && final95 <= 500],
      16: ["word 600 ms, final 300/900 ms", partialMedian <= 600 && finalMedian <= 300 && final95 <= 900],
      32: ["final 1000 ms (95th)", final95 <= 1000],
    };
    const [goal, isMet] = goals[sessions] ?? [];
    results.push({
      name: `${sessions} session${sessions === 1 ? "" : "s"}`,
      values: {
        admitted: outcomes.length,
        "final median ms": finalMedian,
        "final P95 ms": final95,
        "word median ms": partialMedian,
        "word P95 ms": partial95,
        "changed %": rounded((100 * changed) / shown, 1),
        finals: finals.length,
        ...Object.fromEntries(shares),
      },
      ...(goal ? { goal, isMet: isMet ?? false } : {}),
    });
  }
  return results;
}

async function wordErrorRates(recordings: Recording[]): Promise<Result[]> {
  const results: Result[] = [];
  const service = await startService({ environment: { PARLANCE_MAX_LIVE_SESSIONS: "64" } });
  await ready(service);
  for (const endpointing of [0.05, 0.3, 0.8]) {
    let errors = 0;
    let words = 0;
    for (const recording of recordings) {
      const { text } = await stream(service, pcm(recording.samples), {}, endpointing);
      const reference = normalizedWords(recording.transcript ?? "");
      errors += wordErrors(reference, normalizedWords(text));
      words += reference.length;
    }
    const rate = rounded((100 * errors) / words);
    const most = MOST_ERRORS[endpointing];
    results.push({
      name: `endpointing ${endpointing} s`,
      values: { "WER %": rate, errors, words },
      ...(most === undefined ? {} : { goal: `at most ${most} %`, isMet: rate <= most }),
    });
  }
  await service.remove();
  return results;
}

async function usual(spoken: Recording[], speech: Recording[]): Promise<void> {
  const [wanted] = positionals;
  const rates = wanted === "loads" || wanted === "turns" ? [] : await wordErrorRates(spoken);
  if (rates.length > 0) {
    printResults("Word error rate of live finals", rates);
    saveResults("live-rates", rates);
  }
  const turns =
    wanted === "turns" || wanted === undefined
      ? await turnDelays(spoken.filter(isSentence).filter((_, at) => at % 2 === 0))
      : [];
  if (turns.length > 0) {
    printResults("Time to the final of a turn that ends without silence (endpointing 0.3 s)", turns);
    saveResults("live-turns", turns);
  }
  const latencies = wanted === "rates" || wanted === "turns" ? [] : await loads(spoken, speech);
  if (latencies.length > 0) printResults("Live latency by sessions at once (endpointing 0.3 s)", latencies);
  if (latencies.length === LOADS.length) saveResults("live-loads", latencies);
}

/** Every other single sentence: a long recording is not a turn. */
const isSentence = ({ file, samples }: Recording) => !file.startsWith("order") && samples.length < 10 * SAMPLE_RATE;
const speech = await loadRecordings((reference) => !reference.file.startsWith("meeting"));
const { wire, sessions, seconds, rounds } = options;
if (wire !== undefined) await compareWires({ wire, sessions, seconds, rounds }, speech);
else await usual(await loadRecordings((reference) => reference.transcript !== undefined), speech);
