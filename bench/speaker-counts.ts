// How many speakers three voices become in live sessions, by the endpointing: in the finals as they are sent, after the corrections, and in
// the result; and how many words have the right speaker. Triples of voices of ../shared, half of them for choosing, half for reporting.
// Each triple talks in turns of 1.5 to 5 s with pauses between them. Streams in real time. Option: the number of sessions at once (2).
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { revised } from "../src/contract/transcript/speaker-revision.ts";
import type { Utterance, Word } from "../src/contract/transcript/transcript.ts";
import { createSession, LiveClient } from "../test/fixtures/live-client.ts";
import { call, type RunningService, ready, startService } from "../test/service.ts";
import { bestPairing } from "./diarization-error.ts";
import { pcm } from "./live-stream.ts";
import { SAMPLE_RATE } from "./recordings.ts";
import { installSpeakerModel } from "./speaker-model.ts";
import { printResults, type Result, rounded, saveResults } from "./table.ts";
import { type Mix, mixOf, TRIPLES } from "./voice-mixes.ts";

const atOnce = Number(process.argv[2] ?? 2);
const ENDPOINTINGS = [0.05, 0.3, 0.8];
const FRAME_SECONDS = 0.1;

/** Speakers of words, and how many of the words have the speaker of their person. */
function judged(words: readonly Word[], { turns }: Mix): { speakers: number; words: number; right: number } {
  const speakers = [...new Set(words.flatMap(({ speaker }) => (speaker === undefined ? [] : [speaker])))];
  const counts = [0, 1, 2].map(() => [...speakers, undefined].map(() => 0));
  let total = 0;
  for (const { start, end, speaker } of words) {
    const middle = (start + end) / 2;
    const turn = turns.find((one) => middle >= one.start && middle <= one.end);
    if (!turn) continue;
    total++;
    const column = speaker === undefined ? speakers.length : speakers.indexOf(speaker);
    const row = counts[turn.person] as number[];
    if (speaker !== undefined) row[column] = (row[column] as number) + 1;
  }
  return { speakers: speakers.length, words: total, right: bestPairing(counts) };
}

async function resultOf(service: RunningService, id: string) {
  for (;;) {
    const { json } = await call(service, "GET", `/v2/live/${id}`);
    if (json.status === "done") return json.result as { transcription: { utterances: Utterance[] } };
    if (json.status === "error") throw new Error(`the session failed: ${json.error_message}`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

interface Outcome {
  sent: ReturnType<typeof judged>;
  corrected: ReturnType<typeof judged>;
  result: ReturnType<typeof judged>;
}

async function session(service: RunningService, mix: Mix, endpointing: number): Promise<Outcome> {
  const body = { diarization: true, endpointing, messages_config: { receive_final_transcripts: true } };
  const created = await createSession(service, body);
  const client = await LiveClient.connect(created.url);
  const frame = Math.round(FRAME_SECONDS * SAMPLE_RATE);
  const started = performance.now();
  for (let at = 0; at < mix.samples.length; at += frame) {
    const wait = started + ((at + frame) / SAMPLE_RATE) * 1_000 - performance.now();
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    client.send(pcm(mix.samples.subarray(at, at + frame)));
  }
  client.stop();
  await client.closed;
  const finals = new Map<string, Utterance>();
  const sent: Word[] = [];
  for (const message of client.messages) {
    if (message.type === "transcript" && message.data.is_final) {
      sent.push(...message.data.utterance.words);
      finals.set(message.data.id, message.data.utterance);
    }
    if (message.type === "speaker_revision")
      for (const [id, final] of finals) finals.set(id, revised(id, final, message.data));
  }
  const result = await resultOf(service, created.id);
  return {
    sent: judged(sent, mix),
    corrected: judged(
      [...finals.values()].flatMap(({ words }) => words),
      mix,
    ),
    result: judged(
      result.transcription.utterances.flatMap(({ words, speaker }) =>
        words.map((word) => ({ ...(speaker === undefined ? {} : { speaker }), ...word })),
      ),
      mix,
    ),
  };
}

const folder = mkdtempSync(path.join(os.tmpdir(), "parlance-bench-speaker-counts-"));
await installSpeakerModel(folder);
const service = await startService({ environment: { PARLANCE_MODELS_DIR: folder } });
await ready(service);
const mixes = TRIPLES.map((people, at) => mixOf(people, at + 1));
const results: Result[] = [];
const only = process.env["BENCH_ONLY"];
const halves = [
  { name: "for choosing", mixes: mixes.slice(0, TRIPLES.length / 2) },
  { name: "for reporting", mixes: mixes.slice(TRIPLES.length / 2) },
].filter(({ name }) => only === undefined || name === only);
for (const half of halves) {
  for (const endpointing of ENDPOINTINGS) {
    const outcomes: Outcome[] = [];
    for (let at = 0; at < half.mixes.length; at += atOnce) {
      const some = half.mixes.slice(at, at + atOnce);
      outcomes.push(...(await Promise.all(some.map((mix) => session(service, mix, endpointing)))));
    }
    const counts = (kind: keyof Outcome) => outcomes.map((one) => one[kind].speakers).join(" ");
    const percent = (kind: keyof Outcome) => {
      const right = outcomes.reduce((sum, one) => sum + one[kind].right, 0);
      return rounded((100 * right) / outcomes.reduce((sum, one) => sum + one[kind].words, 0), 1);
    };
    results.push({
      name: `${half.name}, endpointing ${endpointing} s`,
      values: {
        "speakers sent": counts("sent"),
        corrected: counts("corrected"),
        result: counts("result"),
        "words right sent %": percent("sent"),
        "corrected %": percent("corrected"),
        "result %": percent("result"),
      },
      goal: "3 speakers after corrections in every session",
      isMet: outcomes.every(({ corrected, result }) => corrected.speakers === 3 && result.speakers === 3),
    });
    printResults("Three voices live", results.slice(-1));
  }
}
await service.remove();
rmSync(folder, { recursive: true, force: true });
printResults("Three voices live", results);
saveResults("speaker-counts", results);
process.exit(0);
