import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Disk } from "../../../platform/storage/disk/disk.ts";
import { Quarantine } from "../../../platform/storage/quarantine.ts";
import { JOURNAL_FILE, Journal } from "./journal.ts";
import type { JournalEntry } from "./log-contract.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "parlance-journal-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const session = () => path.join(folder, "session");
const file = () => path.join(session(), JOURNAL_FILE);
const message = (number: number): JournalEntry => ({
  kind: "message",
  number,
  text: `{"type":"transcript","n":${number}}`,
});
const channel = (position: number): JournalEntry => ({
  kind: "channel",
  channel: 0,
  state: { position, nextUtterance: position, context: {} as never },
});
const format: JournalEntry = {
  kind: "format",
  headerBytes: 0,
  format: { encoding: "wav/pcm", bitDepth: 16, sampleRate: 16_000, channels: 1 },
};

async function written(...groups: JournalEntry[][]): Promise<void> {
  const { journal } = await Journal.open(session(), new Disk(false));
  for (const group of groups) await journal.append(...group);
  await journal.close();
}

async function reopened() {
  const { journal, entries, lost } = await Journal.open(session(), new Disk(false), new Quarantine(folder));
  await journal.close();
  return { entries, lost };
}

function damageLine(index: number, change: (line: string) => string): void {
  const lines = readFileSync(file(), "utf8").split("\n");
  lines[index] = change(lines[index] ?? "");
  writeFileSync(file(), lines.join("\n"));
}

test("appended entries are read again", async () => {
  const entries = [format, message(0), message(1), channel(100), { kind: "stop" } as const];
  await written([format], [message(0)], [message(1), channel(100)], [{ kind: "stop" }]);
  expect(await reopened()).toEqual({ entries, lost: false });
});

test("a line that was truncated by a kill is skipped, and the next one is read", async () => {
  await written([message(0)]);
  appendFileSync(file(), '=00000000 {"kind":"mess');
  await written([message(1)]);
  expect(await reopened()).toEqual({ entries: [message(0), message(1)], lost: false });
});

test("a flipped bit in a message discards what follows it, except the stop and the arrivals", async () => {
  await written([format, message(0)], [message(1), channel(100)], [message(2), channel(200)]);
  await written([{ kind: "arrived", below: 3 }], [message(3), channel(300)], [{ kind: "stop" }]);
  damageLine(2, (line) => line.replace('\\"n\\":2', '\\"n\\":6'));
  const { entries, lost } = await reopened();
  expect(lost).toBe(true);
  expect(entries).toEqual([
    format,
    message(0),
    message(1),
    channel(100),
    { kind: "arrived", below: 3 },
    { kind: "stop" },
    { kind: "renumbered", from: 5 },
  ]);
  // The journal is valid again, and its former content is kept.
  await written([message(5), channel(200)]);
  expect((await reopened()).lost).toBe(false);
  const [kept] = await new Quarantine(folder).list();
  expect(kept?.reason).toMatch(/journal are damaged/);
  expect(readFileSync(path.join(kept?.folder ?? "", JOURNAL_FILE), "utf8")).toMatch(/n\\":6/);
});

test("a flipped bit in the last message discards the state that follows it", async () => {
  await written([format, message(0)], [message(1), channel(100)], [message(2), channel(200)]);
  damageLine(2, (line) => line.replace('\\"n\\":2', '\\"n\\":6'));
  expect((await reopened()).entries).toEqual([
    format,
    message(0),
    message(1),
    channel(100),
    { kind: "renumbered", from: 3 },
  ]);
});

test("a damaged channel state discards the message that was appended with it", async () => {
  await written([format, message(0)], [message(1), channel(100)], [message(2), channel(200)]);
  damageLine(2, (line) => line.replace("200", "900"));
  expect(await reopened()).toEqual({
    entries: [format, message(0), message(1), channel(100), { kind: "renumbered", from: 3 }],
    lost: true,
  });
});

test("lines of earlier versions, which have no checksum, are read", async () => {
  await written();
  writeFileSync(file(), [format, message(0), channel(5)].map((entry) => `${JSON.stringify(entry)}\n`).join(""));
  await written([message(1)]);
  expect((await reopened()).entries).toEqual([format, message(0), channel(5), message(1)]);
});

test.each([
  ["a block of zeros", (text: string) => text.slice(0, 60) + "\0".repeat(200) + text.slice(260)],
  ["nothing", () => ""],
  ["foreign content", () => "\u0001\u0002%PDF\n\n[]\nnull\n5\n"],
  ["everything twice", (text: string) => text + text],
  ["the first half", (text: string) => text.slice(0, text.length / 2)],
])("a journal with %s opens, and numbers of messages have no gap", async (_, change) => {
  await written([format, message(0)], [message(1), channel(100)], [message(2), channel(200)]);
  writeFileSync(file(), change(readFileSync(file(), "utf8")));
  const { entries } = await reopened();
  const numbers = entries.flatMap((entry) => (entry.kind === "message" ? [entry.number] : []));
  expect(numbers).toEqual(numbers.map((_, at) => at));
});

test("a state after audio without words is no loss, unless an entry before it is damaged", async () => {
  const wordless = (position: number) => ({ ...channel(position), kind: "wordless" }) as JournalEntry;
  const entries = [format, message(0), wordless(50), message(1), channel(100), wordless(150)];
  await written(entries.slice(0, 3), entries.slice(3));
  expect(await reopened()).toEqual({ entries, lost: false });
  await written([message(2), channel(200)], [wordless(250)]);
  damageLine(2, () => "damaged");
  expect((await reopened()).entries).toEqual([...entries, { kind: "renumbered", from: 3 }]);
});

test("a damaged message before a renumbering is lost; a renumbering alone is not a loss", async () => {
  const renumbered: JournalEntry = { kind: "renumbered", from: 3 };
  await written([message(0), channel(100)], [message(1), channel(200)], [renumbered], [message(3), channel(300)]);
  expect(await reopened()).toMatchObject({ lost: false });
  damageLine(1, (line) => line.replace('\\"n\\":1', '\\"n\\":6'));
  const { entries, lost } = await reopened();
  expect(lost).toBe(true);
  expect(entries.filter(({ kind }) => kind === "channel" || kind === "message")).toEqual([message(0), channel(100)]);
  expect(entries.at(-1)).toEqual({ kind: "renumbered", from: 5 });
});
