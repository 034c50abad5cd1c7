import path from "node:path";
import { expect, test } from "vitest";
import { commandPrefix, PARLANCE } from "./command-prefix.ts";

const place = (...parts: string[]) => path.join(path.sep, ...parts);

test.each([
  ["installed globally", place("usr", "bin", "parlance"), place("usr", "lib", "node_modules", "x"), "parlance"],
  ["in a clone", place("clone", "bin", "parlance.js"), place("clone"), "npx --no-install parlance"],
  [
    "in a project",
    place("clone", "node_modules", ".bin", "parlance"),
    place("clone", "node_modules", "@parlance-speech", "parlance"),
    "npx --no-install parlance",
  ],
  [
    "in a container",
    place("parlance", "bin", "parlance.js"),
    place("parlance"),
    `node ${place("parlance", "bin", "parlance.js")}`,
  ],
  [
    "in a folder with a space",
    place("my programs", "bin", "parlance.js"),
    place("my programs"),
    `node ${JSON.stringify(place("my programs", "bin", "parlance.js"))}`,
  ],
])("%s, messages name a command that works there", (_name, entry, root, expected) => {
  expect(commandPrefix(entry, root, place("clone"))).toBe(expected);
});

test("this clone's messages use npx without downloads", () => {
  expect(PARLANCE).toBe("npx --no-install parlance");
});
