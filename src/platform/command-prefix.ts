// How messages name this program's commands, so that they can be copied. The package name `parlance` on the npm registry belongs
// to another project: `npx --no-install` never downloads it.
import path from "node:path";
import { fileURLToPath } from "node:url";

const NPX = "npx --no-install parlance";

/**
 * The command line that starts this program again.
 * @param entry    file that Node was started with, `process.argv[1]`
 * @param root     folder of the package
 * @param working  working folder
 * @returns `parlance` if that name is on the path; `npx --no-install parlance` in a clone and in a project that has the package
 *   installed; else, as in containers and under systemd, `node ROOT/bin/parlance.js`
 */
export function commandPrefix(entry: string, root: string, working: string): string {
  const isOnPath = path.basename(entry) === "parlance" && path.basename(path.dirname(entry)) !== ".bin";
  if (isOnPath) return "parlance";
  const isInProject = root === working || root.startsWith(path.join(working, "node_modules", path.sep));
  if (isInProject) return NPX;
  const file = path.join(root, "bin", "parlance.js");
  return `node ${/\s/.test(file) ? JSON.stringify(file) : file}`;
}

/** The prefix of this process. Child processes have the package's folder from the same place, and so the same text or the longer one. */
export const PARLANCE = commandPrefix(
  process.argv[1] ?? "",
  fileURLToPath(new URL("../..", import.meta.url)).replace(/[\\/]$/, ""),
  process.cwd(),
);
