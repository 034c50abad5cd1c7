// Child processes start from compiled code, a new database from a prepared one, and the console is served as built: all are
// made once before any test, and so are the graphs that services share.
import { spawnSync } from "node:child_process";
import { prepareGraphs } from "./fixtures/prepared-graphs.ts";

function run(...command: string[]): void {
  const built = spawnSync(process.execPath, command, { stdio: ["ignore", "ignore", "inherit"] });
  if (built.status !== 0) throw new Error(`this does not work: ${command.join(" ")}`);
}

let isBuilt = false;

/** Vitest calls it for each of its projects. */
export default async function build(): Promise<void> {
  if (isBuilt) return;
  isBuilt = true;
  run("node_modules/typescript/bin/tsc", "-p", "tsconfig.build.json");
  run("dist/storage/db/make-database.js");
  run("node_modules/vite/bin/vite.js", "build", "-c", "console/vite.config.ts", "--logLevel", "warn");
  await prepareGraphs();
}
