import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { AppendFile } from "../../../platform/storage/disk/append-file.ts";
import { Disk } from "../../../platform/storage/disk/disk.ts";
import { Intake } from "../session/intake.ts";
import { Inbox } from "./inbox.ts";

let folder: string;
let inbox: Inbox;
/** Bytes that repeat nowhere. */
const audio = Buffer.from(Array.from({ length: 4_000 }, (_, at) => (at * 7_919 + (at >> 3) * 104_729) % 251));

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "parlance-inbox-"));
  inbox = await Inbox.open({ folder, disk: new Disk(false) });
});
afterEach(async () => {
  await inbox.close();
  await rm(folder, { recursive: true, force: true });
});

const fill = async (until: number) => {
  for (let at = 0; at < until; at += 320) await inbox.append(audio.subarray(at, Math.min(at + 320, until)));
};

test("a resent chunk is found after the acknowledgment that was lost", async () => {
  await fill(3_200);
  for (const lost of [0, 1, 3, 10]) {
    const from = 3_200 - lost * 320;
    expect(await inbox.placeOf(audio.subarray(from, from + 1_600))).toBe(from);
    expect(await inbox.placeOf(audio.subarray(from, from + 100))).toBe(from);
  }
});

test("a chunk that begins with a long silence is found among silent chunks", async () => {
  const [quiet, loud] = [Buffer.alloc(20_000), audio.subarray(0, 1_000)];
  const whole = Buffer.concat([quiet, loud]);
  for (let from = 0; from < quiet.length; from += 320) await inbox.append(whole.subarray(from, from + 320));
  expect(await inbox.placeOf(whole.subarray(3_200))).toBe(3_200);
});

test("data resent in different pieces is found too", async () => {
  await fill(3_200);
  // The client reconnected at 640, resent 500 bytes, and disconnected before the acknowledgment.
  await inbox.append(audio.subarray(0, 0), 1_140);
  expect(await inbox.placeOf(audio.subarray(1_140, 2_000))).toBe(1_140);
  await inbox.close();
  inbox = await Inbox.open({ folder, disk: new Disk(false) });
  expect(await inbox.placeOf(audio.subarray(1_140, 4_000))).toBe(1_140);
});

test("new data is appended at the end; so is digital silence, which may duplicate it but never loses it", async () => {
  await fill(1_600);
  expect(await inbox.placeOf(audio.subarray(2_000, 2_320))).toBe(1_600);
  await inbox.append(Buffer.alloc(640));
  expect(await inbox.placeOf(Buffer.alloc(320))).toBe(2_240);
});

test("the boundaries are known after a restart", async () => {
  await fill(3_200);
  await inbox.close();
  inbox = await Inbox.open({ folder, disk: new Disk(true) });
  expect(inbox.total).toBe(3_200);
  expect(await inbox.placeOf(audio.subarray(2_560, 3_900))).toBe(2_560);
  await inbox.append(audio.subarray(3_200, 3_300));
  expect((await inbox.read(0, inbox.total)).equals(audio.subarray(0, 3_300))).toBe(true);
});

test("chunks of one size cost one write each, for any number of chunks", async () => {
  await fill(3_200);
  await inbox.write();
  expect((await stat(path.join(folder, "boundaries.bin"))).size).toBe(16);
  await inbox.append(audio.subarray(3_200, 3_300));
  await inbox.write();
  expect((await stat(path.join(folder, "boundaries.bin"))).size).toBe(40);
});

test("chunks that wait to be written can be read, found and streamed, and are in the file when they are stored", async () => {
  await fill(1_600);
  await inbox.write();
  await inbox.append(audio.subarray(1_600, 2_000));
  await inbox.append(audio.subarray(2_000, 2_400));
  expect((await stat(path.join(folder, "audio.raw"))).size).toBe(1_600);
  expect(inbox.total).toBe(2_400);
  for (const [from, until] of [
    [0, 2_400],
    [1_500, 2_100],
    [1_700, 1_900],
    [2_300, 9_000],
  ] as const) {
    const expected = audio.subarray(from, Math.min(until, 2_400));
    expect((await inbox.read(from, until)).equals(expected), `${from} to ${until}`).toBe(true);
  }
  expect(await inbox.placeOf(audio.subarray(2_000, 2_400))).toBe(2_000);
  const streamed: Buffer[] = [];
  for await (const piece of inbox.stream(100, 2_300)) streamed.push(piece);
  expect(Buffer.concat(streamed).equals(audio.subarray(100, 2_300))).toBe(true);
  await inbox.append(audio.subarray(2_400, 2_500));
  await inbox.stored();
  expect((await stat(path.join(folder, "audio.raw"))).size).toBe(2_500);
});

test("chunks that could not be written are written by the next attempt, once", async () => {
  let isFull = true;
  const openFile = async (file: string, disk: Disk) => {
    const opened = await AppendFile.open(file, disk);
    return new Proxy(opened, {
      get(target, name) {
        if (name === "append" && isFull) return () => Promise.reject(new Error("ENOSPC"));
        const value = Reflect.get(target, name) as unknown;
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
  };
  const own = path.join(folder, "own");
  const box = await Inbox.open({ folder: own, disk: new Disk(true), openFile });
  await box.append(audio.subarray(0, 320));
  await expect(box.stored()).rejects.toThrow("ENOSPC");
  await box.append(audio.subarray(320, 640));
  expect((await box.read(0, 640)).equals(audio.subarray(0, 640))).toBe(true);
  isFull = false;
  await box.stored();
  expect((await readFile(path.join(own, "audio.raw"))).equals(audio.subarray(0, 640))).toBe(true);
  await box.close();
});

test("chunks of any sizes, restarts between them: every end is known", async () => {
  const chunk = fc.record({ size: fc.constantFrom(40, 40, 40, 100, 130), isRestart: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(fc.array(chunk, { minLength: 1, maxLength: 25 }), async (chunks) => {
      const own = path.join(folder, `${Math.random()}`);
      let box = await Inbox.open({ folder: own, disk: new Disk(false) });
      const ends = [0];
      for (const { size, isRestart } of chunks) {
        const from = ends.at(-1) as number;
        await box.append(audio.subarray(from, from + size));
        ends.push(from + size);
        if (!isRestart) continue;
        await box.close();
        box = await Inbox.open({ folder: own, disk: new Disk(false) });
      }
      for (const end of ends) expect(await box.placeOf(audio.subarray(end, end + 500))).toBe(end);
      await box.close();
    }),
    { numRuns: 100 },
  );
});

test("bytes of a replaced connection do not hide where the newer one continues", async () => {
  const intake = new Intake(inbox);
  await intake.take(audio.subarray(0, 1_000), 1);
  await intake.take(audio.subarray(1_000, 1_700), 1);
  // No acknowledgment reached the client: it resends all of it.
  expect((await intake.take(audio.subarray(0, 900), 2)).range).toEqual([0, 900]);
  expect((await intake.take(audio.subarray(900, 2_000), 2)).range).toEqual([900, 2_000]);
  expect((await inbox.read(0, inbox.total)).equals(audio.subarray(0, 2_000))).toBe(true);
});
