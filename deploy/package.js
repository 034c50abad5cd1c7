// Makes the npm package: everything built, and the exact versions of all that it needs, so that an installed package runs what
// was tested. `npm pack` by itself would bring neither.
import { spawnSync } from "node:child_process";
import { copyFileSync, rmSync } from "node:fs";

const npm = (...args) => {
  const ran = spawnSync("npm", args, { stdio: "inherit", shell: process.platform === "win32" });
  if (ran.status !== 0) process.exit(ran.status ?? 1);
};

npm("run", "build");
copyFileSync("package-lock.json", "npm-shrinkwrap.json");
try {
  npm("pack", ...process.argv.slice(2));
} finally {
  rmSync("npm-shrinkwrap.json", { force: true });
}
