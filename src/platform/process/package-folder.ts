// Finds the folder of an npm package. Weights come as packages whose entry points are for browsers; only their files are used.
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

/** Folder of an installed package. @throws Error naming the package when it is not installed */
export function packageFolder(name: string): string {
  const roots = createRequire(import.meta.url).resolve.paths(name) ?? [];
  const folder = roots.map((root) => path.join(root, name)).find((candidate) => existsSync(candidate));
  if (!folder) throw new Error(`the package ${name} is not installed; run npm ci`);
  return folder;
}
