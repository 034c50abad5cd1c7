// Files of the command line in folders of the user, which other users of the machine cannot read.
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { v7 as uuid } from "uuid";

const OWNER_FOLDER = 0o700;
const OWNER_FILE = 0o600;

/** Writes a value as JSON, as a whole or not at all. Replaces the file. @throws the error of the file system */
export async function writeUserFile(file: string, value: object): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true, mode: OWNER_FOLDER });
  const part = `${file}.${uuid()}.part`;
  try {
    await writeFile(part, `${JSON.stringify(value)}\n`, { mode: OWNER_FILE, flag: "wx" });
    await rename(part, file);
  } finally {
    await rm(part, { force: true });
  }
}
