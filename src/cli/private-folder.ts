// A temporary folder for one call of the command line. It is removed however the call ends, except by SIGKILL.
import { rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import os from "node:os";
import path from "node:path";

/** Exit status of a process that a signal ended, as shells report it. */
const SIGNAL_STATUS = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;
/** A child process that is being ended may still write to the folder. */
const REMOVE_TRIES = 3;

export interface PrivateFolder {
  path: string;
  remove(): void;
}

/** @param purpose  part of the folder's name: parlance-PURPOSE-… */
export async function makePrivateFolder(purpose: string): Promise<PrivateFolder> {
  const folder = await mkdtemp(path.join(os.tmpdir(), `parlance-${purpose}-`));
  const removeFolder = () => rmSync(folder, { recursive: true, force: true, maxRetries: REMOVE_TRIES });
  process.once("exit", removeFolder);
  const listeners = Object.entries(SIGNAL_STATUS).map(([signal, status]) => {
    // A command that handles the signal itself ends the process when it is done.
    const end = () => {
      if (process.listenerCount(signal) === 1) process.exit(status);
    };
    process.on(signal, end);
    return () => process.off(signal, end);
  });
  return {
    path: folder,
    remove: () => {
      removeFolder();
      process.off("exit", removeFolder);
      for (const forget of listeners) forget();
    },
  };
}
