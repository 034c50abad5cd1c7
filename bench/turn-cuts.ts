// Turns that end anywhere in continuous speech, as where a client finalizes within a word: word errors in the two halves of the
// recordings, beside sessions whose turns end by silence alone.
import { createSession, LiveClient } from "../test/fixtures/live-client.ts";
import { normalizedWords, wordErrors } from "../test/fixtures/word-error-rate.ts";
import { type RunningService, ready, startService } from "../test/service.ts";
import { pcm } from "./live-stream.ts";
import { loadRecordings, type Recording, SAMPLE_RATE } from "./recordings.ts";
import { printResults, type Result, rounded, saveResults } from "./table.ts";

const ENDPOINTING_SECONDS = 0.3;
/** Place of the first end, and the time between two. */
const FIRST_SECONDS = 2.3;
const STEP_SECONDS = 3.1;
/** Audio behind the last end. */
const REST_SECONDS = 1;
const BYTES_A_SECOND = 2 * SAMPLE_RATE;

/** @param ends  seconds @returns the words of all finals */
async function wordsOf(service: RunningService, samples: Float32Array, ends: readonly number[]): Promise<string[]> {
  const { url } = await createSession(service, {
    endpointing: ENDPOINTING_SECONDS,
    language_config: { languages: ["en"] },
  });
  const client = await LiveClient.connect(url);
  const bytes = pcm(samples);
  let from = 0;
  for (const [count, end] of ends.entries()) {
    const until = 2 * Math.floor((end * BYTES_A_SECOND) / 2);
    client.send(bytes.subarray(from, until));
    client.finalize();
    await client.message(() => client.of("finalize").length > count);
    from = until;
  }
  client.send(bytes.subarray(from));
  client.stop();
  await client.closed;
  return normalizedWords(client.text());
}

function endsOf({ samples }: Recording): number[] {
  const last = samples.length / SAMPLE_RATE - REST_SECONDS;
  const count = Math.max(0, Math.ceil((last - FIRST_SECONDS) / STEP_SECONDS));
  return Array.from({ length: count }, (_, at) => FIRST_SECONDS + at * STEP_SECONDS);
}

async function errorsOf(service: RunningService, recordings: readonly Recording[], areCut: boolean) {
  let [errors, words, forcedEnds] = [0, 0, 0];
  for (const recording of recordings) {
    const ends = areCut ? endsOf(recording) : [];
    const said = normalizedWords(recording.transcript ?? "");
    errors += wordErrors(said, await wordsOf(service, recording.samples, ends));
    words += said.length;
    forcedEnds += ends.length;
  }
  return { errors, words, forcedEnds };
}

const recordings = await loadRecordings(
  ({ file, transcript }) => transcript !== undefined && /^(?:audiobook|reading|speech-en)/.test(file),
);
const service = await startService();
try {
  await ready(service);
  const results: Result[] = [];
  for (const half of [0, 1]) {
    const own = recordings.filter((_, at) => at % 2 === half);
    for (const areCut of [false, true]) {
      const { errors, words, forcedEnds } = await errorsOf(service, own, areCut);
      const name = `half ${half + 1}, turns end ${areCut ? `every ${STEP_SECONDS} s` : "by silence"}`;
      results.push({
        name,
        values: { words, "forced ends": forcedEnds, errors, "errors %": rounded((100 * errors) / words) },
      });
    }
  }
  printResults("turns that end in continuous speech", results);
  saveResults("turn-cuts", results);
} finally {
  await service.remove();
}
