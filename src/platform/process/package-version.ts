import { readFile } from "node:fs/promises";

/** Version of Parlance, from its package.json. */
export async function packageVersion(): Promise<string> {
  const text = await readFile(new URL("../../../package.json", import.meta.url), "utf8");
  return (JSON.parse(text) as { version: string }).version;
}
