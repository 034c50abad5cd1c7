// Translation with the models of ../shared: loading, a sentence alone, recorded throughput, memory, and live: from a final to its
// translation. Prints a table; asserts nothing.
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { residentBytes } from "../src/platform/process/resident-memory.ts";
import { childProcesses } from "../src/platform/process/running-children.ts";
import { installModel } from "../src/service/models/installer.ts";
import { ModelStore } from "../src/service/models/store.ts";
import { markedUp } from "../src/speech/translation/markup.ts";
import { translateTexts } from "../src/speech/translation/process/translator.ts";
import { createSession, LiveClient } from "../test/fixtures/live-client.ts";
import { SHARED } from "../test/fixtures/recordings.ts";
import { decodeSpeech, encodePcm } from "../test/fixtures/speech.ts";
import { hasTranslationModels, TRANSLATION_MODELS } from "../test/fixtures/translation-registry.ts";
import { ready, startService } from "../test/service.ts";

/** Readings and orders as they are spoken. */
const SENTENCES = [
  "Can I get a double shot house coffee with cream?",
  "My name is John Smith and I live in New York, at 4527 Main Street.",
  "The meeting of the quarterly board takes place on Tuesday, September 14th, 2021.",
  "It was not until the following week that anyone in the family mentioned the letter again.",
  "So I think we should move the whole thing to the end of the month, if nobody objects.",
];
const REPEATS = 60;
const ALONE = 100;
/** As the add-on sends them. */
const BATCH = 64;
const LIVE_RECORDINGS = 12;

const median = (values: number[]) => values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0;
const row = (name: string, value: string) => process.stdout.write(`${name.padEnd(56)}${value}\n`);
const signal = new AbortController().signal;
const marked = (text: string) => markedUp(text.split(" ").map((word) => ` ${word}`));

async function timed(
  folders: readonly [string] | readonly [string, string],
  texts: readonly string[],
): Promise<number> {
  const started = performance.now();
  await translateTexts("bench", { folders, texts, isBackground: false }, signal);
  return performance.now() - started;
}

function memoryOfTranslation(): number {
  const own = [...childProcesses()].find(([, name]) => name === "translation")?.[0];
  return own === undefined ? 0 : (residentBytes(own) ?? 0);
}

async function recorded(store: ModelStore): Promise<void> {
  const folderOf = async (id: string) => (await store.get(id)).folder as string;
  const [there, back] = [await folderOf("translate-en-pt"), await folderOf("translate-pt-en")];
  row("first sentence, start of the process included", `${Math.round(await timed([there], [marked("Hello.")]))} ms`);
  await timed([there, back], [marked("Hello.")]);
  for (const [name, folders] of [
    ["direct", [there]],
    ["by way of English (en-pt, pt-en)", [there, back]],
  ] as const) {
    const alone: number[] = [];
    for (let at = 0; at < ALONE; at++)
      alone.push(await timed(folders, [marked(SENTENCES[at % SENTENCES.length] as string)]));
    row(
      `one sentence alone, ${name}, median (greatest)`,
      `${median(alone).toFixed(0)} ms (${Math.max(...alone).toFixed(0)} ms)`,
    );
    const texts = Array.from({ length: REPEATS }, () => SENTENCES).flat();
    const words = texts.join(" ").split(" ").length;
    let milliseconds = 0;
    for (let at = 0; at < texts.length; at += BATCH)
      milliseconds += await timed(folders, texts.slice(at, at + BATCH).map(marked));
    row(
      `recorded, batches of ${BATCH} sentences, ${name}`,
      `${Math.round((words / milliseconds) * 1000)} words a second`,
    );
  }
  row("memory of the translation process, two directions", `${Math.round(memoryOfTranslation() / 1e6)} MB`);
}

async function live(folder: string): Promise<void> {
  const service = await startService({ environment: { PARLANCE_MODELS_DIR: folder } });
  try {
    await ready(service);
    const speech = await decodeSpeech(path.join(SHARED, "order-01.flac"));
    const session = await createSession(service, {
      sample_rate: 16_000,
      endpointing: 0.3,
      realtime_processing: { translation: true, translation_config: { target_languages: ["pt"] } },
    });
    const client = await LiveClient.connect(session.url);
    const finals = new Map<string, number>();
    const waits: number[] = [];
    client.socket.on("message", (data) => {
      const message = JSON.parse(data.toString());
      if (message.type === "transcript" && message.data.is_final) finals.set(message.data.id, performance.now());
      if (message.type === "translation") waits.push(performance.now() - (finals.get(message.data.utterance_id) ?? 0));
    });
    const chunk = 1_600;
    for (let at = 0; at < LIVE_RECORDINGS; at++) {
      const samples = Float32Array.from([...speech, ...new Float32Array(16_000)]);
      for (let from = 0; from < samples.length; from += chunk) {
        client.send(encodePcm([samples.subarray(from, from + chunk)]));
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    }
    client.stop();
    await client.closed;
    row(
      `live, from a final to its translation, median of ${waits.length} (greatest)`,
      `${median(waits).toFixed(0)} ms (${Math.max(...waits).toFixed(0)} ms)`,
    );
  } finally {
    await service.remove();
  }
}

if (!hasTranslationModels) {
  process.stdout.write("skipped: ../shared/models/translation is missing\n");
  process.exit(0);
}
const folder = mkdtempSync(path.join(os.tmpdir(), "parlance-bench-translation-"));
try {
  const store = new ModelStore(folder);
  for (const direction of ["en-pt", "pt-en"]) {
    await installModel(path.join(TRANSLATION_MODELS, direction), store, {
      hub: { base: "" },
      progress: () => undefined,
    });
  }
  await recorded(store);
  await live(folder);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exit(0);
