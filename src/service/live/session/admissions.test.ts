import { expect, test } from "vitest";
import { Admissions } from "./admissions.ts";

const look = () => new Promise<string[]>((resolve) => setTimeout(() => resolve(["running"]), 5));

test("of many sessions that start at once, only as many are admitted as the limit allows", async () => {
  const admissions = new Admissions();
  const ids = Array.from({ length: 10 }, (_, at) => `session ${at}`);
  const answers = await Promise.all(ids.map((id) => admissions.admit("account", 3, look, id)));
  expect(answers.filter((isIn) => isIn)).toHaveLength(2);
  expect(await admissions.admit("another account", 3, look, "session 10")).toBe(true);
});

test("an admitted session counts until it ends, and counts once if it connects again", async () => {
  const admissions = new Admissions();
  expect(await admissions.admit("account", 2, look, "a")).toBe(true);
  expect(await admissions.admit("account", 2, look, "a")).toBe(true);
  expect(await admissions.admit("account", 2, look, "b")).toBe(false);
  admissions.end("a");
  expect(await admissions.admit("account", 2, look, "b")).toBe(true);
});
