// Child processes and threads need a compiled file to start from. When this code itself runs from its TypeScript
// source (in unit tests), the compiled twin lies in dist.
import { fileURLToPath } from "node:url";

/**
 * @param relative  the module beside the caller, "./child.js"
 * @param caller    the caller's import.meta.url
 */
export function entryFile(relative: string, caller: string): string {
  const file = fileURLToPath(new URL(relative, caller));
  return caller.endsWith(".ts") ? file.replace(/([\\/])src([\\/])/, "$1dist$2") : file;
}
