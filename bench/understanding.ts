// The language model of the store: extraction under random schemas, a summary of a meeting of ten minutes, invented names and numbers in
// summaries and chapters of real recordings, speed, memory, and the delay of live words beside it. Prints a table; asserts nothing.
//   npm run bench -- understanding [FILE.gguf] [PARTS] [EXTRACTIONS]
// PARTS are of speed, summary, extraction, faithfulness and live, with commas; by default the first three. Without a file, random weights are
// used: form, not sense or speed. Texts of the real recordings are printed to stderr.
import { mkdtempSync, rmSync, statSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { residentBytes } from "../src/platform/process/resident-memory.ts";
import { childProcesses } from "../src/platform/process/running-children.ts";
import { TranscriptFacts } from "../src/service/intelligence/facts.ts";
import { Budget, chat, jsonOverTranscript } from "../src/service/intelligence/providers/language-model.ts";
import { withLanguageModel } from "../src/service/intelligence/providers/local-language-model.ts";
import type { LocalLanguageModel } from "../src/service/intelligence/providers/providers.ts";
import { summarize } from "../src/service/intelligence/summary-by-model.ts";
import { type JsonSchema, satisfies } from "../src/speech/language-model/json-schema.ts";
import { countTokens, stopLanguageModel } from "../src/speech/language-model/process/language-model.ts";
import { schemaProblem } from "../src/speech/language-model/schema-check.ts";
import { pick as pickBy, randomOf } from "../test/fixtures/random.ts";
import { writeTinyLanguageModel } from "../test/fixtures/tiny-language-model.ts";
import { faithfulness } from "./faithfulness.ts";
import { liveBesideModel } from "./live-beside-model.ts";
import { realTranscripts } from "./real-transcripts.ts";

const PARTS = ["speed", "summary", "extraction", "faithfulness", "live"] as const;
const words = process.argv.slice(2);
const given = words.find((word) => word.endsWith(".gguf"));
const count = words.find((word) => /^\d+$/.test(word)) ?? "200";
const chosen = words.find((word) => word !== given && word !== count)?.split(",") ?? ["speed", "summary", "extraction"];
const isWanted = (part: (typeof PARTS)[number]) => chosen.includes(part);
const unknown = chosen.find((part) => !(PARTS as readonly string[]).includes(part));
if (unknown !== undefined) throw new Error(`${unknown} is none of ${PARTS.join(", ")}`);
const row = (name: string, value: string) => process.stdout.write(`${name.padEnd(60)}${value}\n`);
const seconds = (since: number) => (performance.now() - since) / 1000;

const random = randomOf(20_261_125);
const pick = <Item>(items: readonly Item[]): Item => pickBy(items, random);

const NAMES = ["John Smith", "Anna Berger", "Li Wei", "Maria Lopez", "Peter Novak"];
const THINGS = ["the invoice", "the new printer", "our booking", "the delivery", "the contract"];
const SENTENCES = [
  () => `My name is ${pick(NAMES)} and I call about ${pick(THINGS)}.`,
  () => `It costs ${10 + Math.floor(random() * 900)} dollars.`,
  () => `We meet on ${pick(["Monday", "Tuesday", "Friday"])} at ${8 + Math.floor(random() * 10)}:30.`,
  () => `I think ${pick(THINGS)} was late, and nobody told ${pick(NAMES)}.`,
  () => `Can you send ${pick(THINGS)} to ${pick(["Berlin", "Lisbon", "Chicago"])}?`,
  () => "So let us move it to the end of the month, if nobody objects.",
];
const transcript = (sentences: number) => Array.from({ length: sentences }, () => pick(SENTENCES)()).join(" ");

const LEAVES: readonly (() => JsonSchema)[] = [
  () => ({ type: ["string", "null"] }),
  () => ({ type: "string", maxLength: 40 }),
  () => ({ type: "integer", minimum: 0, maximum: 100 }),
  () => ({ type: ["number", "null"] }),
  () => ({ type: "boolean" }),
  () => ({ enum: ["low", "medium", "high"] }),
];
const FIELDS = ["name", "topic", "amount", "day", "place", "urgency", "is_new", "people", "items", "remark"];

function randomSchema(depth = 0): JsonSchema {
  const fields = [...FIELDS].sort(() => random() - 0.5).slice(0, 1 + Math.floor(random() * 4));
  const properties = Object.fromEntries(
    fields.map((field): [string, JsonSchema] => {
      const kind = random();
      if (depth < 2 && kind < 0.15) return [field, randomSchema(depth + 1)];
      if (depth < 2 && kind < 0.35) return [field, { type: "array", items: randomSchema(depth + 1), maxItems: 4 }];
      if (kind < 0.45)
        return [field, { type: "array", items: pick(LEAVES)(), minItems: Math.floor(random() * 2), maxItems: 5 }];
      return [field, pick(LEAVES)()];
    }),
  );
  return { type: "object", properties, required: fields };
}

const memory = () => {
  const own = [...childProcesses()].find(([, name]) => name === "language model")?.[0];
  return own === undefined ? 0 : (residentBytes(own) ?? 0);
};

async function extraction(model: LocalLanguageModel, times: number): Promise<void> {
  let valid = 0;
  const started = performance.now();
  for (let at = 0; at < times; at++) {
    const schema = randomSchema();
    const problem = schemaProblem(schema);
    if (problem !== undefined) throw new Error(problem);
    const isAny = (value: unknown): value is unknown => value !== undefined;
    const answers = await jsonOverTranscript(
      "Fill in the data from the transcript.",
      transcript(8),
      model,
      schema,
      isAny,
    );
    if (answers.every((answer) => satisfies(schema, answer))) valid++;
  }
  row(`extraction: valid answers, ${times} random schemas`, `${((100 * valid) / times).toFixed(1)} %`);
  row("extraction: seconds an answer", (seconds(started) / times).toFixed(1));
}

async function speed(model: LocalLanguageModel): Promise<void> {
  const budget = new Budget(model);
  const started = performance.now();
  const text = await chat("Retell the transcript at length, sentence by sentence.", transcript(30), model, { budget });
  const took = seconds(started);
  const { tokens } = await countTokens("bench", { file: model.file, texts: [text] }, new AbortController().signal);
  row("one answer, its question of 30 sentences included", `${took.toFixed(1)} s, ${tokens[0]} tokens`);
}

/** 150 words a minute. */
async function summary(model: LocalLanguageModel): Promise<void> {
  const meeting = transcript(150);
  const started = performance.now();
  const written = await summarize(meeting, "general", model);
  row(`summary of ${meeting.split(" ").length} words (about ten minutes)`, `${seconds(started).toFixed(1)} s`);
  const facts = new TranscriptFacts(meeting);
  row("names, numbers and quotes that the transcript does not have", String(facts.missing(written).length));
  row("  after checking", String(facts.missing(facts.withoutUnsupported(written).text).length));
}

async function invented(model: LocalLanguageModel): Promise<void> {
  const show = (title: string, text: string) => process.stderr.write(`${title}:\n  ${text.replaceAll("\n", "\n  ")}\n`);
  for (const transcript of await realTranscripts()) {
    const { name, texts, before, after, seconds: took } = await faithfulness(transcript, model, show);
    row(`${name}: invented names and numbers in ${texts} texts, before`, `${before.length} ${before.join(" ")}`);
    row("  after checking", `${after.length} ${after.join(" ")}`);
    row("  time", `${took.toFixed(0)} s`);
  }
}

async function live(file: string): Promise<void> {
  const { alone, beside, answers } = await liveBesideModel(file);
  for (const [name, delays] of Object.entries({ alone, [`beside the model (${answers} answers)`]: beside })) {
    row(`live words, ${name}, median / P95`, `${delays.wordMedian} / ${delays.word95} ms`);
    row(`live finals, ${name}, median / P95`, `${delays.finalMedian} / ${delays.final95} ms`);
  }
}

const folder = mkdtempSync(path.join(os.tmpdir(), "parlance-understanding-"));
try {
  const file = given
    ? path.resolve(given)
    : writeTinyLanguageModel(path.join(folder, "tiny.gguf"), { contextTokens: 8192 });
  const { languageModel } = await withLanguageModel({ languageModel: { id: "bench", file, mostTokens: 1e9 } });
  const model = languageModel as LocalLanguageModel;
  row("model", `${path.basename(file)}, ${Math.round(statSync(file).size / 1e6)} MB`);
  const started = performance.now();
  await countTokens("bench", { file, texts: ["one"] }, new AbortController().signal);
  row("start of the process and loading", `${seconds(started).toFixed(1)} s`);
  if (isWanted("speed")) await speed(model);
  if (isWanted("summary")) await summary(model);
  if (isWanted("extraction")) await extraction(model, Number(count));
  if (isWanted("faithfulness")) await invented(model);
  row("memory of the process", `${Math.round(memory() / 1e6)} MB`);
  await stopLanguageModel();
  if (isWanted("live")) await live(file);
} finally {
  await stopLanguageModel();
  rmSync(folder, { recursive: true, force: true });
}
