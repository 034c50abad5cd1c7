// Folders of graphs that are being saved. This module loads no ONNX Runtime: the service process uses it.
import { randomUUID } from "node:crypto";
import { readdir, rm } from "node:fs/promises";
import path from "node:path";

const UNFINISHED = /^\.[0-9a-f-]{36}$/;

export const unfinishedName = () => `.${randomUUID()}`;

/**
 * Removes the folders of processes that were killed while they saved a graph, hundreds of megabytes each. If the folder of a running process
 * is removed, its save fails, and the process loads the weights without sharing them.
 * @param folder  of all prepared graphs; it may not exist
 */
export async function removeUnfinishedGraphs(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names) {
    if (UNFINISHED.test(name)) {
      await rm(path.join(folder, name), { recursive: true, force: true }).catch(() => undefined);
    }
  }
}
