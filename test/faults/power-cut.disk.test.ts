// The power is cut: the disk has everything that the service acknowledged before. The service runs under load on a separate disk, and the
// test copies the device at random moments. A copy has the synced data, and not the data that is only in the kernel's memory. The test
// mounts each copy and compares its database and files with the acknowledgments. On some copies it starts a service, which continues the
// work.
import { createHash, randomInt } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openDatabase } from "../../src/platform/storage/db/database.ts";
import { findFile } from "../../src/platform/storage/db/files/files.ts";
import { findJob } from "../../src/platform/storage/db/jobs/jobs.ts";
import { type AnyMessage, createSession, LiveClient } from "../fixtures/live-client.ts";
import { sessionResult } from "../fixtures/live-invariants.ts";
import { canMountLoop, LoopDisk } from "../fixtures/loop-disk.ts";
import { signalTree } from "../fixtures/processes.ts";
import { randomOf } from "../fixtures/random.ts";
import { noise, wav } from "../fixtures/recordings.ts";
import { decodeSpeech, encodePcm, repeated } from "../fixtures/speech.ts";
import { isThorough } from "../fixtures/thorough.ts";
import { call, type RunningService, ready, startService, upload } from "../service.ts";

const CUTS = Number(process.env["POWER_CUTS"] ?? (isThorough ? 8 : 4));
const SEED = Number(process.env["POWER_CUT_SEED"] ?? randomInt(2 ** 31));
/** On one in so many copies a whole service is started, and the sessions are brought to their end. */
const SERVICE_EVERY = 4;
const DISK_MEGABYTES = 700;
const UPLOADERS = 2;
const SPEAKERS = 2;
/** 100 ms of 16-bit samples at 16 kHz. */
const CHUNK_BYTES = 3_200;
/** So much faster than real time. */
const SPEED = 4;
const ANSWER_MILLISECONDS = 60_000;
/** Of what is older, a part is looked for. */
const NEWEST_CHECKED = 60;

/** What clients were answered. */
interface Acknowledged {
  uploads: { id: string; url: string; hash: string }[];
  jobs: string[];
  /** Results that a client has read. */
  results: { id: string; text: string }[];
  sessions: Map<string, { url: string; sent: Buffer; bytes: number; finals: Map<string, string>; hasEnded: boolean }>;
}

const hashOf = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Clients that continue until they are ended. */
class Load {
  readonly known: Acknowledged = { uploads: [], jobs: [], results: [], sessions: new Map() };
  private hasEnded = false;
  private gate: Promise<void> = Promise.resolve();
  private readonly clients: Promise<void>[] = [];
  private waitingJobs: string[] = [];

  constructor(
    private readonly service: RunningService,
    private readonly speech: Buffer,
  ) {
    for (let at = 0; at < UPLOADERS; at++) this.clients.push(this.repeat(() => this.uploadAndCreate()));
    for (let at = 0; at < SPEAKERS; at++) this.clients.push(this.repeat(() => this.speak()));
    this.clients.push(this.repeat(() => this.readResults()));
    // end() reports what failed; until then a rejection is not unhandled.
    for (const client of this.clients) client.catch(() => undefined);
  }

  async end(): Promise<void> {
    this.hasEnded = true;
    await Promise.all(this.clients);
  }

  /** Holds the clients until `task` is done: the machine is needed for it. */
  async holdWhile<Result>(task: () => Promise<Result>): Promise<Result> {
    const held = task();
    this.gate = held.then(
      () => undefined,
      () => undefined,
    );
    return held;
  }

  /** As it is now: what comes later does not change it. */
  snapshot(): Acknowledged {
    const { uploads, jobs, results, sessions } = this.known;
    const copied = [...sessions].map(([id, one]) => [id, { ...one, finals: new Map(one.finals) }] as const);
    return { uploads: [...uploads], jobs: [...jobs], results: [...results], sessions: new Map(copied) };
  }

