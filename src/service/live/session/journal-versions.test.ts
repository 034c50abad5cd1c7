// Journals of sessions that processes of the previous version and of this one continue in turn. The previous version
// stored messages: entries with a number and a text. It reads these two fields and ignores the others.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { MemoryLog } from "../../../../test/fixtures/memory-log.ts";
import { atOnce } from "../../../platform/process/steps.ts";
import { Disk } from "../../../platform/storage/disk/disk.ts";
import { Quarantine } from "../../../platform/storage/quarantine.ts";
import { RECORD_FORMAT } from "../dialects/registry.ts";
import type { EmittedEvent, EventKind, LiveEvent } from "../events/live-event.ts";
import { EVENT_CLASSES } from "../events/subscription.ts";
import { FolderLog } from "../log/folder-log.ts";
import { JOURNAL_FILE } from "../log/journal.ts";
import type { SessionLog } from "../log/log-contract.ts";
import { Outbox } from "./outbox.ts";

const ID = "0192f0c4-0000-7000-8000-000000000001";
const printed = (type: string, rest = "") =>
  `{"session_id":"${ID}","created_at":"2026-11-20T10:00:00.000Z","type":"${type}"${rest}}`;
const FINAL = printed(
  "transcript",
  ',"data":{"id":"00_00000000","is_final":true,"utterance":{"text":" Hello.","language":"en","start":0.32,"end":0.8,"confidence":0.97,"channel":0,"words":[{"word":" Hello.","start":0.32,"end":0.8,"confidence":0.97}]}}',
);
/** Messages of the journal below, in order. */
const OLD_TEXTS = [
  printed("start_recording"),
  printed("speech_start", ',"data":{"time":0.32,"channel":0}'),
  printed("speech_end", ',"data":{"time":0.8,"channel":0}'),
  FINAL,
];

/** Written by version 0.1.0, line by line; the client has received the first message. */
const OLD_JOURNAL = `=695fa824 {"kind":"format","headerBytes":0,"format":{"encoding":"wav/pcm","bitDepth":16,"sampleRate":16000,"channels":1}}
=4883dd4e {"kind":"message","number":0,"text":"{\\"session_id\\":\\"0192f0c4-0000-7000-8000-000000000001\\",\\"created_at\\":\\"2026-11-20T10:00:00.000Z\\",\\"type\\":\\"start_recording\\"}"}
=3c13d163 {"kind":"arrived","below":1}
=6345a20f {"kind":"message","number":1,"text":"{\\"session_id\\":\\"0192f0c4-0000-7000-8000-000000000001\\",\\"created_at\\":\\"2026-11-20T10:00:00.000Z\\",\\"type\\":\\"speech_start\\",\\"data\\":{\\"time\\":0.32,\\"channel\\":0}}"}
=f34b43e3 {"kind":"message","number":2,"text":"{\\"session_id\\":\\"0192f0c4-0000-7000-8000-000000000001\\",\\"created_at\\":\\"2026-11-20T10:00:00.000Z\\",\\"type\\":\\"speech_end\\",\\"data\\":{\\"time\\":0.8,\\"channel\\":0}}"}
=37fb32c7 [{"kind":"message","number":3,"text":"{\\"session_id\\":\\"0192f0c4-0000-7000-8000-000000000001\\",\\"created_at\\":\\"2026-11-20T10:00:00.000Z\\",\\"type\\":\\"transcript\\",\\"data\\":{\\"id\\":\\"00_00000000\\",\\"is_final\\":true,\\"utterance\\":{\\"text\\":\\" Hello.\\",\\"language\\":\\"en\\",\\"start\\":0.32,\\"end\\":0.8,\\"confidence\\":0.97,\\"channel\\":0,\\"words\\":[{\\"word\\":\\" Hello.\\",\\"start\\":0.32,\\"end\\":0.8,\\"confidence\\":0.97}]}}}"},{"kind":"channel","channel":0,"state":{"position":12800,"nextUtterance":1,"context":{"startSample":0,"settledUntil":0.8,"settled":[]}}}]
`;

/** A connection that prints what it receives. */
function client() {
  const received: string[] = [];
  return {
    received,
    send: async (emitted: EmittedEvent) => void received.push(RECORD_FORMAT.print(emitted)),
    answer: async () => undefined,
    arrival: () => new Promise<void>(() => undefined),
  };
}

function opened(log: SessionLog) {
  const seen: LiveEvent[] = [];
  const outbox = new Outbox({
    sessionId: ID,
    subscription: new Set(EVENT_CLASSES),
    log,
    format: RECORD_FORMAT,
    onEvent: (event) => seen.push(event),
  });
  outbox.replay(log.entries);
  return { outbox, seen };
}

