import { expect, test } from "vitest";
import { nameOf } from "./source-name.ts";

test.each([
  ["https://a.example/x/talk.mp3?signature=secret#part", { dir: ".", base: "talk.mp3", name: "talk" }],
  ["https://a.example/?token=a/secret.mp3", { dir: ".", base: "recording", name: "recording" }],
  ["https://a b/talk.mp3?token=secret", { dir: ".", base: "recording", name: "recording" }],
  ["-", { dir: ".", base: "recording", name: "recording" }],
  ["below/talk?.mp3", { dir: "below", base: "talk?.mp3", name: "talk?" }],
])("the name of %s", (source, expected) => {
  expect(nameOf(source)).toMatchObject(expected);
});
