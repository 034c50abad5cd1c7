// Recordings without a language in the request, with only the English models installed: speech in other languages must
// be
// rejected, English never. Also reports speech of the English recordings without words.
import type { TranscriptionResult } from "../src/transcript/transcript.ts";
import { CONDITIONS, realConditions, type Transcriber, withModel } from "./conditions.ts";
import { loadRecordings, type Recording, SAMPLE_RATE } from "./recordings.ts";
import { printResults, type Result, rounded, saveResults } from "./table.ts";
import { uncoveredSpeech } from "./uncovered-speech.ts";

const MODEL = "moonshine-base-en";

/** @returns undefined if the job ends because the speech is not English */
async function resultOf(transcribe: Transcriber, samples: Float32Array): Promise<TranscriptionResult | undefined> {
  try {
    return await transcribe(samples);
  } catch (error) {
    if ((error as { code?: string }).code === "recognition.not_english") return undefined;
    throw error;
  }
}

async function measure(transcribe: Transcriber, recordings: Recording[], isEnglish: boolean): Promise<Result[]> {
  const results: Result[] = [];
  for (const [name, change] of [...CONDITIONS, ...(await realConditions())]) {
    let refused = 0;
    let warned = 0;
    let uncovered = 0;
    let stretches = 0;
    for (const [at, recording] of recordings.entries()) {
      const samples = change(recording.samples, at);
      const result = await resultOf(transcribe, samples);
      if (!result) refused++;
      else if (result.metadata.warnings) warned++;
      if (isEnglish && (!result || result.metadata.warnings))
        process.stderr.write(`${name}: ${recording.file} refused\n`);
      if (!isEnglish && result) {
        process.stderr.write(`${name}: ${recording.file}: ${result.transcription.full_transcript}\n`);
      }
      if (!isEnglish || name !== "clean" || !result) continue;
      const words = result.transcription.utterances.flatMap((utterance) => utterance.words);
      for (const [start, end] of await uncoveredSpeech(samples, words)) {
        uncovered += end - start;
        stretches++;
        process.stderr.write(`${recording.file} ${start.toFixed(1)} to ${end.toFixed(1)} s: no words\n`);
      }
    }
    const minutes = recordings.reduce((sum, { samples }) => sum + samples.length / SAMPLE_RATE / 60, 0);
    results.push({
      name: `${isEnglish ? "English" : "other languages"}, ${name}`,
      values: {
        recordings: recordings.length,
        refused,
        warned,
        ...(isEnglish && name === "clean"
          ? {
              minutes: rounded(minutes, 1),
              "stretches without words": stretches,
              "seconds of them": rounded(uncovered, 1),
            }
          : {}),
      },
      ...(isEnglish
        ? { goal: "none refused or warned of", isMet: refused + warned === 0 }
        : { goal: "all refused", isMet: refused === recordings.length }),
    });
  }
  return results;
}

const all = await loadRecordings(() => true, "all languages");
const spoken = all.filter(({ transcript, phrases, speakers }) => transcript ?? phrases ?? speakers);
const results = await withModel(MODEL, async (transcribe) => [
  ...(await measure(
    transcribe,
    spoken.filter(({ language }) => language !== "en"),
    false,
  )),
  ...(await measure(
    transcribe,
    spoken.filter(({ language }) => language === "en"),
    true,
  )),
]);
printResults("Speech that is not English", results);
saveResults("foreign-speech", results);
process.exit(0);
