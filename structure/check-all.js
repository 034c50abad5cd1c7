// npm run check: runs all checks, as many at once as the machine has cores, and prints the output of those that fail.
import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";

/** Scripts of package.json. The longest ones begin first. */
const CHECKS = ["types", "expressions", "lint", "unused", "spelling", "style", "boundaries", "texts"];

/** @returns its exit code, and all that it printed */
function run(script) {
  const child = spawn("npm", ["run", "--silent", script], { shell: process.platform === "win32" });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text) => {
      output += text;
    });
  }
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, output }));
  });
}

const waiting = [...CHECKS];
async function runWaiting() {
  for (let script = waiting.shift(); script !== undefined; script = waiting.shift()) {
    const { code, output } = await run(script);
    if (code === 0) continue;
    process.stderr.write(`\nnpm run ${script} fails:\n${output}`);
    process.exitCode = 1;
  }
}
await Promise.all(Array.from({ length: availableParallelism() }, runWaiting));
