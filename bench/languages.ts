// Languages other than English, with published Whisper weights: words and languages as a job finds them, word times,
// speed, compared with faster-whisper (if Python has it) or sherpa-onnx in the same run; words invented without speech;
// a live session; memory and start time of a process.
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { installModel } from "../src/service/models/installer.ts";
import { ModelStore } from "../src/service/models/store.ts";
import { wav } from "../test/fixtures/recordings.ts";
import { normalizedWords, wordErrors, wordPairs } from "../test/fixtures/word-error-rate.ts";
import { type RunningService, ready, startService } from "../test/service.ts";
import { withModel } from "./conditions.ts";
import { pcm, stream } from "./live-stream.ts";
import { soundsWithoutSpeech } from "./no-speech.ts";
import { loadRecordings, type Recording, SAMPLE_RATE } from "./recordings.ts";
import { secondsIn, serviceSpeed } from "./service-speed.ts";
import { percentile, printResults, type Result, rounded, saveResults } from "./table.ts";

const MODEL = "whisper-base";
const ROUNDS = 3;
/** Numbers of concurrent live sessions. */
const SESSIONS = [1, 4];
/** Number of copies of all recordings that are submitted at once. */
const TIMES_AT_ONCE = 6;
const MINUTES_OF_NOTHING = 10;
const MINUTE_SECONDS = 60;

const checkpoint = fileURLToPath(new URL(`../../../shared/models/${MODEL}`, import.meta.url));

const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const median = (values: number[]) => percentile(values, 0.5);

/** Speech of all recordings concatenated, with half a second between them. */
function minuteOf(recordings: Recording[]): Float32Array {
  const minute = new Float32Array(MINUTE_SECONDS * SAMPLE_RATE);
  let at = 0;
  for (let index = 0; at < minute.length; index++) {
    const { samples } = recordings[index % recordings.length] as Recording;
    minute.set(samples.subarray(0, minute.length - at), at);
    at += samples.length + SAMPLE_RATE / 2;
  }
  return minute;
}

async function words(recordings: Recording[], models: string): Promise<Result[]> {
  return withModel<Result[]>(
    MODEL,
    async (recognize) => {
      let errors = 0;
      let count = 0;
      let detected = 0;
      const [starts, ends]: [number[], number[]] = [[], []];
      const [clips, minutes]: [number[], number[]] = [[], []];
      for (let round = 0; round < ROUNDS; round++) {
        let took = 0;
        for (const recording of recordings) {
          const started = performance.now();
          const { transcription } = await recognize(recording.samples, { language_config: { languages: [] } });
          took += performance.now() - started;
          if (round > 0) continue;
          const reference = normalizedWords(recording.transcript ?? "");
          const wrong = wordErrors(reference, normalizedWords(transcription.full_transcript));
          process.stderr.write(`${recording.file} ${wrong}: ${transcription.full_transcript}\n`);
          errors += wrong;
          count += reference.length;
          if (transcription.languages.join() === recording.language) detected++;
          const found = transcription.utterances.flatMap((utterance) => utterance.words);
          const known = recording.words ?? [];
          for (const [left, right] of wordPairs(
            known.map(({ word }) => word),
            found.map(({ word }) => word),
          )) {
            starts.push(Math.abs((known[left]?.start ?? 0) - (found[right]?.start ?? 0)));
            ends.push(Math.abs((known[left]?.end ?? 0) - (found[right]?.end ?? 0)));
          }
        }
        clips.push((1000 * secondsIn(recordings)) / took);
        const english = recordings.filter(({ language }) => language === "en");
        const started = performance.now();
        await recognize(minuteOf(english), { language_config: { languages: ["en"] } });
        minutes.push((1000 * MINUTE_SECONDS) / (performance.now() - started));
      }
      const [startError, endError] = [mean(starts) * 1000, mean(ends) * 1000];
      const results: Result[] = [
        {
          name: "word errors, language heard",
          values: { errors, words: count, "languages right": detected, recordings: recordings.length },
          goal: "14 errors of 93, every language",
          isMet: errors <= 14 && detected === recordings.length,
        },
        {
          name: "word times",
          values: {
            "starts, mean ms": rounded(startError, 0),
            "ends, mean ms": rounded(endError, 0),
            words: starts.length,
          },
          goal: "80 and 120 ms",
          isMet: startError <= 80 && endError <= 120,
        },
        {
          name: "audio seconds a second, clips one after another",
          values: { median: rounded(median(clips), 1) },
          goal: "20",
          isMet: median(clips) >= 20,
        },
        {
          name: "audio seconds a second, a minute of speech",
          values: { median: rounded(median(minutes), 1) },
          goal: "16",
          isMet: median(minutes) >= 16,
        },
      ];
      return results;
    },
    models,
  );
}