  private async repeat(task: () => Promise<void>): Promise<void> {
    while (!this.hasEnded) {
      await this.gate;
      await task();
    }
  }

  private async uploadAndCreate(): Promise<void> {
    const content = wav([noise(0.2, 0.1 + Math.random() / 10).map((sample) => sample * Math.random())]);
    const { status, json } = await upload(this.service, content);
    expect(status).toBe(200);
    this.known.uploads.push({ id: json.audio_metadata.id, url: json.audio_url, hash: hashOf(content) });
    const created = await call(this.service, "POST", "/v2/pre-recorded", { body: { audio_url: json.audio_url } });
    expect(created.status).toBe(201);
    this.known.jobs.push(created.json.id);
    this.waitingJobs.push(created.json.id);
    await pause(50);
  }

  private async readResults(): Promise<void> {
    const left: string[] = [];
    for (const id of this.waitingJobs.splice(0, 20)) {
      const { json } = await call(this.service, "GET", `/v2/transcription/${id}`);
      if (json.status === "done") this.known.results.push({ id, text: JSON.stringify(json.result) });
      else left.push(id);
    }
    this.waitingJobs.push(...left);
    await pause(50);
  }

  private async speak(): Promise<void> {
    const { id, url } = await createSession(this.service, { endpointing: 0.3 });
    const state = { url, sent: this.speech, bytes: 0, finals: new Map<string, string>(), hasEnded: false };
    this.known.sessions.set(id, state);
    const client = await LiveClient.connect(url);
    client.socket.on("message", (data) => {
      const message = JSON.parse(data.toString()) as AnyMessage;
      if (message.type === "audio_chunk" && message.acknowledged) state.bytes = message.data.byte_range[1];
      if (message.type === "transcript" && message.data.is_final)
        state.finals.set(message.data.id, message.data.utterance.text);
      if (message.type === "end_session") state.hasEnded = true;
    });
    for (let at = 0; at < this.speech.length && !this.hasEnded; at += CHUNK_BYTES) {
      await this.gate;
      client.send(this.speech.subarray(at, at + CHUNK_BYTES));
      await pause(100 / SPEED);
    }
    // A session whose client had not received everything is not compared.
    if (this.hasEnded) return client.drop();
    client.stop();
    await client.closed;
  }
}

/** What hangs is missing, too. */
async function inTime(what: string, found: Promise<string[]>): Promise<string[]> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string[]>((resolve) => {
    timer = setTimeout(() => resolve([`${what}: nothing after ${ANSWER_MILLISECONDS / 1000} s`]), ANSWER_MILLISECONDS);
  });
  try {
    return await Promise.race([found, late]);
  } finally {
    clearTimeout(timer);
    found.catch(() => undefined);
  }
}

/** The newest, and some of the others. */
function some<Item>(items: readonly Item[], random: () => number): Item[] {
  const older = items.slice(0, -NEWEST_CHECKED).filter(() => random() < NEWEST_CHECKED / items.length);
  return [...older, ...items.slice(-NEWEST_CHECKED)];
}

/** What the files of a disk must have of what was acknowledged, before anything starts on it. */
function missingFiles(data: string, known: Acknowledged, random: () => number): string[] {
  const missing: string[] = [];
  for (const { id, hash } of some(known.uploads, random)) {
    const file = path.join(data, "objects", "audio", id);
    if (!existsSync(file) || hashOf(readFileSync(file)) !== hash) missing.push(`upload ${id}`);
  }
  for (const [id, { sent, bytes, finals, hasEnded }] of known.sessions) {
    const folder = path.join(data, "objects", "live", id);
    if (hasEnded || (bytes === 0 && finals.size === 0)) continue;
    const audio = path.join(folder, "audio.raw");
    // One that has just ended has its audio elsewhere; its row says so.
    if (existsSync(path.join(data, "objects", "results", `${id}.json`))) continue;
    const stored = existsSync(audio) ? readFileSync(audio) : Buffer.alloc(0);
    if (!stored.subarray(0, bytes).equals(sent.subarray(0, bytes)))
      missing.push(`audio of session ${id}: ${bytes} bytes were acknowledged, ${stored.length} are there`);
    const journal = path.join(folder, "journal.jsonl");
    const text = existsSync(journal) ? readFileSync(journal, "utf8") : "";
    for (const final of finals.keys()) if (!text.includes(final)) missing.push(`final ${final} of session ${id}`);
  }
  return missing;
}

