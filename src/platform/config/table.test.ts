import { readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { settingsText } from "./table.ts";

const FILE = "docs/settings.md";

test("the documentation shows every setting as it is, by section (UPDATE_DOCS=true writes it)", () => {
  const page = readFileSync(FILE, "utf8");
  const head = page.slice(0, page.indexOf("## "));
  if (process.env["UPDATE_DOCS"] === "true") writeFileSync(FILE, head + settingsText());
  expect(readFileSync(FILE, "utf8")).toBe(head + settingsText());
});
