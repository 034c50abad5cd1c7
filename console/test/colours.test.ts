// Colours have names in one style sheet: a theme changes all of them.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const source = path.join(import.meta.dirname, "../src");
const THEME = "styles/theme.css";
const COLOUR =
  /#[\da-f]{3,8}\b(?!["'])|\b(?:rgba?|hsla?|oklch|color)\(|:\s*(?:white|black|red|green|blue|gr[ae]y|yellow|orange|silver)\b/i;

const files = readdirSync(source, { recursive: true, encoding: "utf8" })
  .map((file) => file.split(path.sep).join("/"))
  .filter((file) => file.endsWith(".css"));
/** Lines of rules, without comments. */
const linesOf = (file: string) =>
  readFileSync(path.join(source, file), "utf8")
    .replaceAll(/\/\*[^*]*\*\//g, "")
    .split("\n");
const theme = linesOf(THEME).join("\n");

test("no other style sheet has a colour of its own", () => {
  const others = files.filter((file) => file !== THEME);
  expect(others.length).toBeGreaterThan(8);
  const found = others.flatMap((file) =>
    linesOf(file)
      .filter((line) => COLOUR.test(line))
      .map((line) => `${file}: ${line.trim()}`),
  );
  expect(found).toEqual([]);
  expect(linesOf(THEME).some((line) => COLOUR.test(line))).toBe(true);
});

test("each name of a style sheet has a value", () => {
  const named = new Set([...theme.matchAll(/(--[\w-]+):/g)].map(([, name]) => name));
  const own = new Set(
    files.flatMap((file) => linesOf(file).flatMap((line) => /^\s*(--[\w-]+):/.exec(line)?.[1] ?? [])),
  );
  const used = files.flatMap((file) =>
    [
      ...linesOf(file)
        .join("\n")
        .matchAll(/var\((--[\w-]+)\)/g),
    ].map(([, name]) => name),
  );
  expect(used.filter((name) => !named.has(name) && !own.has(String(name)))).toEqual([]);
});
