// Effect of audio_enhancer: signal-to-noise ratio before and after, word error rate with and without it on
// clean and hard recordings, and its cost; of the suppressor alone and as it is used.
import { FRAME_SAMPLES, Suppressor } from "../src/speech/audio/enhance/suppressor.ts";
import { normalizedWords, wordErrors } from "../test/fixtures/word-error-rate.ts";
import { CONDITIONS, withModel } from "./conditions.ts";
import { loadRecordings } from "./recordings.ts";
import { printResults, type Result, rounded, saveResults } from "./table.ts";

async function enhanced(samples: Float32Array): Promise<Float32Array> {
  const suppressor = await Suppressor.create();
  const padded = new Float32Array((Math.ceil(samples.length / FRAME_SAMPLES) + 1) * FRAME_SAMPLES);
  padded.set(samples);
  const out = suppressor.process(padded).samples.slice(FRAME_SAMPLES, FRAME_SAMPLES + samples.length);
  suppressor.free();
  return out;
}

/** Ratio, in decibels, of the component proportional to `clean` to the remainder. */
function speechToNoise(clean: Float32Array, output: Float32Array): number {
  let own = 0;
  let common = 0;
  let all = 0;
  for (let at = 0; at < clean.length; at++) {
    own += (clean[at] as number) ** 2;
    common += (clean[at] as number) * (output[at] as number);
    all += (output[at] as number) ** 2;
  }
  const speech = common ** 2 / own;
  return 10 * Math.log10(speech / (all - speech));
}

const mean = (values: number[]) => rounded(values.reduce((sum, value) => sum + value, 0) / values.length, 1);

const recordings = await loadRecordings(
  ({ file, transcript }) => transcript !== undefined && !file.startsWith("order") && !file.startsWith("meeting"),
);
const results: Result[] = [];
let milliseconds = 0;
let seconds = 0;
await withModel("moonshine-base-en", async (recognize) => {
  for (const [name, change] of CONDITIONS) {
    const errors = [0, 0];
    let words = 0;
    const ratios: [number[], number[]] = [[], []];
    for (const [at, { samples, transcript = "" }] of recordings.entries()) {
      const hard = change(samples, at);
      const started = performance.now();
      const better = await enhanced(hard);
      milliseconds += performance.now() - started;
      seconds += samples.length / 16_000;
      const reference = normalizedWords(transcript);
      words += reference.length;
      for (const [index, output] of [hard, better].entries()) {
        const { transcription } = await recognize(output);
        errors[index] = (errors[index] ?? 0) + wordErrors(reference, normalizedWords(transcription.full_transcript));
        if (hard.length === samples.length) ratios[index]?.push(speechToNoise(samples, output));
      }
    }
    const isNoise = name.startsWith("noise");
    const [without, withIt] = errors.map((count) => rounded((100 * count) / words)) as [number, number];
    results.push({
      name,
      values: {
        "WER % without": without,
        "WER % with": withIt,
        ...(isNoise ? { "dB without": mean(ratios[0]), "dB with": mean(ratios[1]) } : {}),
      },
      goal: "no worse",
      isMet: withIt <= without,
    });
  }
});
results.push({ name: "cost", values: { "ms a second of audio": rounded(milliseconds / seconds, 1) } });
printResults("Audio enhancer", results);
saveResults("enhancer", results);
