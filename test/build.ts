// Child processes start from compiled code: it is made once before any test.
import { spawnSync } from "node:child_process";

export default function build(): void {
  const built = spawnSync(process.execPath, ["node_modules/typescript/bin/tsc", "-p", "tsconfig.build.json"], {
    stdio: "inherit",
  });
  if (built.status !== 0) throw new Error("the code does not compile");
}
