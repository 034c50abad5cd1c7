// The semi-spaces of the process after a thread was started.
import { execFileSync } from "node:child_process";
import path from "node:path";
import { expect, test } from "vitest";

const FILLED = `
import v8 from "node:v8";
import { keepSemiSpacesSmall, startThread } from "./dist/platform/process/run-module.js";
keepSemiSpacesSmall();
const thread = startThread(new URL("data:text/javascript,setInterval(()=>{},1e6)"), undefined, {});
await new Promise((resolve) => thread.once("online", resolve));
let kept = [];
for (let at = 0; at < 2e6; at++) kept = at % 20_000 === 0 ? [] : (kept.push({ at }), kept);
const { space_size } = v8.getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space");
console.log(space_size);
process.exit();
`;

test("semi-spaces stay small in a process with a thread", () => {
  const root = path.join(import.meta.dirname, "../../..");
  const size = execFileSync(process.execPath, ["--input-type=module", "-e", FILLED], { cwd: root, encoding: "utf8" });
  expect(Number(size)).toBeLessThan(5e6);
});
