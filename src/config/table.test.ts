import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { settingsTable } from "./table.ts";

test("the documentation shows every setting as it is", () => {
  const readme = readFileSync("docs/settings.md", "utf8");
  for (const row of settingsTable()) expect(readme).toContain(row);
});