const FASTER_WHISPER = `
import json, sys, time
from faster_whisper import WhisperModel
model = WhisperModel(sys.argv[1], device="cpu", compute_type="int8", cpu_threads=2)
times = []
for path, language in json.loads(sys.argv[2]):
    for segment in model.transcribe(path, language=language, beam_size=1)[0]: pass
for _ in range(2):
    for path, language in json.loads(sys.argv[2]):
        started = time.time()
        for segment in model.transcribe(path, language=language, beam_size=1)[0]: pass
        times.append(time.time() - started)
print(json.dumps(times))
`;

/** The same clips and minute with faster-whisper, if BENCH_PYTHON names a Python that has it. */
function fasterWhisper(recordings: Recording[], folder: string): Result[] {
  const python = process.env["BENCH_PYTHON"];
  if (!python) {
    process.stderr.write("faster-whisper is not compared: set BENCH_PYTHON to a Python that has it\n");
    return [];
  }
  const model = path.join(folder, "ctranslate2");
  execFileSync(python, ["bench/peers/ctranslate2-whisper.py", checkpoint, model]);
  const english = recordings.filter(({ language }) => language === "en");
  const files = [...recordings, { samples: minuteOf(english), language: "en" }].map(({ samples, language }, at) => {
    const file = path.join(folder, `${at}.wav`);
    writeFileSync(file, wav([samples]));
    return [file, language];
  });
  const printed = execFileSync(python, ["-c", FASTER_WHISPER, model, JSON.stringify(files)], { encoding: "utf8" });
  const times = JSON.parse(printed) as number[];
  const isClip = (at: number) => at % files.length < recordings.length;
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
  const clips = (2 * secondsIn(recordings)) / sum(times.filter((_, at) => isClip(at)));
  const minute = (2 * MINUTE_SECONDS) / sum(times.filter((_, at) => !isClip(at)));
  return [
    {
      name: "faster-whisper, int8, 2 threads, same weights",
      values: { clips: rounded(clips, 1), "a minute": rounded(minute, 1) },
    },
  ];
}

async function nothing(models: string): Promise<Result[]> {
  return withModel<Result[]>(
    MODEL,
    async (recognize) => {
      const results: Result[] = [];
      for (const [name, samples] of soundsWithoutSpeech(MINUTES_OF_NOTHING * 60)) {
        const { transcription } = await recognize(samples, { language_config: { languages: [] } });
        const found = transcription.utterances.flatMap((utterance) => utterance.words);
        if (found.length > 0) process.stderr.write(`${name}: ${transcription.full_transcript}\n`);
        results.push({
          name: `words on ${MINUTES_OF_NOTHING} minutes of ${name}`,
          values: { words: found.length },
          goal: "0",
          isMet: found.length === 0,
        });
      }
      return results;
    },
    models,
  );
}

async function atOnce(recordings: Recording[], service: RunningService): Promise<Result[]> {
  const told = ({ language }: Recording) => ({ language_config: { languages: [language] } });
  const many = Array.from({ length: TIMES_AT_ONCE }, () => recordings).flat();
  await serviceSpeed(service, recordings, told);
  const speeds: number[] = [];
  for (let round = 0; round < ROUNDS; round++) speeds.push(await serviceSpeed(service, many, told));
  return [
    {
      name: `audio seconds a second, ${many.length} clips at once through HTTP`,
      values: { median: rounded(median(speeds), 1) },
      goal: "35",
      isMet: median(speeds) >= 35,
    },
  ];
}