/** What the database of a disk must have. */
async function missingRows(data: string, known: Acknowledged, random: () => number): Promise<string[]> {
  const database = await openDatabase("", data);
  try {
    const missing: string[] = [];
    for (const { id } of some(known.uploads, random)) {
      if (!(await findFile(database, id))) missing.push(`row of upload ${id}`);
    }
    for (const id of some(known.jobs, random)) if (!(await findJob(database, id))) missing.push(`job ${id}`);
    for (const { id, text } of some(known.results, random)) {
      const row = await findJob(database, id);
      const file = path.join(data, "objects", row?.result_key ?? "none");
      const isSame = existsSync(file) && JSON.stringify(JSON.parse(readFileSync(file, "utf8"))) === text;
      if (row?.status !== "done" || !isSame) missing.push(`result ${id}: ${row?.status}`);
    }
    for (const [id, { hasEnded, bytes }] of known.sessions) {
      const row = await findJob(database, id);
      const isRight = hasEnded ? row?.status === "done" : bytes === 0 || /processing|done/.test(row?.status ?? "");
      if (!row || !isRight) missing.push(`session ${id}: ${row?.status}`);
    }
    return missing;
  } finally {
    await database.destroy();
  }
}

/** What a service on the disk must answer. */
async function missingAnswers(service: RunningService, known: Acknowledged, random: () => number): Promise<string[]> {
  const missing: string[] = [];
  for (const { id, url } of some(known.uploads, random).slice(-NEWEST_CHECKED)) {
    const { status } = await call(service, "POST", "/v2/pre-recorded", { body: { audio_url: url } });
    if (status !== 201) missing.push(`row of upload ${id}: ${status}`);
  }
  for (const id of some(known.jobs, random)) {
    const { status, json } = await call(service, "GET", `/v2/transcription/${id}`);
    if (status !== 200 || json.status === "error") missing.push(`job ${id}: ${status} ${json?.error_code}`);
  }
  for (const { id, text } of some(known.results, random)) {
    const { json } = await call(service, "GET", `/v2/transcription/${id}`);
    if (JSON.stringify(json.result) !== text) missing.push(`result ${id}: ${json.status}`);
  }
  for (const [id, { hasEnded, bytes }] of known.sessions) {
    const { status, json } = await call(service, "GET", `/v2/live/${id}`);
    const isRight = hasEnded ? json.status === "done" : bytes === 0 || ["processing", "done"].includes(json.status);
    if (status !== 200 || !isRight) missing.push(`session ${id}: ${status} ${json?.status}`);
  }
  return missing;
}

/** Brings the sessions that were under way to their end. */
async function missingOfSessions(service: RunningService, known: Acknowledged): Promise<string[]> {
  const missing: string[] = [];
  for (const [id, { url, sent, bytes, finals, hasEnded }] of known.sessions) {
    if (hasEnded || bytes === 0) continue;
    const token = new URL(url).search;
    const before = await call(service, "GET", `/v2/live/${id}`);
    if (before.json.status === "processing") {
      const client = await LiveClient.connect(`${service.base.replace("http", "ws")}/v2/live${token}`);
      client.stop();
      await client.closed;
    }
    const job = await sessionResult(service, id);
    if (job.status !== "done") {
      missing.push(`session ${id} ended as ${job.status}`);
      continue;
    }
    const texts = job.result.messages.map((text: string) => JSON.parse(text));
    for (const [final, text] of finals) {
      const kept = texts.find((one: AnyMessage) => one.type === "transcript" && one.data.id === final);
      if (kept?.data.utterance.text !== text) missing.push(`final ${final} of session ${id} in its result`);
    }
    const file = await call(service, "GET", `/v2/live/${id}/file`);
    if (file.status !== 200) missing.push(`recording of session ${id}`);
    const stored = readFileSync(path.join(service.folder, "objects", "audio", id)).subarray(44);
    if (!stored.subarray(0, bytes).equals(sent.subarray(0, bytes))) missing.push(`recording of session ${id}`);
  }
  return missing;
}

