// Makes the npm package: the compiled files, and the exact versions of all dependencies, so that an installed package runs what
// was tested. Plain `npm pack` includes neither. With --with-dependencies, also the archive of deploy/bundle.js.
import { spawnSync } from "node:child_process";
import { copyFileSync, rmSync } from "node:fs";
import { parseArgs } from "node:util";
import { removeStaleCode } from "./stale-code.js";

const { values } = parseArgs({
  options: { "with-dependencies": { type: "boolean" }, "pack-destination": { type: "string", default: "." } },
});

const run = (program, ...args) => {
  const ran = spawnSync(program, args, { stdio: "inherit", shell: process.platform === "win32" });
  if (ran.status !== 0) throw new Error(`${program} ${args.join(" ")} failed`);
};

run("npm", "run", "build");
removeStaleCode();
copyFileSync("package-lock.json", "npm-shrinkwrap.json");
try {
  run("npm", "pack", "--pack-destination", values["pack-destination"]);
} finally {
  rmSync("npm-shrinkwrap.json", { force: true });
}
if (values["with-dependencies"]) run(process.execPath, "deploy/bundle.js", "--to", values["pack-destination"]);