async function live(recordings: Recording[], service: RunningService): Promise<Result[]> {
  const spanish = recordings.filter(({ language }) => language === "es");
  const pause = Buffer.alloc(2 * SAMPLE_RATE);
  const audio = Buffer.concat([...spanish, ...spanish].flatMap(({ samples }) => [pcm(samples), pause]));
  const body = { language_config: { languages: ["es"] }, messages_config: { receive_partial_transcripts: true } };
  const results: Result[] = [];
  for (const sessions of SESSIONS) {
    const outcomes = [];
    for (let round = 0; round < (sessions === 1 ? ROUNDS : 1); round++) {
      const streams = Array.from({ length: sessions }, async (_, at) => {
        // Real sessions do not start simultaneously.
        await new Promise((resolve) => setTimeout(resolve, at * 370));
        return stream(service, audio, body, 0.3);
      });
      outcomes.push(...(await Promise.all(streams)));
    }
    const seen = median(outcomes.flatMap(({ partialDelays }) => partialDelays)) * 1000;
    const finals = median(outcomes.flatMap(({ finalDelays }) => finalDelays)) * 1000;
    const shown = outcomes.reduce((sum, { shownWords }) => sum + shownWords, 0);
    const changed = outcomes.reduce((sum, { changedWords }) => sum + changedWords, 0);
    results.push({
      name: `live Spanish sessions, ${sessions} at once, median`,
      values: {
        "words seen after ms": rounded(seen, 0),
        "finals after ms": rounded(finals, 0),
        "changed %": rounded((100 * changed) / shown, 1),
      },
      ...(sessions === 1 ? { goal: "700 and 500 ms", isMet: seen <= 700 && finals <= 500 } : {}),
    });
  }
  return results;
}

/** A process with only this model. */
function processAlone(models: string): Result[] {
  const script = `
    const { SupervisedProcess } = await import(process.argv[1] + "/platform/process/supervised-process.js");
    const { ModelStore } = await import(process.argv[1] + "/service/models/store.js");
    const { childEnvironment } = await import(process.argv[1] + "/platform/config/load.js");
    const { readFileSync } = await import("node:fs");
    const model = await new ModelStore(process.argv[2]).get("${MODEL}");
    const samples = new Float32Array(16000 * 20).map(() => Math.random() * 0.02);
    const started = performance.now();
    const child = new SupervisedProcess({ name: "inference", file: process.argv[1] + "/service/inference/child.js",
      readyTimeoutMilliseconds: 60000, environment: childEnvironment(process.argv[2]) });
    const timeoutMilliseconds = 60000;
    await child.call({ kind: "load", model }, { timeoutMilliseconds });
    const ready = performance.now() - started;
    for (let at = 0; at < 5; at++)
      await child.call({ kind: "recognize", model, audio: samples, languages: ["es"] }, { timeoutMilliseconds });
    const status = readFileSync("/proc/" + child.processId + "/status", "utf8");
    console.log(JSON.stringify({ ready, megabytes: Number(/VmRSS:\\s+(\\d+)/.exec(status)[1]) / 1024 }));
    await child.stop();
  `;
  const source = fileURLToPath(new URL("../src", import.meta.url));
  if (!existsSync("/proc/self/status")) return [];
  const printed = execFileSync(process.execPath, ["--input-type=module", "-e", script, source, models], {
    encoding: "utf8",
  });
  const { ready: milliseconds, megabytes } = JSON.parse(printed) as { ready: number; megabytes: number };
  return [
    {
      name: "a process with the model",
      values: { MB: rounded(megabytes, 0), "ready after ms": rounded(milliseconds, 0) },
      goal: "700 MB, 3 s",
      isMet: megabytes <= 700 && milliseconds <= 3000,
    },
  ];
}

if (!existsSync(checkpoint)) throw new Error("the bench needs ../shared/models/whisper-base");
const folder = mkdtempSync(path.join(os.tmpdir(), "parlance-bench-"));
try {
  const models = path.join(folder, "models");
  await installModel(checkpoint, new ModelStore(models), { hub: { base: "" }, progress: () => undefined });
  const recordings = await loadRecordings(({ file }) => file.startsWith("speech-"), "all languages");
  const wanted = process.argv[2];
  const results: Result[] = [];
  if (!wanted || wanted === "words") results.push(...(await words(recordings, models)));
  if (!wanted || wanted === "words") results.push(...fasterWhisper(recordings, folder));
  if (!wanted || wanted === "process") results.push(...processAlone(models));
  if (!wanted || wanted === "live" || wanted === "at-once") {
    const environment = { PARLANCE_MODELS_DIR: models, PARLANCE_MULTILINGUAL_MODEL: MODEL };
    const service = await startService({ environment });
    await ready(service);
    const others = recordings.filter(({ language }) => language !== "en");
    if (wanted !== "live") results.push(...(await atOnce(others, service)));
    if (wanted !== "at-once") results.push(...(await live(recordings, service)));
    await service.remove();
  }
  if (!wanted || wanted === "nothing") results.push(...(await nothing(models)));
  printResults(`Other languages, ${MODEL}`, results);
  if (!wanted) saveResults("languages", results);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
