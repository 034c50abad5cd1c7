// Measures recognition of audio that ends in the middle of speech, as the audio of every partial does. Varied are the length of the
// appended silence, and whether decoding starts again or continues from the previous partial. The words are compared with those of
// the whole utterance.

import { Endpointing } from "../src/service/live/channel/endpointing.ts";
import { PADDING_SECONDS } from "../src/service/live/channel/partial-audio.ts";
import { tokensOf } from "../src/service/live/channel/speech-context.ts";
import { padded } from "../src/speech/audio/padded.ts";
import { initialVoiceActivityState } from "../src/speech/audio/voice-activity/detector-state.ts";
import { WINDOW_SAMPLES } from "../src/speech/audio/voice-activity/detector-windows.ts";
import { loadVoiceActivityModel, speechProbabilities } from "../src/speech/audio/voice-activity/silero.ts";
import type { Model } from "../src/speech/engines/engine.ts";
import { moonshine } from "../src/speech/engines/moonshine/engine.ts";
import { BUILT_IN_MODELS } from "../src/speech/engines/registry.ts";
import type { RecognizedWord } from "../src/speech/recognition/recognizer.ts";
import { lettersOf } from "../src/speech/text/sound.ts";
import { loadRecordings, SAMPLE_RATE } from "./recordings.ts";
import { percentile, printResults, rounded, saveResults } from "./table.ts";

const PADDINGS = [0, 0.05, PADDING_SECONDS, 0.2, 0.5];
const LEAD_SECONDS = 0.2;
const FIRST_CUT_SECONDS = 0.35;
const LAST_CUT_SECONDS = 1.6;
const STEP_SECONDS = 0.13;
/** Silence appended to an utterance that is recognised as a whole. */
const TAIL_SECONDS = 0.128;
/** A word counts as complete if it ended this long before the cut. */
const ENDED_SECONDS = 0.05;
const WINDOW_SECONDS = WINDOW_SAMPLES / SAMPLE_RATE;

/** Interval between the cuts of a growing utterance. */
const GROWTH_SECONDS = 0.1;
const LONGEST_SECONDS = 6;
/** Answers for at least this much audio are timed separately. */
const LONG_SECONDS = 3;

const recognizer = await moonshine.load(BUILT_IN_MODELS[0] as Model);
const detector = await loadVoiceActivityModel();

/** Starts and ends of utterances, seconds. */
async function utterances(samples: Float32Array): Promise<[start: number, end: number][]> {
  const endpointing = new Endpointing({
    threshold: 0.5,
    endpointingSeconds: 0.3,
    maximumSeconds: 60,
    windowSeconds: WINDOW_SECONDS,
  });
  const found: [number, number][] = [];
  let start = 0;
  for (const probability of await speechProbabilities(detector, samples, initialVoiceActivityState())) {
    const event = endpointing.push(probability);
    if (event?.kind === "start") start = event.window * WINDOW_SECONDS;
    else if (event) found.push([start, event.silentFrom * WINDOW_SECONDS]);
  }
  return found;
}

/** The words that were complete before a cut, seconds from the start of the words' audio. */
const completeBefore = (words: RecognizedWord[], cut: number) =>
  words.filter(({ endSeconds }) => endSeconds < cut - ENDED_SECONDS);

const lettersAt = (words: RecognizedWord[], index: number) => lettersOf(words[index]?.text ?? "");

/** Number of these words that were recognised in their position. */
const countCorrect = (words: RecognizedWord[], read: RecognizedWord[]) =>
  words.filter((_, index) => lettersAt(read, index) === lettersAt(words, index)).length;

async function hear(
  samples: Float32Array,
  [start, end]: [start: number, end: number],
  padding: number,
  known: { draft?: number[]; audioId?: string } = {},
): Promise<RecognizedWord[]> {
  const heard = samples.slice(Math.round(start * SAMPLE_RATE), Math.round(end * SAMPLE_RATE));
  const audio = padded(heard, heard.length + Math.round(padding * SAMPLE_RATE));
  return (await recognizer.recognize({ samples: audio, ...known })).words;
}

const ways = [false, true].map((goesOn) => ({
  goesOn,
  words: 0,
  right: 0,
  times: [] as number[],
  long: [] as number[],
}));

/** A growing utterance, each answer with the previous one as its draft. */
async function grow(samples: Float32Array, name: string, from: number, end: number, whole: RecognizedWord[]) {
  for (const way of ways) {
    let draft: number[] = [];
    for (let cut = from + FIRST_CUT_SECONDS; cut < Math.min(end, from + LONGEST_SECONDS); cut += GROWTH_SECONDS) {
      const ended = completeBefore(whole, cut - from);
      const started = performance.now();
      const known = { draft, ...(way.goesOn ? { audioId: name } : {}) };
      const words = await hear(samples, [from, cut], PADDING_SECONDS, known);
      const took = performance.now() - started;
      way.times.push(took);
      if (cut - from >= LONG_SECONDS) way.long.push(took);
      draft = tokensOf(words);
      way.words += ended.length;
      way.right += countCorrect(ended, words);
    }
  }
}

const counts = PADDINGS.map((padding) => ({ padding, words: 0, right: 0, invented: 0 }));
const recordings = await loadRecordings(({ file }) => !file.startsWith("meeting"));
for (const { samples, file } of recordings) {
  for (const [start, end] of await utterances(samples)) {
    const from = Math.max(0, start - LEAD_SECONDS);
    const whole = await hear(samples, [from, end + TAIL_SECONDS], 0);
    const last = Math.min(end, start + LAST_CUT_SECONDS);
    for (let cut = start + FIRST_CUT_SECONDS; cut < last; cut += STEP_SECONDS) {
      const ended = completeBefore(whole, cut - from);
      for (const count of counts) {
        const words = await hear(samples, [from, cut], count.padding);
        count.words += ended.length;
        count.right += countCorrect(ended, words);
        // One more word may have begun.
        count.invented += Math.max(0, words.length - ended.length - 1);
      }
    }
    await grow(samples, `${file} ${start}`, from, end, whole);
  }
}
await recognizer.close();

const results = counts.map(({ padding, words, right, invented }) => ({
  name: `${padding} s of silence behind the cut`,
  values: { words, "read right %": rounded((100 * right) / words, 1), invented },
}));
printResults("Words of speech that is cut off", results);
const growths = ways.map(({ goesOn, words, right, times, long }) => ({
  name: goesOn ? "going on" : "all of it anew",
  values: {
    words,
    "read right %": rounded((100 * right) / words, 1),
    "ms median": rounded(percentile(times, 0.5), 0),
    [`ms median from ${LONG_SECONDS} s`]: rounded(percentile(long, 0.5), 0),
  },
}));
printResults("An utterance as it grows, an answer for every tenth of a second", growths);
saveResults("partials", [...results, ...growths]);
