// The service that `parlance login` has stored for this user.

import { readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import path from "node:path";
import { PARLANCE } from "../platform/command-prefix.ts";
import { userFolders } from "../platform/config/user-folders.ts";
import { UsageError } from "./usage-error.ts";
import { writeUserFile } from "./user-file.ts";

export interface Login {
  /** Address of the service. */
  server: string;
  /** Account key; empty for a service that takes requests without one. */
  key: string;
}

/** @throws UsageError without a home directory */
function loginFile(): string {
  const { config } = userFolders();
  if (config === "") throw new UsageError("there is no folder for the login: set HOME or XDG_CONFIG_HOME");
  return path.join(config, "login.json");
}

/** @returns undefined if nobody is logged in @throws UsageError for a file that cannot be read */
export function storedLogin(): Login | undefined {
  if (userFolders().config === "") return undefined;
  const file = loginFile();
  try {
    const { server, key } = JSON.parse(readFileSync(file, "utf8")) as Partial<Login>;
    if (typeof server === "string" && typeof key === "string") return { server, key };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
  }
  throw new UsageError(`${file} cannot be read; run ${PARLANCE} login --server ADDRESS again, or ${PARLANCE} logout`);
}

/** @returns the file */
export async function storeLogin(login: Login): Promise<string> {
  const file = loginFile();
  await writeUserFile(file, login);
  return file;
}

/** Removes the file, also one that cannot be read. @returns whether there was one */
export async function forgetLogin(): Promise<boolean> {
  try {
    await rm(loginFile());
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return false;
    throw error;
  }
}
