// Reads a secret from the terminal without showing it.
import { createInterface } from "node:readline/promises";
import { type Readable, Writable } from "node:stream";

/** @returns undefined if it was interrupted: Ctrl-C, or the end of the input */
export async function readSecret(input: Readable): Promise<string | undefined> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input, output: silent, terminal: true });
  try {
    const closed = new Promise<undefined>((resolve) => terminal.once("close", () => resolve(undefined)));
    return (await Promise.race([terminal.question(""), closed]))?.trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ABORT_ERR") return undefined;
    throw error;
  } finally {
    terminal.close();
  }
}
