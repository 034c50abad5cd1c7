// The name "parlance" on the npm registry belongs to another project: a command that may install it would run that project's code.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const TEXTS = /\.(md|ts|tsx|js|yaml|json)$/;
const INSTALLING = /\b(npx|npm exec|npm x|pnpm dlx|yarn dlx|bunx)( --)?( -y| --yes)? parlance\b/g;

const filesBelow = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => TEXTS.test(file) && !file.includes("node_modules"))
    .map((file) => path.join(folder, file));

test("no documented command and no message runs a package that npm would fetch by this name", () => {
  const files = ["README.md", "SECURITY.md", ...["docs", "src", "console/src", "deploy", "bin"].flatMap(filesBelow)];
  const unsafe = files.flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(INSTALLING)].map(([found]) => `${file}: ${found}`),
  );
  expect(files.length).toBeGreaterThan(300);
  expect(unsafe).toEqual([]);
});

test("the package has a scoped name and is not published by accident", () => {
  const manifest = JSON.parse(readFileSync("package.json", "utf8"));
  expect(manifest).toMatchObject({ name: expect.stringMatching(/^@[a-z-]+\/parlance$/), private: true });
});
