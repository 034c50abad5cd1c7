// Folders of live sessions that a machine finds when it starts.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { pino } from "pino";
import { v7 as uuid } from "uuid";
import { expect, test } from "vitest";
import { openDatabase } from "../../../platform/storage/db/database.ts";
import { leaveTombstones } from "../../../platform/storage/db/files/tombstones.ts";
import { Disk } from "../../../platform/storage/disk/disk.ts";
import { liveFolder } from "../../../platform/storage/objects/keys.ts";
import { Quarantine } from "../../../platform/storage/quarantine.ts";
import { AUDIO_FILE } from "./inbox.ts";
import { cleanLeftoverFolders } from "./leftover-folders.ts";

test("the audio of a session that was deleted while the machine was off is deleted; that of an unknown one is kept", async () => {
  const root = mkdtempSync(path.join(os.tmpdir(), "parlance-leftover-"));
  const database = await openDatabase("", root, new Disk(false));
  try {
    const [deleted, unknown] = [uuid(), uuid()];
    const folder = path.join(root, "objects", "live");
    for (const id of [deleted, unknown]) {
      mkdirSync(path.join(folder, id), { recursive: true });
      writeFileSync(path.join(folder, id, AUDIO_FILE), "audio");
    }
    await leaveTombstones(database, [{ key: liveFolder(deleted), isFolder: true }]);
    await cleanLeftoverFolders({
      ...{ database, folder, machine: "m", adoptsAll: false, logger: pino({ level: "silent" }) },
      quarantine: new Quarantine(root),
    });
    expect(readdirSync(folder)).toEqual([]);
    const kept = readdirSync(path.join(root, "quarantine"), { recursive: true }).map(String);
    expect(kept.some((name) => name.includes(unknown))).toBe(true);
    expect(kept.some((name) => name.includes(deleted))).toBe(false);
    expect(existsSync(path.join(folder, deleted))).toBe(false);
  } finally {
    await database.destroy();
    rmSync(root, { recursive: true, force: true });
  }
});
