// Small files of the data folder. A pipe in the place of one would keep its reader waiting forever, and with it a start.
import { constants } from "node:fs";
import { open } from "node:fs/promises";

/** Windows has no such flag, and no pipes among files. */
const NON_BLOCKING = constants.O_NONBLOCK ?? 0;

/** @returns the text of a regular file @throws the system's error; EINVAL if the name is not that of a regular file */
export async function readPlainFile(file: string): Promise<string> {
  const handle = await open(file, constants.O_RDONLY | NON_BLOCKING);
  try {
    const found = await handle.stat();
    if (!found.isFile()) throw Object.assign(new Error(`${file} is not a regular file`), { code: "EINVAL" });
    return await handle.readFile("utf8");
  } finally {
    await handle.close();
  }
}
