// Which unit tests need a process of their own. The others of a run share one process for each worker, in which a module is read once: a
// process for each file takes 0.2 s of processor time before its first test.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

/** Patterns of source text: a file with one of them changes or measures its process, which other files in the process would disturb. */
const OF_PROCESS = [
  // Fake timers and mocks.
  /\bvi\./,
  // Environment, signals, memory.
  /\bprocess\.(?:env|on|once|chdir|umask|title|exit|kill|pid|memoryUsage|cpuUsage)\b/,
  /\bglobalThis\b|\bgc\(|\bv8\./,
  // Child processes.
  /\bchildProcesses\b|\/proc\//,
  // Elapsed time.
  /\bperformance\.now\b/,
];

const UNIT_TEST = /^[^.]+\.test\.ts$/;

/** Files of quick unit tests below `folder` that share a process, relative to the repository. */
export function sharingFiles(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return files
    .filter((file) => UNIT_TEST.test(path.basename(file)))
    .map((file) => path.posix.join(folder, ...file.split(path.sep)))
    .filter((file) => {
      const source = readFileSync(file, "utf8");
      return !OF_PROCESS.some((pattern) => pattern.test(source));
    })
    .sort();
}
