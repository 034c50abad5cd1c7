import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { AppendFile } from "./append-file.ts";
import { Disk } from "./disk.ts";

let folder: string;
const canMount = process.platform === "linux" && process.getuid?.() === 0;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "parlance-append-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("appends follow one another, also after the file is opened again", async () => {
  const file = path.join(folder, "new", "deep", "file");
  let log = await AppendFile.open(file, new Disk(true));
  await Promise.all([log.append(Buffer.from("one ")), log.append(Buffer.from("two "))]);
  await Promise.all([log.sync(), log.sync()]);
  await log.close();
  log = await AppendFile.open(file, new Disk(true));
  expect(log.size).toBe(8);
  await log.append(Buffer.from("three"));
  expect((await log.read(4, 100)).toString()).toBe("two three");
  await log.close();
});

describe.skipIf(!canMount)("on a full disk (skipped without root on Linux)", () => {
  beforeEach(() => void execFileSync("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", folder]));
  afterEach(() => void execFileSync("umount", ["--lazy", folder]));

  test("an append that does not fit leaves the file as it was, and the next one follows on it", async () => {
    const file = path.join(folder, "file");
    const log = await AppendFile.open(file, new Disk(true));
    const before = Buffer.alloc(100_001, 1);
    await log.append(before);
    const { bavail, bsize } = statfsSync(folder);
    const ballast = path.join(folder, "ballast");
    writeFileSync(ballast, Buffer.alloc((bavail - 1) * bsize));
    // Larger than the one page that is free: a part of it is written before the system says no.
    await expect(log.append(Buffer.alloc(300_000, 2))).rejects.toMatchObject({ code: "ENOSPC" });
    expect(readFileSync(file)).toEqual(before);
    rmSync(ballast);
    await log.append(Buffer.alloc(300_000, 3));
    expect(readFileSync(file)).toEqual(Buffer.concat([before, Buffer.alloc(300_000, 3)]));
    await log.close();
  });
});