describe.skipIf(!canMountLoop())("a power cut (skipped where no loop device can be mounted)", () => {
  let folder: string;
  let disk: LoopDisk;
  let service: RunningService;
  let speech: Buffer;
  const environment = { PARLANCE_WORKERS: "1", PARLANCE_RESERVE_BYTES: "0", PARLANCE_LOG_LEVEL: "warn" };

  beforeAll(async () => {
    folder = mkdtempSync(path.join(os.tmpdir(), "parlance-power-"));
    const hiss = noise(20, 0.0005);
    speech = encodePcm([repeated(await decodeSpeech(), 4, 0.8).map((sample, at) => sample + (hiss[at] ?? 0))]);
    disk = LoopDisk.mount(path.join(folder, "disk"), DISK_MEGABYTES);
    service = await startService({ folder: path.join(disk.folder, "data"), environment });
    await ready(service);
  });
  afterAll(async () => {
    await service?.kill();
    disk?.unmount();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Cuts the power, as far as the copy goes. @returns what clients know of at that moment */
  async function takeCopy(load: Load, image: string): Promise<Acknowledged> {
    signalTree(service.processId, "SIGSTOP");
    try {
      const known = load.snapshot();
      await disk.quiet();
      disk.copyTo(image);
      return known;
    } finally {
      signalTree(service.processId, "SIGCONT");
    }
  }

  async function missingOn(image: string, known: Acknowledged, random: () => number, withService: boolean) {
    const left = LoopDisk.mount(image);
    const data = path.join(left.folder, "data");
    let restarted: RunningService | undefined;
    try {
      const missing = missingFiles(data, known, random);
      missing.push(...(await missingRows(data, known, random)));
      if (!withService) return missing;
      // On this machine the process that made it is alive; after a power cut it is not.
      rmSync(path.join(data, "parlance.lock"), { force: true });
      restarted = await startService({ folder: data, environment });
      missing.push(...(await missingAnswers(restarted, known, random)));
      missing.push(...(await inTime("sessions that end", missingOfSessions(restarted, known))));
      return missing;
    } catch (error) {
      return [`nothing can be read: ${(error as Error).message.slice(0, 2_000)}`];
    } finally {
      await restarted?.kill();
      left.unmount();
      rmSync(image, { force: true });
    }
  }

  test(`loses nothing that was acknowledged, ${CUTS} times (POWER_CUTS), seed ${SEED} (POWER_CUT_SEED)`, {
    timeout: 60_000 + CUTS * 30_000,
  }, async () => {
    const random = randomOf(SEED);
    const lost: string[] = [];
    let checked = 0;
    const load = new Load(service, speech);
    try {
      for (let cut = 1; cut <= CUTS; cut++) {
        await pause(300 + random() * 1_500);
        const image = path.join(folder, `cut-${cut}`);
        const known = await takeCopy(load, image);
        checked += known.uploads.length + known.jobs.length + known.results.length + known.sessions.size;
        const missing = await load.holdWhile(() => missingOn(image, known, random, cut % SERVICE_EVERY === 0));
        lost.push(...missing.map((what) => `cut ${cut}: ${what}`));
      }
      await load.end();
    } catch (error) {
      throw new Error(`the load failed; the service printed last: ${service.log().slice(-4_000)}`, { cause: error });
    }
    expect(checked).toBeGreaterThan(CUTS);
    expect(lost).toEqual([]);
  });
});