const speech = (seconds: number): LiveEvent => ({ kind: "speechStarted", channel: 0, seconds });
const kinds = (seen: LiveEvent[]) => seen.map(({ kind }) => kind);
const OLD_KINDS: EventKind[] = ["recordingStarted", "speechStarted", "speechEnded", "final"];

describe("a journal in a folder that the previous version wrote", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), "parlance-journal-"));
    mkdirSync(path.join(folder, "session"));
    writeFileSync(path.join(folder, "session", JOURNAL_FILE), OLD_JOURNAL);
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const open = () =>
    FolderLog.open(
      path.join(folder, "session"),
      new Disk(false),
      pino({ level: "silent" }),
      new Quarantine(path.join(folder, "quarantine")),
    );

  test("is continued: the client receives the messages as they were printed, then those of this version", async () => {
    const log = await open();
    const { outbox, seen } = opened(log);
    expect(kinds(seen)).toEqual(OLD_KINDS);
    expect(seen.at(-1)).toMatchObject({
      id: "00_00000000",
      utterance: { text: " Hello.", words: [{ word: " Hello." }] },
    });
    const reader = client();
    await outbox.attach(reader);
    expect(reader.received).toEqual(OLD_TEXTS.slice(1));
    await outbox.persistAndSend(speech(1.2));
    expect(reader.received.at(-1)).toMatch(/"type":"speech_start","data":\{"time":1.2,"channel":0\}\}$/);
    expect(atOnce(outbox.messages())).toEqual([...OLD_TEXTS, reader.received.at(-1)]);
    await log.close();

    const again = await open();
    const numbers = again.entries.flatMap((entry) => (entry.kind === "message" ? [entry.number] : []));
    expect(numbers).toEqual([0, 1, 2, 3, 4]);
    // In a folder of one machine, only this version reads what it writes.
    expect(again.entries.at(-1)).toMatchObject({ kind: "message", number: 4, event: speech(1.2) });
    expect(again.entries.at(-1)).not.toHaveProperty("text");
    const restarted = opened(again);
    expect(atOnce(restarted.outbox.messages())).toEqual(atOnce(outbox.messages()));
    expect(kinds(restarted.seen)).toEqual([...OLD_KINDS, "speechStarted"]);
    await again.close();
  });
});

describe("a shared journal", () => {
  /** What the previous version stores. */
  const storeOld = (log: SessionLog, number: number, text: string) =>
    log.appendEntries({ kind: "message", number, text });
  /** What the previous version reads. */
  const readOld = (log: SessionLog) =>
    log.entries.flatMap((entry) => (entry.kind === "message" ? [{ number: entry.number, text: entry.text }] : []));

  test("is continued by both versions in turn, with the same messages and numbers", async () => {
    const memory = new MemoryLog(true);
    const old = memory.open();
    for (const [number, text] of OLD_TEXTS.entries()) await storeOld(old, number, text);

    const current = opened(memory.open());
    const reader = client();
    await current.outbox.attach(reader);
    await current.outbox.persistAndSend(speech(1.2));
    await current.outbox.persistAndSendOnce({ kind: "recordingEnded", durationSeconds: 2 });
    expect(reader.received).toHaveLength(6);

    const back = memory.open();
    expect(readOld(back)).toEqual(reader.received.map((text, number) => ({ number, text })));
    await storeOld(back, 6, printed("end_session"));

    const last = opened(memory.open());
    expect(kinds(last.seen)).toEqual([...OLD_KINDS, "speechStarted", "recordingEnded", "sessionEnded"]);
    expect(atOnce(last.outbox.messages())).toEqual([...reader.received, printed("end_session")]);
    // Whichever version stored it, an event that a session has once is not stored again.
    await last.outbox.persistAndSendOnce({ kind: "recordingStarted" });
    await last.outbox.persistAndSendOnce({ kind: "recordingEnded", durationSeconds: 2 });
    await last.outbox.persistAndSendOnce({ kind: "sessionEnded" });
    expect(memory.eventNumbers).toEqual([0, 1, 2, 3, 4, 5, 6]);
  });

  test("with an event that a later version added keeps its number and its text", async () => {
    const memory = new MemoryLog(true);
    const later = { kind: "turnPredicted", seconds: 1 } as unknown as LiveEvent;
    const text = printed("turn_predicted", ',"data":{"time":1}');
    await memory
      .open()
      .appendEntries({ kind: "message", number: 0, at: "2026-11-20T10:00:00.000Z", event: later, text });
    const { outbox, seen } = opened(memory.open());
    expect(seen).toEqual([]);
    const reader = client();
    await outbox.attach(reader);
    expect(reader.received).toEqual([]);
    await outbox.persistAndSend(speech(1.2));
    expect(memory.eventNumbers).toEqual([0, 1]);
    expect(atOnce(outbox.messages())).toEqual([text, reader.received[0]]);
  });
});
