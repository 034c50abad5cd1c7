// A temporary folder for one call of the command line. It is removed however the call ends, except by SIGKILL.
import { mkdtempSync, rmSync } from "node:fs";
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
export function makePrivateFolder(purpose: string): PrivateFolder {
  let folder: string | undefined;
  const removeFolder = () => {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true, maxRetries: REMOVE_TRIES });
  };
  // The listeners precede the folder: a signal between the two would leave it behind.
  process.once("exit", removeFolder);
  const listeners = Object.entries(SIGNAL_STATUS).map(([signal, status]) => {
    // A command that handles the signal itself ends the process when it is done.
    const end = () => {
      if (process.listenerCount(signal) === 1) process.exit(status);
    };
    process.on(signal, end);
    return () => process.off(signal, end);
  });
  folder = mkdtempSync(path.join(os.tmpdir(), `parlance-${purpose}-`));
  return {
    path: folder,
    remove: () => {
      removeFolder();
      process.off("exit", removeFolder);
      for (const forget of listeners) forget();
    },
  };
}
