// Prompts in the terminal.
import { createInterface, type Interface } from "node:readline/promises";
import { type Readable, Writable } from "node:stream";

/** @returns what was typed; undefined after Ctrl-C or the end of the input */
export async function answerTo(terminal: Interface, question: string): Promise<string | undefined> {
  const closed = new Promise<undefined>((resolve) => terminal.once("close", () => resolve(undefined)));
  try {
    return (await Promise.race([terminal.question(question), closed]))?.trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ABORT_ERR") return undefined;
    throw error;
  }
}

/** Reads a secret without showing it. @returns as `answerTo` */
export async function readSecret(input: Readable): Promise<string | undefined> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input, output: silent, terminal: true });
  try {
    return await answerTo(terminal, "");
  } finally {
    terminal.close();
  }
}
