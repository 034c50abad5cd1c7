// Live sessions without a language in the request, with Whisper base: changes from each language of ../shared/data to
// each other, and
// sessions in one language. Counts finals in a wrong language, and speech without words.
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { installModel } from "../src/service/models/installer.ts";
import { ModelStore } from "../src/service/models/store.ts";
import { createSession, LiveClient } from "../test/fixtures/live-client.ts";
import { ready, startService } from "../test/service.ts";
import { pcm } from "./live-stream.ts";
import { loadRecordings, type Recording, SAMPLE_RATE } from "./recordings.ts";
import { printResults, type Result, rounded, saveResults } from "./table.ts";
import { uncoveredSpeech } from "./uncovered-speech.ts";

const MODEL = "whisper-base";
const PAUSE_SECONDS = 1.2;
const ENDPOINTING_SECONDS = 0.8;
/** Sentences in each language. */
const SENTENCES = 3;
/** Recordings of each session in one language. */
const RECORDINGS_A_SESSION = 10;

interface Spoken {
  samples: Float32Array;
  language: string;
}

interface Final {
  language: string;
  start: number;
  words: { start: number; end: number }[];
}

function session(parts: readonly Spoken[]): { samples: Float32Array; starts: number[] } {
  const pause = Math.round(PAUSE_SECONDS * SAMPLE_RATE);
  const samples = new Float32Array(parts.reduce((sum, part) => sum + part.samples.length + pause, 0));
  const starts: number[] = [];
  let at = 0;
  for (const part of parts) {
    starts.push(at / SAMPLE_RATE);
    samples.set(part.samples, at);
    at += part.samples.length + pause;
  }
  return { samples, starts };
}

const folder = mkdtempSync(path.join(os.tmpdir(), "parlance-bench-"));
const checkpoint = fileURLToPath(new URL(`../../../shared/models/${MODEL}`, import.meta.url));
await installModel(checkpoint, new ModelStore(path.join(folder, "models")), {
  hub: { base: "" },
  progress: () => undefined,
});
const service = await startService({ folder, environment: { PARLANCE_MULTILINGUAL_MODEL: MODEL } });
await ready(service);
let uncovered = 0;
let stretches = 0;
let minutes = 0;

/** @returns finals, each with the language that was spoken */
async function finalsOf(parts: readonly Spoken[]): Promise<{ final: Final; spoken: string; part: number }[]> {
  const { samples, starts } = session(parts);
  const { url } = await createSession(service, { sample_rate: SAMPLE_RATE, endpointing: ENDPOINTING_SECONDS });
  const client = await LiveClient.connect(url);
  client.send(pcm(samples));
  client.stop();
  await client.closed;
  const finals: Final[] = client.finals().map(({ data }) => data.utterance);
  minutes += samples.length / SAMPLE_RATE / 60;
  for (const [start, end] of await uncoveredSpeech(
    samples,
    finals.flatMap(({ words }) => words),
  )) {
    stretches++;
    uncovered += end - start;
  }
  return finals.map((final) => {
    const part = starts.findLastIndex((start) => final.start >= start - 0.2);
    return { final, part, spoken: parts[part]?.language ?? "" };
  });
}

const speech = await loadRecordings(({ file }) => file.startsWith("speech-") && !/1961/.test(file), "all languages");
const english = await loadRecordings(({ file }) => /^(reading|order|meeting|audiobook|sentence)-/.test(file));
let [changes, late, latest, before, lost] = [0, 0, 0, 0, 0];
for (const first of speech) {
  for (const second of speech) {
    if (first.language === second.language) continue;
    const parts = [...Array<Recording>(SENTENCES).fill(first), ...Array<Recording>(SENTENCES).fill(second)];
    const finals = await finalsOf(parts);
    const wrongBefore = finals.filter(
      ({ part, final }) => part < SENTENCES && final.language !== first.language,
    ).length;
    const after = finals.filter(({ part }) => part >= SENTENCES).map(({ final }) => final.language);
    const wrong = after.filter((language) => language !== second.language).length;
    changes++;
    before += wrongBefore;
    if (after.length === 0) lost++;
    latest = Math.max(latest, wrong);
    if (wrong > 1) late++;
    process.stderr.write(
      `${first.language} → ${second.language}: ${finals.map(({ final }) => final.language).join(" ")}\n`,
    );
  }
}
let [utterances, switched] = [0, 0];
const groups: Spoken[][] = [];
for (let at = 0; at < english.length; at += RECORDINGS_A_SESSION)
  groups.push(english.slice(at, at + RECORDINGS_A_SESSION));
for (const group of groups) {
  const finals = await finalsOf(group);
  utterances += finals.length;
  const others = finals.filter(({ final }) => final.language !== "en");
  switched += others.length;
  if (others.length > 0) process.stderr.write(`English session: ${JSON.stringify(others.map(({ final }) => final))}\n`);
}
await service.remove();
rmSync(folder, { recursive: true, force: true });
const results: Result[] = [
  {
    name: "changes of language",
    values: {
      changes,
      "more than one wrong utterance": late,
      "most wrong": latest,
      "wrong before": before,
      "without words": lost,
    },
    goal: "at most one wrong utterance after a change",
    isMet: late + lost === 0,
  },
  {
    name: "sessions in English",
    values: { sessions: groups.length, utterances, "in another language": switched },
    goal: "no switching",
    isMet: switched === 0,
  },
  {
    name: "speech without words for more than 0.7 s",
    values: { minutes: rounded(minutes, 1), stretches, seconds: rounded(uncovered, 1) },
  },
];
printResults("Changes of language", results);
saveResults("language-changes", results);
process.exit(0);
