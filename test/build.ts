// Child processes start from compiled code, a new database from a prepared one, and the console is served as built: all are
// made once before any test, and so are the graphs that services share.
import { spawnSync } from "node:child_process";
import { prepareElsewhere } from "../src/service/inference/graph-preparation.ts";
import { BUILT_IN_MODELS } from "../src/speech/engines/registry.ts";
import { PREPARED_GRAPHS } from "./fixtures/prepared-graphs.ts";

/** Of the service's default settings. */
const MODELS = ["moonshine-base-en", "moonshine-tiny-en"];

function run(...command: string[]): void {
  const built = spawnSync(process.execPath, command, { stdio: ["ignore", "ignore", "inherit"] });
  if (built.status !== 0) throw new Error(`this does not work: ${command.join(" ")}`);
}

let isBuilt = false;

/** Vitest calls it for each of its projects. */
export default async function build(): Promise<void> {
  if (isBuilt) return;
  isBuilt = true;
  if (process.env["TESTS_USE_BUILD"] !== "true") {
    run("node_modules/typescript/bin/tsc", "-p", "tsconfig.build.json");
    run("dist/platform/storage/db/embedded/make-database.js");
    run("deploy/compact.js");
    run("node_modules/vite/bin/vite.js", "build", "-c", "console/vite.config.ts", "--logLevel", "warn");
  }
  // What is prepared is opened only; graphs of an earlier version of the code are replaced.
  for (const model of BUILT_IN_MODELS.filter(({ id }) => MODELS.includes(id))) {
    await prepareElsewhere(PREPARED_GRAPHS, model, async () => false);
  }
}
