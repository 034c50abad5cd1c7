// Rules about the source that no type can hold: what may throw or be left open stands in one file each.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const root = path.join(import.meta.dirname, "../../src");
const files = readdirSync(root, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
  .map((file) => ({ file: file.split(path.sep).join("/"), text: readFileSync(path.join(root, file), "utf8") }));

const holding = (pattern: RegExp) => files.filter(({ text }) => pattern.test(text)).map(({ file }) => file);

test("only one file parses addresses from outside, and it never throws", () => {
  // The service checks addresses that the operator configures at its start; import.meta.url comes from no client.
  const operators =
    /^(platform\/config|cli)\/|^service\/live\/log\/jetstream\/broker\.ts$|^platform\/net\/service-request\.ts$|^platform\/storage\/db\/database\.ts$/;
  const own = /new URL\((?!(["'`][^"'`]*["'`]|relative), (import\.meta\.url|caller)\)|`file:)/;
  expect(holding(own).filter((file) => !operators.test(file))).toEqual(["platform/addresses/web-url.ts"]);
});

test("two files make servers, for HTTP and for protocols over TCP, so that every accepted socket has an owner", () => {
  // Doctor and the start find out whether a port or an address can be used, and close their server at once.
  const makers = holding(/\bcreateServer\(|createSecureServer\(|new Server\(/).filter(
    (file) => !["cli/installation-findings.ts", "api/server.ts"].includes(file),
  );
  expect(makers.sort()).toEqual(["platform/net/http-server.ts", "service/live/connection/tcp-listener.ts"]);
  expect(holding(/\.on\("(upgrade|clientError)"/)).toEqual(["platform/net/http-server.ts"]);
});

test("only one file decides where a sentence ends, so that abbreviations end none anywhere", () => {
  // Names of a prompt, terms of a vocabulary, rows of digits and spelled letters end at marks; no sentence is made of what is between them.
  const others = [
    "service/openai/prompt.ts",
    "service/intelligence/vocabulary.ts",
    "speech/text/numerals/digit-lists.ts",
    "speech/text/numerals/digit-rows.ts",
    "speech/text/numerals/english-reading.ts",
    "speech/text/numerals/spelled-names.ts",
  ];
  const splitters = holding(/\[[^\]]*\.!\?[^\]]*\]/).filter((file) => !others.includes(file));
  expect(splitters).toEqual(["speech/text/scripts.ts", "speech/text/writing.ts"]);
  expect(holding(/\bSENTENCE_END\b/).filter((file) => file !== "service/intelligence/respelled-words.ts")).toEqual([
    "speech/text/scripts.ts",
    "speech/text/sentences.ts",
  ]);
});
