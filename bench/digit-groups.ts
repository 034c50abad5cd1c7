// Numbers said in groups of digits with pauses between them, in synthetic voices: how many digits are lost, written twice or
// invented, recorded and live. Needs the program flite (Debian package flite).
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import type { Transcription } from "../src/contract/transcript/transcript.ts";
import { digitsOf } from "../src/speech/text/numerals/digits-of.ts";
import { createSession, LiveClient } from "../test/fixtures/live-client.ts";
import { call, type RunningService, ready, startService } from "../test/service.ts";
import { withModel } from "./conditions.ts";
import { pcm } from "./live-stream.ts";
import { loadFiles, SAMPLE_RATE } from "./recordings.ts";
import { printResults, type Result, saveResults } from "./table.ts";

const VOICES = ["slt", "rms", "awb"];
const PAUSES_SECONDS = [0.1, 0.25, 0.4];
/** Silence before and after. */
const AROUND_SECONDS = 1;
const NUMBERS: [digits: string, groups: string[]][] = [
  ["5551234567", ["You can call me at five five five", "one two three", "four five six seven"]],
  ["2068429135", ["My number is two oh six", "eight four two", "nine one three five"]],
  ["481927360", ["The order number is four eight one", "nine two seven", "three six zero"]],
  ["1455", ["It was painted in about fourteen", "fifty five"]],
  ["1892", ["The house was built in eighteen", "ninety two"]],
];

function said(voice: string, text: string, file: string): string {
  const { status } = spawnSync("flite", ["-voice", voice, "-t", text, "-o", file]);
  if (status !== 0) throw new Error("flite is missing: install the Debian package flite");
  return file;
}

interface Spoken {
  digits: string;
  /** 0: rules are chosen on it. 1: it is only reported. */
  half: number;
  samples: Float32Array;
}

async function spoken(): Promise<Spoken[]> {
  const folder = mkdtempSync(path.join(os.tmpdir(), "parlance-bench-"));
  try {
    const all: Spoken[] = [];
    for (const [voiceAt, voice] of VOICES.entries()) {
      for (const [at, [digits, groups]] of NUMBERS.entries()) {
        const files = groups.map((text, index) => said(voice, text, path.join(folder, `${at}-${index}.wav`)));
        const parts = (await loadFiles(files)).filter((part) => part !== undefined).map(trimmed);
        for (const pause of PAUSES_SECONDS)
          all.push({ digits, half: (voiceAt + at) % 2, samples: withPauses(parts, pause) });
      }
    }
    return all;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Amplitude below which the edges of synthetic speech are silence. */
const SILENT = 0.01;

function trimmed(samples: Float32Array): Float32Array {
  const first = samples.findIndex((value) => Math.abs(value) > SILENT);
  const last = samples.findLastIndex((value) => Math.abs(value) > SILENT);
  return samples.slice(Math.max(0, first), last + 1);
}

function withPauses(parts: readonly Float32Array[], pauseSeconds: number): Float32Array {
  const [around, pause] = [AROUND_SECONDS, pauseSeconds].map((seconds) => Math.round(seconds * SAMPLE_RATE)) as [
    number,
    number,
  ];
  const length = parts.reduce((sum, part) => sum + part.length + pause, 2 * around);
  const samples = new Float32Array(length);
  let at = around;
  for (const part of parts) {
    samples.set(part, at);
    at += part.length + pause;
  }
  return samples;
}

/** The digits of all numbers in a transcript. */
function digitsIn(text: string): string {
  return text
    .split(/\s+/)
    .map((word) => digitsOf(word, "en") ?? "")
    .join("");
}

/** Digits that are missing in, and added to, the spoken ones. */
function differences(spokenDigits: string, found: string): [lost: number, added: number] {
  let row = Array.from({ length: found.length + 1 }, () => 0);
  for (const digit of spokenDigits) {
    const next = [0];
    for (const [at, other] of [...found].entries()) {
      const both = digit === other ? (row[at] ?? 0) + 1 : 0;
      next.push(Math.max(both, row[at + 1] ?? 0, next[at] ?? 0));
    }
    row = next;
  }
  const common = row.at(-1) ?? 0;
  return [spokenDigits.length - common, found.length - common];
}

function summary(name: string, all: readonly Spoken[], texts: readonly string[]): Result {
  const values = {
    numbers: all.length,
    "exactly right": 0,
    "of the reported half": "",
    "digits lost": 0,
    "digits added": 0,
  };
  const reported = { right: 0, all: all.filter(({ half }) => half === 1).length };
  for (const [at, { digits, half }] of all.entries()) {
    const text = texts[at] ?? "";
    const [lost, added] = differences(digits, digitsIn(text));
    if (
      lost + added === 0 &&
      text
        .replace(/[^\d ]/g, "")
        .split(" ")
        .includes(digits)
    ) {
      values["exactly right"]++;
      reported.right += half;
    } else process.stderr.write(`${name}, half ${half}: ${digits} is "${text}"\n`);
    values["digits lost"] += lost;
    values["digits added"] += added;
  }
  values["of the reported half"] = `${reported.right} of ${reported.all}`;
  return { name, values, goal: "no digit written twice", isMet: values["digits added"] === 0 };
}

/** Texts of the finals and of the result. */
async function liveTexts(service: RunningService, samples: Float32Array): Promise<[finals: string, result: string]> {
  const { id, url } = await createSession(service);
  const client = await LiveClient.connect(url);
  client.send(pcm(samples));
  client.stop();
  await client.closed;
  if (process.env["SHOW"]) {
    const finals = client.finals().map(({ data }) => data.utterance);
    const shown = finals.map(({ words }) =>
      words.map((one: { word: string; start: number; end: number }) => [one.word, one.start, one.end]),
    );
    process.stderr.write(`${JSON.stringify(shown)}\n`);
  }
  const { result } = (await call(service, "GET", `/v2/live/${id}`)).json;
  return [client.text(), textOf(result.transcription)];
}

const textOf = ({ full_transcript }: Pick<Transcription, "full_transcript">) => full_transcript;

const all = await spoken();
const recorded = await withModel("moonshine-base-en", async (transcribe) => {
  const texts: string[] = [];
  for (const { samples } of all) texts.push(textOf((await transcribe(samples)).transcription));
  return texts;
});
const service = await startService();
await ready(service);
const live: string[] = [];
const liveResults: string[] = [];
for (const { samples } of all) {
  const [finals, result] = await liveTexts(service, samples);
  live.push(finals);
  liveResults.push(result);
}
await service.stop();
const results = [
  summary("recorded", all, recorded),
  summary("live, default settings", all, live),
  summary("live, in the result", all, liveResults),
];
printResults("Digits in groups", results);
saveResults("digit-groups", results);
process.exit(0);
