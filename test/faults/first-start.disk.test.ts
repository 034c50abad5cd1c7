// The first start on a disk that is full or read-only: one sentence, no stack, and no damage for the start after it.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import path from "node:path";
import { afterEach, expect, test } from "vitest";
import { SmallDisk } from "../fixtures/small-disk.ts";
import { startService } from "../service.ts";

let disk: SmallDisk | undefined;
afterEach(() => disk?.unmount());

const SHORTAGE = /no room left on the disk/;

test("a disk that is too small for a new database", { timeout: 180_000 }, async ({ skip }) => {
  disk = SmallDisk.mount(100);
  if (!disk) return skip("no disk can be mounted");
  const folder = path.join(disk.folder, "data");
  // Nothing, a part, and nearly all of a new database fit.
  for (const left of [100_000, 12_000_000]) {
    disk.fill(left);
    const output = String(await startService({ folder, environment: { PARLANCE_RESERVE_BYTES: "0" } }).catch(String));
    expect(output).toMatch(SHORTAGE);
    expect(output).not.toMatch(/object Object|ErrnoError|damaged|parlance: .*\n\s+at /);
  }
  disk.fill(90_000_000);
  const service = await startService({ folder, environment: { PARLANCE_RESERVE_BYTES: "0" } });
  expect(await service.stop()).toBe(0);
  // PostgreSQL cannot start where it cannot write its log. That is no damage.
  disk.fill(0);
  const output = String(await startService({ folder, environment: { PARLANCE_RESERVE_BYTES: "0" } }).catch(String));
  expect(output).toMatch(SHORTAGE);
  expect(output).not.toMatch(/damaged/);
});

test("a read-only folder, and a new folder on a read-only disk", async ({ skip }) => {
  disk = SmallDisk.mount(100);
  if (!disk) return skip("no disk can be mounted");
  const mount = (options: string) => execFileSync("mount", ["-o", options, disk?.folder as string]);
  mkdirSync(path.join(disk.folder, "data"));
  mount("remount,ro");
  for (const name of ["data", "new"]) {
    const output = String(await startService({ folder: path.join(disk.folder, name) }).catch(String));
    expect(output).toMatch(/cannot be used: EROFS.*Check its owner, its rights and its disk/);
    expect(output).not.toMatch(/parlance: .*\n\s+at /);
  }
  expect(existsSync(path.join(disk.folder, "new"))).toBe(false);
  mount("remount,rw");
});
