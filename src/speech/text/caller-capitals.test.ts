import { expect, test } from "vitest";
import { utterance } from "../../../test/fixtures/utterances.ts";
import { callerCapitals, withCallerCapitals } from "./caller-capitals.ts";

const capitals = callerCapitals([
  "n8n",
  "macOS",
  "iPhone",
  "Ada Lovelace",
  "cortado",
  "GitHub Actions",
  "k8s",
  "iCafe\u0301",
]);
const write = (text: string) => withCallerCapitals(utterance(text), capitals).text;

test.each([
  ["N8n runs on MacOS. IPhone users know.", "n8n runs on macOS. iPhone users know."],
  ["we use N8N, macos's k8S and (Iphone).", "we use n8n, macOS's k8s and (iPhone)."],
  ["we sit in an ICafe\u0301.", "we sit in an iCafe\u0301."],
  ["Ada lovelace wrote Github actions.", "Ada Lovelace wrote GitHub Actions."],
  ["Cortado is good. A cortado.", "Cortado is good. A cortado."],
])("terms keep the caller's capitals, also at the beginning of a sentence: %s", (heard, written) => {
  expect(write(heard)).toBe(written);
});

test("the signs of a term are part of it", () => {
  const signs = callerCapitals([".NET", "ASP.NET"]);
  const said = "The net, .net. (.Net) Asp.net's";
  expect(withCallerCapitals(utterance(said), signs).text).toBe("The net, .NET. (.NET) ASP.NET's");
});

test("times stay, and an utterance without terms is the same object", () => {
  const said = utterance("N8n is here.");
  expect(withCallerCapitals(said, capitals).words.map(({ start, end }) => [start, end])).toEqual(
    said.words.map(({ start, end }) => [start, end]),
  );
  const plain = utterance("Nothing to change here.");
  expect(withCallerCapitals(plain, capitals)).toBe(plain);
});

test("a term that is an ordinary word in small letters changes nothing", () => {
  const some = callerCapitals(["US", "IT", "WHO", "DIE", "n8n"]);
  const said = (text: string, language: string) => withCallerCapitals({ ...utterance(text), language }, some).text;
  expect(said("Tell us who can do it, it is ours. N8n.", "en")).toBe("Tell us who can do it, it is ours. n8n.");
  expect(said("The US and the WHO.", "en")).toBe("The US and the WHO.");
  expect(said("Die Frau und die Kinder.", "de")).toBe("Die Frau und die Kinder.");
});
