// Local copies of the audio of sessions whose logs are in NATS. The process reads audio from the copy, and makes a new one when it opens a log.
import { rm } from "node:fs/promises";
import path from "node:path";
import { Disk } from "../../../platform/storage/disk/disk.ts";
import { Inbox } from "./inbox.ts";

export interface AudioCopies {
  /** @returns an empty copy */
  make(name: string): Promise<Inbox>;
  remove(name: string): Promise<void>;
  removeAll(): Promise<void>;
}

/** In a folder of this machine, without syncs to disk: the servers have everything. */
export function copiesIn(folder: string): AudioCopies {
  const remove = (name: string) => rm(path.join(folder, name), { recursive: true, force: true });
  return {
    async make(name) {
      await remove(name);
      return Inbox.open({ folder: path.join(folder, name), disk: new Disk(false) });
    },
    remove,
    removeAll: () => rm(folder, { recursive: true, force: true }),
  };
}
